// A picture in memory, and PNG files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace rebound::render {

/// A picture or video cannot be written; what() is one line that names the file and the reason.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Eight bits a channel, sRGB, rows from the top.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;

  Image() = default;
  Image(int w, int h) : width(w), height(h), rgba(4 * static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}

  std::uint8_t* pixel(int x, int y) { return rgba.data() + 4 * index(x, y); }
  const std::uint8_t* pixel(int x, int y) const { return rgba.data() + 4 * index(x, y); }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
};

/// Copies `source` into `target` with its upper left corner at (x, y); what falls outside is left out.
void copy_into(Image& target, const Image& source, int x, int y);

/// As a PNG file has it. `name` is what messages call it. Throws OutputError.
std::string png_bytes(const Image& image, const std::string& name);

/// As a JPEG file has it: a fifth of the size, for pages. quality: 1 to 100. Throws OutputError.
std::string jpeg_bytes(const Image& image, const std::string& name, int quality = 82);

/// Of a JPEG or PNG; nothing if it cannot be read.
std::optional<Image> read_image(const std::filesystem::path& path);

/// Writes a PNG. The file appears under its name only when complete; throws OutputError.
void write_png(const Image& image, const std::filesystem::path& path);

}  // namespace rebound::render
