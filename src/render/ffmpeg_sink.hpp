// A video, through an ffmpeg process.
#pragma once

#include <filesystem>

#include "mesh/pending_file.hpp"
#include "render/frame_sink.hpp"
#include "render/process.hpp"
#include "render/video.hpp"
#include "render/video_format.hpp"

namespace rebound::render {

class FfmpegSink : public FrameSink {
 public:
  /// Starts ffmpeg. Throws MissingProgram at once if there is none, OutputError if no file can be made at `path`.
  FfmpegSink(std::filesystem::path path, VideoFormat format, const VideoOptions& options);

  std::string take(const Image& frame) override;
  std::string finish() override;
  std::string keep() override;
  void interrupt() override { encoder_.kill(); }
  void discard() override;
  pid_t process_id() const override { return encoder_.id(); }

 private:
  std::string make_final();

  const std::filesystem::path path_;
  PendingFile part_;  ///< what the encoder writes, playable at any moment
  const VideoFormat format_;
  const VideoOptions options_;
  Process encoder_;
  int taken_ = 0;
};

}  // namespace rebound::render
