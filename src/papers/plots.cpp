#include "papers/plots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "mesh/error.hpp"
#include "render/chart.hpp"
#include "scene/wording.hpp"

namespace rebound::papers {
namespace {

// Narrow enough for its letters to be read on a telephone.
constexpr int kWidth = 560, kHeight = 250;
constexpr std::size_t kMostPoints = 240;

struct NamedColor {
  const char* name;
  render::Color (*of)(const render::Theme&);
};
constexpr NamedColor kColors[] = {
    {"plot", [](const render::Theme& t) { return t.plot_background; }},
    {"plot-grid", [](const render::Theme& t) { return t.plot_grid; }},
    {"plot-text", [](const render::Theme& t) { return t.text; }},
    {"plot-muted", [](const render::Theme& t) { return t.text_muted; }},
    {"series-0", [](const render::Theme& t) { return t.series[0]; }},
    {"series-1", [](const render::Theme& t) { return t.series[1]; }},
    {"series-2", [](const render::Theme& t) { return t.series[2]; }},
    {"series-3", [](const render::Theme& t) { return t.series[3]; }},
    {"series-4", [](const render::Theme& t) { return t.series[4]; }},
    {"series-5", [](const render::Theme& t) { return t.series[5]; }},
    {"series-6", [](const render::Theme& t) { return t.series[6]; }},
    {"series-7", [](const render::Theme& t) { return t.series[7]; }},
};

std::string hex(const render::Color& color) {
  const auto byte = [](float c) { return static_cast<int>(std::lround(255 * std::clamp(c, 0.0f, 1.0f))); };
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", byte(color.r), byte(color.g), byte(color.b));
  return text;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The highest and the lowest of each stretch, so that no peak is lost.
void thin_out(render::Curve& curve) {
  const std::size_t count = curve.x.size();
  if (count <= kMostPoints) return;
  std::vector<double> x, y;
  const std::size_t stretches = kMostPoints / 2;
  for (std::size_t s = 0; s < stretches; ++s) {
    const auto begin = static_cast<std::ptrdiff_t>(s * count / stretches);
    const auto end = static_cast<std::ptrdiff_t>((s + 1) * count / stretches);
    auto low = std::min_element(curve.y.begin() + begin, curve.y.begin() + end) - curve.y.begin();
    auto high = std::max_element(curve.y.begin() + begin, curve.y.begin() + end) - curve.y.begin();
    if (low > high) std::swap(low, high);
    for (const auto i : {low, high}) {
      x.push_back(curve.x[static_cast<std::size_t>(i)]);
      y.push_back(curve.y[static_cast<std::size_t>(i)]);
    }
  }
  curve.x = std::move(x);
  curve.y = std::move(y);
}

const Column& column_of(const Plot& plot, const Row& row, const Run& run) {
  if (const Column* found = run.find(plot.column)) return *found;
  std::vector<std::string> names;
  for (const Column& column : run.columns) names.push_back(column.name);
  throw InputError(row.file.string() + ": plots: the run '" + run.name + "' has no column " +
                   scene::in_quotes(plot.column) + "; it has " + scene::either(names));
}

}  // namespace

std::string draw(const Plot& plot, const Row& row, const std::vector<Run>& runs) {
  const render::Theme& theme = render::light_theme();
  render::Chart chart{.title = plot.title, .x_unit = {}, .y_unit = {}, .curves = {}, .x_range = {}, .y_range = {}};
  double low = INFINITY, high = -INFINITY;
  for (const std::size_t r : plot.runs) {
    const Run& run = runs[r];
    const Column& column = column_of(plot, row, run);
    render::Curve curve{run.name, theme.series[r % theme.series.size()], run.columns.front().values, column.values,
                        1.8f};
    chart.x_unit = run.columns.front().unit.empty() ? run.columns.front().name : run.columns.front().unit;
    chart.y_unit = column.unit;
    if (plot.logarithmic) {
      chart.y_unit = "log10" + (column.unit.empty() ? std::string() : " " + column.unit);
      for (double& y : curve.y) y = y > 0 ? std::log10(y) : NAN;
    }
    for (const double y : curve.y)
      if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
    thin_out(curve);
    chart.curves.push_back(std::move(curve));
  }
  if (plot.low || plot.high) chart.y_range = render::Range{plot.low.value_or(low), plot.high.value_or(high)};
  render::Font font = render::Font::find();
  render::SvgSurface surface(kWidth, kHeight, font);
  render::draw_chart(surface, {0, 0, kWidth, kHeight}, chart, theme);
  return surface.document();
}

std::string part_of_page(std::string svg, const std::string& prefix) {
  for (const NamedColor& color : kColors)
    replace_all(svg, "\"" + hex(color.of(render::light_theme())) + "\"", "\"var(--" + std::string(color.name) + ")\"");
  replace_all(svg, "clip-path=\"url(#clip", "clip-path=\"url(#" + prefix + "-clip");
  replace_all(svg, "<clipPath id=\"clip", "<clipPath id=\"" + prefix + "-clip");
  return svg;
}

std::string plot_colors(bool dark) {
  const render::Theme& theme = dark ? render::dark_theme() : render::light_theme();
  std::string text;
  for (const NamedColor& color : kColors) text += "--" + std::string(color.name) + ":" + hex(color.of(theme)) + ";";
  return text;
}

}  // namespace rebound::papers
