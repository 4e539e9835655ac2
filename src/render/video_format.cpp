#include "render/video_format.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "render/video.hpp"

namespace rebound::render {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

/// A path that ffmpeg takes for a file whatever characters it has.
std::string as_file(const fs::path& path) { return "file:" + path.string(); }

Arguments joined(std::initializer_list<Arguments> parts) {
  Arguments all{"ffmpeg", "-hide_banner", "-loglevel", "error", "-y"};
  for (const Arguments& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// Fast enough for a window that records as it goes.
Arguments codec(VideoFormat format) {
  if (format == VideoFormat::webm) {
    return {"-c:v", "libvpx-vp9", "-deadline",      "realtime", "-cpu-used", "7", "-row-mt", "1",
            "-crf", "24",         "-lag-in-frames", "0",        "-b:v",      "0", "-g",      "15"};
  }
  // What a palette is made of should have lost little by then.
  return {"-c:v", "libx264", "-preset", "veryfast", "-crf", format == VideoFormat::gif ? "10" : "18", "-g", "15"};
}

}  // namespace

double most_pictures_a_second(VideoFormat format) { return format == VideoFormat::gif ? 50 : 1000; }

VideoFormat video_format(const fs::path& path) {
  const std::string name = path.string();
  if (name.ends_with('/') || (path.extension() == ".png" && path.filename().string().find('%') != std::string::npos))
    return VideoFormat::pictures;
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending == ".mp4") return VideoFormat::mp4;
  if (ending == ".mkv") return VideoFormat::mkv;
  if (ending == ".webm") return VideoFormat::webm;
  if (ending == ".gif") return VideoFormat::gif;
  throw OutputError(name +
                    ": a video's name ends in .mp4, .mkv, .webm or .gif; for pictures, one a frame, it is "
                    "FOLDER/ or holds a number's place, such as FOLDER/%05d.png");
}

// The colour matrix is named on both sides: players assume BT.709, the scaler BT.601.
Arguments encoder_arguments(VideoFormat format, const fs::path& part, const VideoOptions& options) {
  const std::string size = std::to_string(options.width) + "x" + std::to_string(options.height);
  return joined({{"-f", "rawvideo", "-pix_fmt", "rgba", "-video_size", size, "-framerate",
                  number(options.frames_per_second), "-i", "pipe:0", "-an"},
                 {"-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv"},
                 {"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"},
                 codec(format),
                 {"-pix_fmt", "yuv420p", "-f", "matroska", "-cluster_time_limit", "250", "-flush_packets", "1"},
                 {as_file(part)}});
}

std::vector<Arguments> finishing_runs(VideoFormat format, const fs::path& part, const fs::path& final,
                                      const fs::path& palette) {
  const Arguments input{"-i", as_file(part)};
  switch (format) {
    case VideoFormat::mp4:
      return {joined({input, {"-c", "copy", "-movflags", "+faststart", "-f", "mp4", as_file(final)}})};
    case VideoFormat::webm:
      return {joined({input, {"-c", "copy", "-f", "webm", as_file(final)}})};
    case VideoFormat::gif:
      // The palette is made first: made in the same run, all pictures would wait for it in memory.
      return {joined({input,
                      {"-vf", "palettegen=stats_mode=full"},
                      {"-frames:v", "1", "-update", "1", "-f", "image2", "-c:v", "png", as_file(palette)}}),
              joined({input,
                      {"-i", as_file(palette)},
                      {"-lavfi", "paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"},
                      {"-f", "gif", as_file(final)}})};
    default:
      return {};
  }
}

}  // namespace rebound::render
