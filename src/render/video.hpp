// Recordings: pictures go in one after the other, and are encoded on a thread of their own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "render/frame_sink.hpp"
#include "render/image.hpp"
#include "render/process.hpp"

namespace rebound::render {

struct VideoOptions {
  int width = 1280;  ///< of the frames, pixels; an odd last column or row is left out, as H.264 needs even sizes
  int height = 720;
  double frames_per_second = 30;
  std::size_t queue_frames = 8;                ///< how many frames may wait for the encoder
  std::chrono::milliseconds patience{10'000};  ///< how long the encoder may take none before it counts as dead
};

/// Writes frames to PATH: .mp4 and .mkv (H.264), .webm (VP9), .gif, or numbered PNG files (FOLDER/ or FOLDER/%05d.png).
/// While a video is recorded there is only PATH.partial-PID-N, of which nothing but the last second is lost whatever
/// happens; the final name appears when finish() succeeds. A failure keeps what was recorded as STEM.partial.mkv, and
/// pictures that are written where they are, and says so.
class VideoWriter {
 public:
  /// Starts ffmpeg, which pictures do without. Throws MissingProgram at once if there is none, OutputError if the
  /// options or the path are unusable.
  VideoWriter(std::filesystem::path path, const VideoOptions& options);
  /// Without finish(): stops, and removes what was recorded.
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  /// Queues a frame; waits while the queue is full. Throws OutputError once the encoder has failed or if the size
  /// differs.
  void write(Image frame);
  /// The same without waiting: false if the queue is full; the frame is then counted as dropped.
  bool try_write(Image frame);
  /// Ends the video and puts it in its place, which takes as long as what is queued, and for a GIF longer. Throws
  /// OutputError; after that nothing more is written.
  void finish();

  int frames_queued() const;
  int frames_dropped() const;
  /// Why the encoder failed; empty while it is well. May be asked each frame.
  std::string failure() const;
  /// Whether write() would wait.
  bool is_full() const;
  /// Of the encoder; -1 if there is none.
  pid_t process_id() const { return sink_->process_id(); }

 private:
  void require_frame(const Image& frame) const;
  void require_well(const std::unique_lock<std::mutex>& lock) const;
  void run();
  void fail(const std::string& reason);
  void stop_thread();

  const std::filesystem::path path_;
  const VideoOptions options_;
  std::unique_ptr<FrameSink> sink_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Image> queue_;
  bool no_more_ = false;
  bool abandoned_ = false;
  bool finished_ = false;
  int queued_ = 0;
  int dropped_ = 0;
  int encoded_ = 0;
  std::string failure_;
  std::thread thread_;
};

}  // namespace rebound::render
