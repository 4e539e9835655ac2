// What a chart is drawn on: pixels, or lines of SVG. The layout of a chart stands once, in chart.cpp.
#pragma once

#include <span>
#include <string>

#include "render/geometry.hpp"
#include "render/image.hpp"
#include "render/text.hpp"
#include "render/theme.hpp"

namespace rebound::render {

/// Lengths in pixels from the upper left corner, y down.
class ChartSurface {
 public:
  virtual ~ChartSurface() = default;

  virtual void fill(float x, float y, float width, float height, const Color& color) = 0;
  /// A line through the points, cut off at the edges of `clip` (its corners).
  virtual void polyline(std::span<const Vec2> points, const Color& color, float width, const Vec2& clip_low,
                        const Vec2& clip_high) = 0;
  /// `y` is the baseline.
  virtual void text(const std::string& line, float x, float y, float size, const Color& color, Align align) = 0;
  virtual float text_width(const std::string& line, float size) = 0;
};

class ImageSurface : public ChartSurface {
 public:
  ImageSurface(Image& image, Font& font) : image_(image), font_(font) {}

  void fill(float x, float y, float width, float height, const Color& color) override;
  void polyline(std::span<const Vec2> points, const Color& color, float width, const Vec2& clip_low,
                const Vec2& clip_high) override;
  void text(const std::string& line, float x, float y, float size, const Color& color, Align align) override;
  float text_width(const std::string& line, float size) override { return font_.width(line, size); }

 private:
  Image& image_;
  Font& font_;
};

/// Text stays text, in the reader's sans-serif font.
class SvgSurface : public ChartSurface {
 public:
  /// `font` measures; what a reader has instead is about as wide.
  SvgSurface(int width, int height, Font& font);

  void fill(float x, float y, float width, float height, const Color& color) override;
  void polyline(std::span<const Vec2> points, const Color& color, float width, const Vec2& clip_low,
                const Vec2& clip_high) override;
  void text(const std::string& line, float x, float y, float size, const Color& color, Align align) override;
  float text_width(const std::string& line, float size) override { return font_.width(line, size); }

  /// The whole document.
  std::string document() const { return text_ + "</svg>\n"; }

 private:
  Font& font_;
  std::string text_;
  int clips_ = 0;
};

}  // namespace rebound::render
