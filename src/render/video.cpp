#include "render/video.hpp"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <utility>

#include "render/ffmpeg_sink.hpp"
#include "render/picture_folder.hpp"
#include "render/video_format.hpp"

namespace rebound::render {

namespace {

namespace fs = std::filesystem;

void require_usable(const fs::path& path, VideoFormat format, const VideoOptions& options) {
  const std::string name = path.string();
  if (options.width < 2 || options.height < 2 || options.width > 16384 || options.height > 16384) {
    throw OutputError(name + ": a video's width and height lie between 2 and 16384 pixels");
  }
  const double most = most_pictures_a_second(format);
  if (!(options.frames_per_second > 0) || options.frames_per_second > most)
    throw OutputError(name + ": such a video has more than 0 and at most " + std::to_string(std::lround(most)) +
                      " pictures a second");
  if (format == VideoFormat::pictures) return;
  // Before it is opened, which would wait for a pipe's other end.
  std::error_code none;
  if (fs::exists(path, none) && !fs::is_regular_file(path, none))
    throw OutputError(name + ": is a folder, a device or a pipe, none of which can hold a video; name a file");
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, none))
    throw OutputError(name + " cannot be written: there is no folder " + folder.string());
  if (access(folder.c_str(), W_OK) != 0) throw OutputError(name + " cannot be written: its folder is not writable");
}

std::unique_ptr<FrameSink> open_sink(const fs::path& path, const VideoOptions& options) {
  const VideoFormat format = video_format(path);
  require_usable(path, format, options);
  if (format == VideoFormat::pictures) return std::make_unique<PictureFolder>(path);
  return std::make_unique<FfmpegSink>(path, format, options);
}

}  // namespace

VideoWriter::VideoWriter(fs::path path, const VideoOptions& options)
    : path_(std::move(path)), options_(options), sink_(open_sink(path_, options_)) {
  thread_ = std::thread([this] { run(); });
}

VideoWriter::~VideoWriter() {
  if (finished_) return;
  {
    const std::unique_lock lock(mutex_);
    abandoned_ = true;
    if (failure_.empty()) sink_->interrupt();
  }
  stop_thread();
  // What a failure has kept stays.
  if (failure_.empty()) sink_->discard();
}

void VideoWriter::require_frame(const Image& frame) const {
  if (frame.width != options_.width || frame.height != options_.height) {
    throw OutputError(path_.string() + ": a frame of " + std::to_string(frame.width) + " x " +
                      std::to_string(frame.height) + " pixels in a video of " + std::to_string(options_.width) + " x " +
                      std::to_string(options_.height));
  }
}

void VideoWriter::require_well(const std::unique_lock<std::mutex>&) const {
  if (!failure_.empty()) throw OutputError(failure_);
  if (no_more_) throw OutputError(path_.string() + ": the video is finished already");
}

void VideoWriter::write(Image frame) {
  require_frame(frame);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.size() < options_.queue_frames || !failure_.empty(); });
  require_well(lock);
  queue_.push_back(std::move(frame));
  ++queued_;
  changed_.notify_all();
}

bool VideoWriter::try_write(Image frame) {
  require_frame(frame);
  const std::unique_lock lock(mutex_);
  require_well(lock);
  if (queue_.size() >= options_.queue_frames) {
    ++dropped_;
    return false;
  }
  queue_.push_back(std::move(frame));
  ++queued_;
  changed_.notify_all();
  return true;
}

bool VideoWriter::is_full() const {
  const std::lock_guard lock(mutex_);
  return failure_.empty() && queue_.size() >= options_.queue_frames;
}

int VideoWriter::frames_queued() const {
  const std::lock_guard lock(mutex_);
  return queued_;
}

int VideoWriter::frames_dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

std::string VideoWriter::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

void VideoWriter::run() {
  // An encoder that dies must not take this program with it; the signal would go to the thread that writes.
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);

  for (;;) {
    Image frame;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !queue_.empty() || no_more_ || abandoned_; });
      if (abandoned_ || queue_.empty()) return;
      frame = std::move(queue_.front());
      queue_.pop_front();
      changed_.notify_all();
    }
    const std::string trouble = sink_->take(frame);
    if (!trouble.empty()) {
      fail(trouble);
      return;
    }
    const std::lock_guard lock(mutex_);
    ++encoded_;
  }
}

void VideoWriter::fail(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  queue_.clear();
  changed_.notify_all();
  if (abandoned_) return;
  failure_ = path_.string() + ": recording stopped after " + std::to_string(encoded_) + " frames: " + reason;
  const std::string kept = sink_->keep();
  if (!kept.empty()) failure_ += "; what was recorded is in " + kept;
}

void VideoWriter::stop_thread() {
  {
    const std::lock_guard lock(mutex_);
    no_more_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void VideoWriter::finish() {
  if (finished_) return;
  stop_thread();
  finished_ = true;
  if (failure().empty()) {
    const std::string trouble = sink_->finish();
    if (!trouble.empty()) fail(trouble);
  }
  const std::string message = failure();
  if (!message.empty()) throw OutputError(message);
}

}  // namespace rebound::render
