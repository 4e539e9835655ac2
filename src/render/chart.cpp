#include "render/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/ticks.hpp"

namespace rebound::render {

namespace {

constexpr float kLetters = 12;  // points

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

/// The vertical axis: where a value stands between its ends, 0 to 1 and beyond. Logarithmic far from a steady range, as
/// asinh is, which at a multiple of the range's half goes over from one to the other.
struct VerticalAxis {
  Range shown;
  std::optional<Range> steady = std::nullopt;
  bool logarithmic = false;

  double share(double value) const {
    const double low = bent(shown.low), high = bent(shown.high);
    return (bent(value) - low) / (high - low);
  }

 private:
  // The steady range gets about two fifths of an axis that ends a hundred times as far away.
  static constexpr double kLinear = 0.25;

  double bent(double value) const {
    if (logarithmic) return std::log10(std::max(value, std::numeric_limits<double>::min()));
    if (!steady) return value;
    const double linear = kLinear * 0.5 * (steady->high - steady->low);
    return std::asinh((value - 0.5 * (steady->low + steady->high)) / linear);
  }
};

/// The rectangle between the axes and what it shows.
struct Plot {
  float left, top, right, bottom;  ///< pixels
  Range x;
  VerticalAxis y;

  float column(double value) const { return place((value - x.low) / (x.high - x.low), left, right); }
  float row(double value) const { return place(y.share(value), bottom, top); }

