#include "render/ffmpeg_sink.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace rebound::render {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kEncoderEndPatience = 60s;
constexpr auto kFinishingPatience = 120s;
constexpr auto kFinishingPatienceAFrame = 1s;

void sync_file(const fs::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() >= 0) fsync(file.get());
}

std::string run(const std::vector<std::string>& arguments, std::chrono::milliseconds patience) {
  try {
    return Process(arguments).wait(patience);
  } catch (const OutputError& missing) {
    return missing.what();
  }
}

}  // namespace

FfmpegSink::FfmpegSink(fs::path path, VideoFormat format, const VideoOptions& options)
    : path_(std::move(path)),
      part_(path_.string() + ".part.mkv"),
      format_(format),
      options_(options),
      encoder_(encoder_arguments(format, part_, options)) {}

std::string FfmpegSink::take(const Image& frame) {
  const Process::Feeding fed = encoder_.feed(frame.rgba.data(), frame.rgba.size(), options_.patience);
  if (fed == Process::Feeding::done) {
    ++taken_;
    return {};
  }
  const bool stalled = fed == Process::Feeding::stalled;
  if (stalled) encoder_.kill();
  const std::string end = encoder_.wait(5s);
  if (stalled) return "ffmpeg has taken no frame for " + std::to_string(options_.patience.count() / 1000) + " s";
  return end.empty() ? "ffmpeg stopped reading" : end;
}

std::string FfmpegSink::finish() {
  const std::string trouble = encoder_.wait(kEncoderEndPatience);
  return trouble.empty() ? make_final() : trouble;
}

std::string FfmpegSink::make_final() {
  const fs::path palette = beside(".palette.png");
  const fs::path final = format_ == VideoFormat::mkv ? part_ : beside(".part.final");
  std::string trouble;
  for (const auto& arguments : finishing_runs(format_, part_, final, palette, options_)) {
    trouble = run(arguments, kFinishingPatience + taken_ * kFinishingPatienceAFrame);
    if (!trouble.empty()) break;
  }
  std::error_code error, ignored;
  fs::remove(palette, ignored);
  if (trouble.empty()) {
    sync_file(final);
    fs::rename(final, path_, error);
    if (error) trouble = error.message();
  }
  if (format_ != VideoFormat::mkv) fs::remove(trouble.empty() ? part_ : final, ignored);
  return trouble;
}

std::string FfmpegSink::keep() {
  std::error_code error;
  const auto size = fs::file_size(part_, error);
  if (error || size == 0) {
    fs::remove(part_, error);
    return {};
  }
  fs::path kept = path_;
  kept.replace_extension(".partial.mkv");
  fs::rename(part_, kept, error);
  return error ? std::string() : kept.string();
}

void FfmpegSink::discard() {
  encoder_.kill();
  encoder_.wait(5s);
  std::error_code ignored;
  fs::remove(part_, ignored);
}

}  // namespace rebound::render
