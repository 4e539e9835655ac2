#include "render/image.hpp"

#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cstring>

#include "mesh/pending_file.hpp"

namespace rebound::render {
namespace {

void append_bytes(void* sink, void* data, int size) {
  static_cast<std::string*>(sink)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

void require_pixels(const Image& image, const std::string& name) {
  if (image.width <= 0 || image.height <= 0) throw OutputError(name + ": the picture has no pixels");
}

}  // namespace

void copy_into(Image& target, const Image& source, int x, int y) {
  const int first_column = std::max(0, -x);
  const int columns = std::min(source.width, target.width - x) - first_column;
  if (columns <= 0) return;
  for (int row = std::max(0, -y); row < std::min(source.height, target.height - y); ++row) {
    std::copy_n(source.pixel(first_column, row), 4 * columns, target.pixel(x + first_column, y + row));
  }
}

std::string png_bytes(const Image& image, const std::string& name) {
  require_pixels(image, name);
  std::string png;
  if (!stbi_write_png_to_func(append_bytes, &png, image.width, image.height, 4, image.rgba.data(), 4 * image.width)) {
    throw OutputError(name + ": not enough memory to compress the picture");
  }
  return png;
}

std::string jpeg_bytes(const Image& image, const std::string& name, int quality) {
  require_pixels(image, name);
  std::string jpeg;
  if (!stbi_write_jpg_to_func(append_bytes, &jpeg, image.width, image.height, 4, image.rgba.data(), quality)) {
    throw OutputError(name + ": not enough memory to compress the picture");
  }
  return jpeg;
}

std::optional<Image> read_image(const std::filesystem::path& path) {
  int width = 0, height = 0, channels = 0;
  stbi_uc* pixels = stbi_load(path.c_str(), &width, &height, &channels, 4);
  if (pixels == nullptr) return std::nullopt;
  Image image(width, height);
  std::copy_n(pixels, image.rgba.size(), image.rgba.begin());
  stbi_image_free(pixels);
  return image;
}

void write_png(const Image& image, const std::filesystem::path& path) {
  PendingFile file(path);
  file.write(png_bytes(image, path.string()));
  file.commit();
  if (file.error() != 0) throw OutputError(path.string() + " cannot be written: " + std::strerror(file.error()));
}

}  // namespace rebound::render
