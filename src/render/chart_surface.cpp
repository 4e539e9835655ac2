#include "render/chart_surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace rebound::render {
namespace {

/// Pixels by their distance from a segment, within the corners given.
void draw_segment(Image& image, const Vec2& from, const Vec2& to, const Color& color, float half_width,
                  const Vec2& clip_low, const Vec2& clip_high) {
  const Vec2 along = to - from;
  const float inverse = 1 / std::max(along.squaredNorm(), 1e-6f);
  const float reach = half_width + 1;
  const Vec2 room = Vec2::Constant(reach);
  const Eigen::Vector2i first = (from.cwiseMin(to) - room).cwiseMax(clip_low).cast<int>();
  const Eigen::Vector2i last = (from.cwiseMax(to) + room).cwiseMin(clip_high).cast<int>();
  for (int row = first.y(); row <= last.y(); ++row) {
    for (int column = first.x(); column <= last.x(); ++column) {
      const Vec2 offset = Vec2(static_cast<float>(column) + 0.5f, static_cast<float>(row) + 0.5f) - from;
      const float t = std::clamp(offset.dot(along) * inverse, 0.0f, 1.0f);
      const float cover = half_width + 0.5f - (offset - t * along).norm();
      if (cover > 0) blend_pixel(image, column, row, color, std::min(cover, 1.0f));
    }
  }
}

std::string number(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", static_cast<double>(value));
  std::string result = text;
  while (result.back() == '0') result.pop_back();
  if (result.back() == '.') result.pop_back();
  return result;
}

std::string attribute(const char* name, float value) { return std::string(" ") + name + "=\"" + number(value) + "\""; }

std::string paint(const char* what, const Color& color) {
  const auto byte = [](float c) { return static_cast<int>(std::lround(255 * std::clamp(c, 0.0f, 1.0f))); };
  char text[32];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", byte(color.r), byte(color.g), byte(color.b));
  std::string result = std::string(" ") + what + "=\"" + text + "\"";
  if (color.a < 1) result += attribute((std::string(what) + "-opacity").c_str(), color.a);
  return result;
}

std::string escaped(const std::string& line) {
  std::string result;
  for (const char c : line) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      default:
        // XML has no other control characters.
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
  }
  return result;
}

}  // namespace

void ImageSurface::fill(float x, float y, float width, float height, const Color& color) {
  fill_rectangle(image_, static_cast<int>(x), static_cast<int>(y), static_cast<int>(width), static_cast<int>(height),
                 color);
}

void ImageSurface::polyline(std::span<const Vec2> points, const Color& color, float width, const Vec2& clip_low,
                            const Vec2& clip_high) {
  for (std::size_t i = 1; i < points.size(); ++i)
    draw_segment(image_, points[i - 1], points[i], color, 0.5f * width, clip_low, clip_high);
}

void ImageSurface::text(const std::string& line, float x, float y, float size, const Color& color, Align align) {
  font_.draw(image_, line, x, y, size, color, align);
}

SvgSurface::SvgSurface(int width, int height, Font& font) : font_(font) {
  const std::string w = std::to_string(width), h = std::to_string(height);
  text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w +
          " " + h + "\" font-family=\"Inter, 'DejaVu Sans', sans-serif\">\n";
}

void SvgSurface::fill(float x, float y, float width, float height, const Color& color) {
  text_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) + attribute("height", height) +
           paint("fill", color) + "/>\n";
}

void SvgSurface::polyline(std::span<const Vec2> points, const Color& color, float width, const Vec2& clip_low,
                          const Vec2& clip_high) {
  if (points.size() < 2) return;
  const std::string id = "clip" + std::to_string(clips_++);
  const Vec2 size = clip_high - clip_low;
  text_ += "<clipPath id=\"" + id + "\"><rect" + attribute("x", clip_low.x()) + attribute("y", clip_low.y()) +
           attribute("width", size.x()) + attribute("height", size.y()) + "/></clipPath>\n<polyline clip-path=\"url(#" +
           id + ")\" fill=\"none\" stroke-linejoin=\"round\"" + paint("stroke", color) +
           attribute("stroke-width", width) + " points=\"";
  for (const Vec2& point : points) text_ += number(point.x()) + "," + number(point.y()) + " ";
  text_.back() = '"';
  text_ += "/>\n";
}

void SvgSurface::text(const std::string& line, float x, float y, float size, const Color& color, Align align) {
  const char* anchor = align == Align::left ? "start" : align == Align::centre ? "middle" : "end";
  text_ += "<text" + attribute("x", x) + attribute("y", y) + attribute("font-size", size) + " text-anchor=\"" + anchor +
           "\"" + paint("fill", color) + ">" + escaped(line) + "</text>\n";
}

}  // namespace rebound::render