 private:
  static float place(double share, float from, float to) {
    // Far outside is far enough: no overflow, and a line to there keeps its direction well enough.
    return from + static_cast<float>(std::clamp(share, -50.0, 50.0)) * (to - from);
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

struct Mark {
  double value;
  std::string label;
};

/// Every power of ten, or every second and so on, so that about `wanted` are left.
std::vector<Mark> decade_marks(const Range& shown, float wanted) {
  constexpr double kHair = 1e-9;
  const int low = static_cast<int>(std::ceil(std::log10(shown.low) - kHair));
  const int high = static_cast<int>(std::floor(std::log10(shown.high) + kHair));
  const int every = std::max(1, static_cast<int>(std::ceil((high - low) / std::max(1.0f, wanted))));
  std::vector<Mark> all;
  for (int power = high; power >= low; power -= every) {
    const double value = std::pow(10.0, power);
    all.push_back({value, tick_label(value, value)});
  }
  return all;
}

/// Of a bent axis a few in the steady range, and the powers of ten where they are apart from them and each other.
std::vector<Mark> vertical_marks(const VerticalAxis& axis, float wanted) {
  std::vector<Mark> all;
  const auto add = [&all](const Ticks& ticks) {
    for (const double value : ticks.values) all.push_back({value, tick_label(value, ticks.step)});
  };
  if (axis.logarithmic) return decade_marks(axis.shown, wanted);
  if (!axis.steady) {
    add(marks(axis.shown, wanted));
    return all;
  }
  const Range& steady = *axis.steady;
  const double share = axis.share(steady.high) - axis.share(steady.low);
  add(marks({std::max(steady.low, axis.shown.low), std::min(steady.high, axis.shown.high)},
            std::max(2.0f, wanted * static_cast<float>(share))));
  const double apart = 1 / std::max(1.0f, wanted);
  constexpr int kLeast = -12, kMost = 30;  // powers of ten
  for (const double sign : {-1.0, 1.0})
    for (int power = kLeast; power <= kMost; ++power) {
      const double value = sign * std::pow(10.0, power);
      if (value < axis.shown.low || value > axis.shown.high) continue;
      const bool free = std::all_of(all.begin(), all.end(), [&](const Mark& mark) {
        return std::abs(axis.share(mark.value) - axis.share(value)) > apart;
      });
      if (free) all.push_back({value, tick_label(value, std::abs(value))});
    }
  return all;
}

/// Everything that draw_chart's parts share.
struct Canvas {
  ChartSurface& surface;
  const Theme& theme;
  float ratio;
  float text_size;

  void text(const std::string& line, float x, float y, const Color& color, Align align = Align::left) const {
    surface.text(line, x, y, text_size, color, align);
  }
};

void draw_curve(const Canvas& canvas, const Plot& plot, const Curve& curve) {
  std::vector<Vec2> line;
  const auto end_line = [&] {
    canvas.surface.polyline(line, curve.color, curve.width * canvas.ratio, {plot.left, plot.top},
                            {plot.right, plot.bottom});
    line.clear();
  };
  const std::size_t count = std::min(curve.x.size(), curve.y.size());
  for (std::size_t i = 0; i < count; ++i) {
    const bool shown = !plot.y.logarithmic || curve.y[i] > 0;
    if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i]) || !shown) {
      end_line();
      continue;
    }
    const Vec2 point(plot.column(curve.x[i]), plot.row(curve.y[i]));
    // Points that fall on the same spot add nothing but time.
    if (!line.empty() && (point - line.back()).norm() < 0.35f && i + 1 < count) continue;
    line.push_back(point);
  }
  end_line();
}

void draw_axes(const Canvas& canvas, const Plot& plot, const Chart& chart) {
  const float x_space = 90 * canvas.ratio, y_space = 26 * canvas.ratio;
  const float thickness = std::max(1.0f, std::floor(canvas.ratio));
  const float columns = std::floor(plot.right - plot.left), rows = std::floor(plot.bottom - plot.top);
  const Ticks x_ticks = marks(plot.x, columns / x_space);
  for (const double value : x_ticks.values) {
    const float x = plot.column(value);
    const float label_y = plot.bottom + 1.4f * canvas.text_size;
    canvas.surface.fill(std::floor(x), std::floor(plot.top), thickness, rows, canvas.theme.plot_grid);
    canvas.text(tick_label(value, x_ticks.step), x, label_y, canvas.theme.text_muted, Align::centre);
  }
  for (const auto& [value, label] : vertical_marks(plot.y, rows / y_space)) {
    const float y = plot.row(value);
    canvas.surface.fill(std::floor(plot.left), std::floor(y), columns, thickness, canvas.theme.plot_grid);
    canvas.text(label, plot.left - 0.5f * canvas.text_size, y + 0.36f * canvas.text_size, canvas.theme.text_muted,
                Align::right);
  }
  canvas.text(chart.x_unit, plot.right + 0.5f * canvas.text_size, plot.bottom + 0.36f * canvas.text_size,
              canvas.theme.text_muted);
}

/// From right to left above the plot: what comes last in the list stands outermost. Where all of it is wider than
/// `room`, it is written smaller; where nobody could read that, not at all.
void draw_legend(const Canvas& canvas, const Plot& plot, const Chart& chart, float baseline, float room) {
  constexpr float kChip = 0.9f, kBehindChip = 0.5f, kApart = 1.0f;  // of the letters' size
  constexpr float kReadable = 0.5f;                                 // of the letters beside them
  float wide = 0;
  for (const Curve& curve : chart.curves)
    if (!curve.name.empty())
      wide +=
          canvas.surface.text_width(curve.name, canvas.text_size) + (kChip + kBehindChip + kApart) * canvas.text_size;
  const float shrunk = std::min(1.0f, room / std::max(wide, 1.0f));
  if (shrunk < kReadable) return;
  const float size = canvas.text_size * shrunk;
  float x = plot.right;
  for (auto curve = chart.curves.rbegin(); curve != chart.curves.rend(); ++curve) {
    if (curve->name.empty()) continue;
    canvas.surface.text(curve->name, x, baseline, size, canvas.theme.text_muted, Align::right);
    x -= canvas.surface.text_width(curve->name, size) + (kChip + kBehindChip) * size;
    canvas.surface.fill(std::floor(x), std::floor(baseline - 0.42f * size), std::floor(kChip * size),
                        std::floor(std::max(2.0f, 0.22f * size)), curve->color);
    x -= kApart * size;
  }
}

VerticalAxis vertical_axis(const Chart& chart) {
  VerticalAxis y;
  y.logarithmic = chart.y_logarithmic;
  if (chart.y_range)
    y.shown = *chart.y_range;
  else if (chart.y_logarithmic)
    y.shown = decades_of(chart.curves);
  else
    y.shown = widened(range_of(chart.curves, [](const Curve& c) { return c.y; }), 0.06);
  if (!(y.shown.high > y.shown.low)) y.shown = widened(y.shown, 0);
  if (!chart.y_logarithmic && chart.y_steady && chart.y_steady->high > chart.y_steady->low) y.steady = chart.y_steady;
  return y;
}

/// As wide as the widest label of the vertical axis.
template <class TextWidth>
float label_width(const VerticalAxis& axis, const TextWidth& text_width) {
  constexpr float kMarks = 5;
  float width = 0;
  for (const Mark& mark : vertical_marks(axis, kMarks)) width = std::max(width, text_width(mark.label));
  return width;
}

}  // namespace

