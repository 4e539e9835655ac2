#include "render/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/ticks.hpp"

namespace rebound::render {

namespace {

/// The smallest range that holds all finite values; 0..1 if there are none.
template <typename Values>
Range range_of(const std::vector<Curve>& curves, Values values) {
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Curve& curve : curves) {
    for (const double value : values(curve)) {
      if (!std::isfinite(value)) continue;
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  }
  if (range.low > range.high) return {0, 1};
  return range;
}

Range widened(Range range, double share) {
  const double size = range.high - range.low;
  const double room = size > 0 ? share * size : std::max(0.5 * std::abs(range.high), 0.5);
  return {range.low - room, range.high + room};
}

/// The rectangle between the axes and what it shows.
struct Plot {
  float left, top, right, bottom;  ///< pixels
  Range x, y;

  float column(double value) const { return place(value, x, left, right); }
  float row(double value) const { return place(value, y, bottom, top); }

 private:
  static float place(double value, const Range& range, float from, float to) {
    const double t = (value - range.low) / (range.high - range.low);
    // Far outside is far enough: no overflow, and a line to there keeps its direction well enough.
    return from + static_cast<float>(std::clamp(t, -50.0, 50.0)) * (to - from);
  }
};

struct Pen {
  Image& image;
  const Plot& plot;
  Color color;
  float half_width;  ///< pixels

  /// Pixels by their distance from the segment, within the plot.
  void segment(float x0, float y0, float x1, float y1) const {
    const float dx = x1 - x0, dy = y1 - y0;
    const float inverse = 1 / std::max(dx * dx + dy * dy, 1e-6f);
    const float reach = half_width + 1;
    const int last_row = static_cast<int>(std::min(std::max(y0, y1) + reach, plot.bottom));
    const int last_column = static_cast<int>(std::min(std::max(x0, x1) + reach, plot.right));
    for (int row = static_cast<int>(std::max(std::min(y0, y1) - reach, plot.top)); row <= last_row; ++row) {
      for (int column = static_cast<int>(std::max(std::min(x0, x1) - reach, plot.left)); column <= last_column;
           ++column) {
        const float px = static_cast<float>(column) + 0.5f - x0, py = static_cast<float>(row) + 0.5f - y0;
        const float t = std::clamp((px * dx + py * dy) * inverse, 0.0f, 1.0f);
        const float cover = half_width + 0.5f - std::hypot(px - t * dx, py - t * dy);
        if (cover > 0) blend_pixel(image, column, row, color, std::min(cover, 1.0f));
      }
    }
  }

  void curve(const Curve& curve) const {
    bool has_last = false;
    float last_x = 0, last_y = 0;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) {
        has_last = false;
        continue;
      }
      const float x = plot.column(curve.x[i]), y = plot.row(curve.y[i]);
      // Points that fall on the same spot add nothing but time.
      if (has_last && std::hypot(x - last_x, y - last_y) < 0.35f && i + 1 < curve.x.size()) continue;
      if (has_last) segment(last_x, last_y, x, y);
      last_x = x;
      last_y = y;
      has_last = true;
    }
  }
};

/// About `wanted` marks, and more where only one or none would fall into the range.
Ticks marks(const Range& range, float wanted) {
  constexpr int kMostTries = 4;
  const int first = std::max(1, static_cast<int>(wanted));
  Ticks ticks = nice_ticks(range.low, range.high, first);
  for (int i = 1; i < kMostTries && ticks.values.size() < 2; ++i) ticks = nice_ticks(range.low, range.high, first + i);
  return ticks;
}

/// Everything that draw_chart's parts share.
struct Canvas {
  Image& image;
  const Theme& theme;
  Font& font;
  float ratio;
  float text_size;

  void text(const std::string& line, float x, float y, const Color& color, Align align = Align::left) const {
    font.draw(image, line, x, y, text_size, color, align);
  }
};

