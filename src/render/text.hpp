// Text on images, for videos and pictures that are made without a window.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "render/image.hpp"
#include "render/theme.hpp"

namespace rebound::render {

enum class Align { left, centre, right };

class Font {
 public:
  /// The first that is installed of Inter, DejaVu Sans and their like. Throws OutputError naming the packages.
  static Font find();
  /// Throws OutputError if the file is no font.
  explicit Font(const std::filesystem::path& file);
  ~Font();
  Font(Font&&) noexcept;
  Font& operator=(Font&&) noexcept;

  /// The width of a line in pixels, `size` being the font's em in pixels. UTF-8.
  float width(std::string_view text, float size);
  /// Draws a line of UTF-8 text; `y` is its baseline.
  void draw(Image& image, std::string_view text, float x, float y, float size, const Color& color,
            Align align = Align::left);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

/// Lays `color` over a pixel with `coverage` 0..1. Outside the image nothing happens.
void blend_pixel(Image& image, int x, int y, const Color& color, float coverage);
void fill_rectangle(Image& image, int x, int y, int width, int height, const Color& color);

}  // namespace rebound::render
