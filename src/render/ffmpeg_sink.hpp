// A video, through an ffmpeg process.
#pragma once

#include <filesystem>

#include "render/frame_sink.hpp"
#include "render/process.hpp"
#include "render/video.hpp"
#include "render/video_format.hpp"

namespace rebound::render {

class FfmpegSink : public FrameSink {
 public:
  /// Starts ffmpeg. Throws MissingProgram at once if there is none.
  FfmpegSink(std::filesystem::path path, VideoFormat format, const VideoOptions& options);

  std::string take(const Image& frame) override;
  std::string finish() override;
  std::string keep() override;
  void interrupt() override { encoder_.kill(); }
  void discard() override;
  pid_t process_id() const override { return encoder_.id(); }

 private:
  std::filesystem::path beside(const char* ending) const { return path_.string() + ending; }
  std::string make_final();

  const std::filesystem::path path_;
  const std::filesystem::path part_;
  const VideoFormat format_;
  const VideoOptions options_;
  Process encoder_;
  int taken_ = 0;
};

}  // namespace rebound::render
