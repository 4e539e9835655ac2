#include "render/ffmpeg_sink.hpp"

#include <cstring>
#include <fstream>
#include <string_view>
#include <utility>

namespace rebound::render {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

// Of a program whose file does not grow any more.
constexpr auto kEndPatience = 10s;
// A palette is made of all pictures, and nothing of it is seen before.
constexpr auto kPalettePatienceAFrame = 1s;

std::uintmax_t size_of(const std::string& file) {
  std::error_code none;
  const std::uintmax_t size = fs::file_size(file, none);
  return none ? 0 : size;
}

/// Whether a Matroska file has got as far as its first cluster, before which there are no pictures.
bool has_pictures(const std::string& file) {
  constexpr std::string_view kCluster = "\x1f\x43\xb6\x75";
  constexpr std::size_t kHeaders = 1 << 16;
  std::ifstream in(file, std::ios::binary);
  std::string head(kHeaders, '\0');
  in.read(head.data(), kHeaders);
  head.resize(static_cast<std::size_t>(in.gcount()));
  return head.find(kCluster) != std::string::npos;
}

std::string run(const std::vector<std::string>& arguments, const std::string& made,
                std::chrono::milliseconds patience) {
  try {
    return Process(arguments).wait(patience, [&] { return size_of(made); });
  } catch (const OutputError& missing) {
    return missing.what();
  }
}

/// Throws OutputError unless a file can be made there.
const std::string& place_for(const PendingFile& part, const fs::path& path) {
  if (part.error() != 0) throw OutputError(path.string() + " cannot be written: " + std::strerror(part.error()));
  return part.partial();
}

}  // namespace

FfmpegSink::FfmpegSink(fs::path path, VideoFormat format, const VideoOptions& options)
    : path_(std::move(path)),
      part_(path_),
      format_(format),
      options_(options),
      encoder_(encoder_arguments(format, place_for(part_, path_), options)) {}

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
  const std::string trouble = encoder_.wait(kEndPatience, [this] { return size_of(part_.partial()); });
  return trouble.empty() ? make_final() : trouble;
}

std::string FfmpegSink::make_final() {
  PendingFile palette(path_), made(path_);
  const auto runs = finishing_runs(format_, part_.partial(), made.partial(), palette.partial());
  const auto patience = format_ == VideoFormat::gif ? kEndPatience + taken_ * kPalettePatienceAFrame : kEndPatience;
  for (const auto& arguments : runs)
    if (const std::string trouble = run(arguments, made.partial(), patience); !trouble.empty()) return trouble;
  PendingFile& whole = runs.empty() ? part_ : made;
  whole.commit();
  if (whole.error() != 0) return std::strerror(whole.error());
  part_.discard();
  return {};
}

std::string FfmpegSink::keep() {
  std::string name;
  if (has_pictures(part_.partial())) {
    fs::path kept = path_;
    kept.replace_extension(".partial.mkv");
    std::error_code error;
    fs::rename(part_.partial(), kept, error);
    if (!error) name = kept.string();
  }
  part_.discard();
  return name;
}

void FfmpegSink::discard() {
  encoder_.kill();
  encoder_.wait(5s);
  part_.discard();
}

}  // namespace rebound::render
