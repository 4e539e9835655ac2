#include "render/video.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace rebound::render {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto encoder_end_patience = 60s;
constexpr auto copy_patience = 120s;

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

/// A path that ffmpeg takes for a file whatever characters it has.
std::string as_file(const fs::path& path) { return "file:" + path.string(); }

/// The colour matrix is named on both sides: players assume BT.709, the scaler BT.601.
std::vector<std::string> encoder_arguments(const fs::path& part, const VideoOptions& options) {
  const std::string size = std::to_string(options.width) + "x" + std::to_string(options.height);
  return {"ffmpeg",
          "-hide_banner",
          "-loglevel",
          "error",
          "-y",
          "-f",
          "rawvideo",
          "-pix_fmt",
          "rgba",
          "-video_size",
          size,
          "-framerate",
          number(options.frames_per_second),
          "-i",
          "pipe:0",
          "-an",
          "-vf",
          "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv",
          "-colorspace",
          "bt709",
          "-color_primaries",
          "bt709",
          "-color_trc",
          "bt709",
          "-color_range",
          "tv",
          "-c:v",
          "libx264",
          "-preset",
          "veryfast",
          "-crf",
          "18",
          "-g",
          "15",
          "-pix_fmt",
          "yuv420p",
          "-f",
          "matroska",
          "-cluster_time_limit",
          "250",
          "-flush_packets",
          "1",
          as_file(part)};
}

std::vector<std::string> copy_arguments(const fs::path& from, const fs::path& to) {
  return {"ffmpeg", "-hide_banner", "-loglevel", "error",      "-y", "-i",  as_file(from),
          "-c",     "copy",         "-movflags", "+faststart", "-f", "mp4", as_file(to)};
}

void require_usable(const fs::path& path, const VideoOptions& options) {
  const std::string name = path.string();
  if (path.extension() != ".mp4" && path.extension() != ".mkv") {
    throw OutputError(name + ": a video's name ends in .mp4 or .mkv");
  }
  if (options.width < 2 || options.height < 2 || options.width > 16384 || options.height > 16384) {
    throw OutputError(name + ": a video's width and height lie between 2 and 16384 pixels");
  }
  if (!(options.frames_per_second > 0) || options.frames_per_second > 1000) {
    throw OutputError(name + ": a video has between 0 and 1000 frames per second");
  }
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (access(folder.c_str(), W_OK) != 0) throw OutputError(name + " cannot be written: its folder is not writable");
}

void sync_file(const fs::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() >= 0) fsync(file.get());
}

}  // namespace

VideoWriter::VideoWriter(fs::path path, const VideoOptions& options)
    : path_(std::move(path)), part_(path_.string() + ".part.mkv"), options_(options) {
  require_usable(path_, options_);
  encoder_.emplace(encoder_arguments(part_, options_));
  thread_ = std::thread([this] { run(); });
}

VideoWriter::~VideoWriter() {
  if (finished_) return;
  {
    const std::unique_lock lock(mutex_);
    abandoned_ = true;
    if (failure_.empty()) encoder_->kill();
  }
  stop_thread();
  encoder_.reset();
  std::error_code ignored;
  fs::remove(part_, ignored);
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
    const Process::Feeding fed = encoder_->feed(frame.rgba.data(), frame.rgba.size(), options_.patience);
    if (fed == Process::Feeding::done) {
      const std::lock_guard lock(mutex_);
      ++encoded_;
      continue;
    }
    const bool stalled = fed == Process::Feeding::stalled;
    if (stalled) encoder_->kill();
    const std::string end = encoder_->wait(5s);
    fail(stalled ? "ffmpeg has taken no frame for " + std::to_string(options_.patience.count() / 1000) + " s" : end);
    return;
  }
}

void VideoWriter::fail(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  const std::string cause = reason.empty() ? "ffmpeg stopped reading" : reason;
  failure_ = path_.string() + ": recording stopped after " + std::to_string(encoded_) + " frames: " + cause;
  if (!abandoned_) failure_ += keep_partial();
  queue_.clear();
  changed_.notify_all();
}

std::string VideoWriter::keep_partial() {
  std::error_code error;
  const auto size = fs::file_size(part_, error);
  if (error || size == 0) {
    fs::remove(part_, error);
    return {};
  }
  fs::path kept = path_;
  kept.replace_extension(".partial.mkv");
  fs::rename(part_, kept, error);
  return error ? std::string() : "; what was recorded is in " + kept.string();
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
    const std::string trouble = encoder_->wait(encoder_end_patience);
    if (!trouble.empty()) fail(trouble);
  }
  if (failure().empty()) make_final();
  const std::string message = failure();
  if (!message.empty()) throw OutputError(message);
}

void VideoWriter::make_final() {
  std::error_code error;
  if (path_.extension() == ".mkv") {
    sync_file(part_);
    fs::rename(part_, path_, error);
    if (error) fail(error.message());
    return;
  }
  const fs::path copy = path_.string() + ".part.mp4";
  std::string trouble;
  try {
    trouble = Process(copy_arguments(part_, copy)).wait(copy_patience);
  } catch (const OutputError& missing) {
    trouble = missing.what();
  }
  if (trouble.empty()) {
    sync_file(copy);
    fs::rename(copy, path_, error);
    if (error) trouble = error.message();
  }
  if (!trouble.empty()) {
    fs::remove(copy, error);
    fail(trouble);
    return;
  }
  fs::remove(part_, error);
}

}  // namespace rebound::render
