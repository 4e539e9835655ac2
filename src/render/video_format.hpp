// Which videos there are: their names, and what ffmpeg is told to make of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "render/image.hpp"

namespace rebound::render {

struct VideoOptions;

enum class VideoFormat { mp4, mkv, webm, gif, pictures };

/// What the name asks for: by its ending, or pictures where it holds a pattern such as %05d or ends in a slash. Throws
/// OutputError naming all that there are.
VideoFormat video_format(const std::filesystem::path& path);

/// Players show a picture of a GIF for 0.02 s at least, and take shorter ones for mistakes.
double most_pictures_a_second(VideoFormat format);

/// Arguments of the ffmpeg that takes raw pictures from its standard input and writes PART, a Matroska file of which
/// only the last moments are lost if it is killed. Not for pictures.
std::vector<std::string> encoder_arguments(VideoFormat format, const std::filesystem::path& part,
                                           const VideoOptions& options);

/// The runs of ffmpeg, one after the other, that make FINAL of PART. A GIF's palette goes into PALETTE in between.
/// None for .mkv, as PART is one already.
std::vector<std::vector<std::string>> finishing_runs(VideoFormat format, const std::filesystem::path& part,
                                                     const std::filesystem::path& final,
                                                     const std::filesystem::path& palette);

}  // namespace rebound::render