void draw_axes(const Canvas& canvas, const Plot& plot, const Chart& chart) {
  const float x_space = 90 * canvas.ratio, y_space = 26 * canvas.ratio;
  const int thickness = std::max(1, static_cast<int>(canvas.ratio));
  const auto columns = static_cast<int>(plot.right - plot.left), rows = static_cast<int>(plot.bottom - plot.top);
  const Ticks x_ticks = marks(plot.x, static_cast<float>(columns) / x_space);
  for (const double value : x_ticks.values) {
    const float x = plot.column(value);
    const float label_y = plot.bottom + 1.4f * canvas.text_size;
    fill_rectangle(canvas.image, static_cast<int>(x), static_cast<int>(plot.top), thickness, rows,
                   canvas.theme.plot_grid);
    canvas.text(tick_label(value, x_ticks.step), x, label_y, canvas.theme.text_muted, Align::centre);
  }
  const Ticks y_ticks = marks(plot.y, static_cast<float>(rows) / y_space);
  for (const double value : y_ticks.values) {
    const float y = plot.row(value);
    fill_rectangle(canvas.image, static_cast<int>(plot.left), static_cast<int>(y), columns, thickness,
                   canvas.theme.plot_grid);
    canvas.text(tick_label(value, y_ticks.step), plot.left - 0.5f * canvas.text_size, y + 0.36f * canvas.text_size,
                canvas.theme.text_muted, Align::right);
  }
  canvas.text(chart.x_unit, plot.right + 0.5f * canvas.text_size, plot.bottom + 0.36f * canvas.text_size,
              canvas.theme.text_muted);
}

/// From right to left above the plot: what comes last in the list stands outermost.
void draw_legend(const Canvas& canvas, const Plot& plot, const Chart& chart, float baseline) {
  const float chip = 0.9f * canvas.text_size;
  float x = plot.right;
  for (auto curve = chart.curves.rbegin(); curve != chart.curves.rend(); ++curve) {
    if (curve->name.empty()) continue;
    canvas.text(curve->name, x, baseline, canvas.theme.text_muted, Align::right);
    x -= canvas.font.width(curve->name, canvas.text_size) + 1.4f * chip;
    const float thickness = std::max(2.0f, 0.22f * canvas.text_size);
    fill_rectangle(canvas.image, static_cast<int>(x), static_cast<int>(baseline - 0.42f * canvas.text_size),
                   static_cast<int>(chip), static_cast<int>(thickness), curve->color);
    x -= 1.2f * chip;
  }
}

/// As wide as the widest label of the vertical axis.
float label_width(const Canvas& canvas, const Range& range) {
  const Ticks ticks = nice_ticks(range.low, range.high, 5);
  float width = 0;
  for (const double value : ticks.values) {
    width = std::max(width, canvas.font.width(tick_label(value, ticks.step), canvas.text_size));
  }
  return width;
}

}  // namespace

void draw_chart(Image& image, const ImageArea& area, const Chart& chart, const Theme& theme, Font& font,
                float pixel_ratio) {
  if (chart.opaque) fill_rectangle(image, area.x, area.y, area.width, area.height, theme.plot_background);
  const Canvas canvas{image, theme, font, pixel_ratio, 12 * pixel_ratio};
  Plot plot{};
  plot.x = chart.x_range.value_or(range_of(chart.curves, [](const Curve& c) { return c.x; }));
  plot.y = chart.y_range ? *chart.y_range : widened(range_of(chart.curves, [](const Curve& c) { return c.y; }), 0.06);
  if (!(plot.x.high > plot.x.low)) plot.x = widened(plot.x, 0);
  if (!(plot.y.high > plot.y.low)) plot.y = widened(plot.y, 0);

  const float pad = 10 * pixel_ratio;
  const float unit_room = font.width(chart.x_unit, canvas.text_size) + 0.5f * canvas.text_size;
  plot.left = static_cast<float>(area.x) + pad + label_width(canvas, plot.y) + 0.5f * canvas.text_size;
  plot.right = static_cast<float>(area.x + area.width) - pad - unit_room;
  plot.top = static_cast<float>(area.y) + pad + 1.7f * canvas.text_size;
  plot.bottom = static_cast<float>(area.y + area.height) - pad - 1.5f * canvas.text_size;
  const float baseline = static_cast<float>(area.y) + pad + canvas.text_size;
  const std::string heading = chart.y_unit.empty() ? chart.title : chart.title + " [" + chart.y_unit + "]";
  canvas.text(heading, static_cast<float>(area.x) + pad, baseline, theme.text);
  if (plot.right - plot.left < 4 || plot.bottom - plot.top < 4) return;

  draw_axes(canvas, plot, chart);
  draw_legend(canvas, plot, chart, baseline);
  for (const Curve& curve : chart.curves) {
    Pen{image, plot, curve.color, 0.5f * curve.width * pixel_ratio}.curve(curve);
  }
}

}  // namespace rebound::render