std::string note_of_range(const Chart& chart) {
  if (!chart.y_range) return {};
  const Range range = *chart.y_range;
  const auto is_beyond = [&](double y) { return std::isfinite(y) && (y > range.high || y < range.low); };
  const bool any = std::any_of(chart.curves.begin(), chart.curves.end(), [&](const Curve& curve) {
    return std::any_of(curve.y.begin(), curve.y.end(), is_beyond);
  });
  return any ? "some values are off the chart" : "";
}

float label_room(const Chart& chart, Font& font) {
  return label_width(vertical_axis(chart), [&](const std::string& label) { return font.width(label, kLetters); });
}

Range decades_of(const std::vector<Curve>& curves) {
  constexpr double kRoom = 0.06;
  Range decades{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Curve& curve : curves)
    for (const double value : curve.y) {
      if (!std::isfinite(value) || !(value > 0)) continue;
      decades.low = std::min(decades.low, std::floor(std::log10(value)));
      decades.high = std::max(decades.high, std::ceil(std::log10(value)));
    }
  if (decades.low > decades.high) return {0.1, 1};
  decades.high = std::max(decades.high, decades.low + 1);
  const double room = kRoom * (decades.high - decades.low);
  return {std::pow(10, decades.low - room), std::pow(10, decades.high + room)};
}

void draw_chart(Image& image, const ImageArea& area, const Chart& chart, const Theme& theme, Font& font,
                float pixel_ratio) {
  ImageSurface surface(image, font);
  draw_chart(surface, area, chart, theme, pixel_ratio);
}

void draw_chart(ChartSurface& surface, const ImageArea& area, const Chart& chart, const Theme& theme,
                float pixel_ratio) {
  const auto whole = [](int pixels) { return static_cast<float>(pixels); };
  if (chart.opaque)
    surface.fill(whole(area.x), whole(area.y), whole(area.width), whole(area.height), theme.plot_background);
  const Canvas canvas{surface, theme, pixel_ratio, kLetters * pixel_ratio};
  Plot plot{};
  plot.x = chart.x_range.value_or(range_of(chart.curves, [](const Curve& c) { return c.x; }));
  plot.y = vertical_axis(chart);
  if (!(plot.x.high > plot.x.low)) plot.x = widened(plot.x, 0);

  const float pad = 10 * pixel_ratio;
  const auto text_width = [&](const std::string& label) { return surface.text_width(label, canvas.text_size); };
  const float labels = std::max(label_width(plot.y, text_width), chart.label_room * pixel_ratio);
  const float unit_room = surface.text_width(chart.x_unit, canvas.text_size) + 0.5f * canvas.text_size;
  plot.left = static_cast<float>(area.x) + pad + labels + 0.5f * canvas.text_size;
  plot.right = static_cast<float>(area.x + area.width) - pad - unit_room;
  plot.top = static_cast<float>(area.y) + pad + 1.7f * canvas.text_size;
  plot.bottom = static_cast<float>(area.y + area.height) - pad - 1.5f * canvas.text_size;
  const float baseline = static_cast<float>(area.y) + pad + canvas.text_size;
  const float head_room = static_cast<float>(area.width) - 2 * pad;
  std::string heading = chart.y_unit.empty() ? chart.title : chart.title + " [" + chart.y_unit + "]";
  // What there is no room for is left out.
  const auto add = [&](const std::string& more) {
    if (text_width(heading + ", " + more) <= head_room) heading += ", " + more;
  };
  if (plot.y.steady) add("far away logarithmic");
  if (!chart.note.empty()) add(chart.note);
  const float head_size = canvas.text_size * std::clamp(head_room / std::max(text_width(heading), 1.0f), 0.0f, 1.0f);
  surface.text(heading, static_cast<float>(area.x) + pad, baseline, head_size, theme.text, Align::left);
  if (plot.right - plot.left < 4 || plot.bottom - plot.top < 4) return;

  draw_axes(canvas, plot, chart);
  const float heading_end =
      static_cast<float>(area.x) + pad + surface.text_width(heading, canvas.text_size) + canvas.text_size;
  draw_legend(canvas, plot, chart, baseline, plot.right - heading_end);
  for (const Curve& curve : chart.curves) draw_curve(canvas, plot, curve);
}

}  // namespace rebound::render
