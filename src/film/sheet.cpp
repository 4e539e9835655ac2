#include "film/sheet.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sim/registry.hpp"

namespace rebound::film {
namespace {

constexpr float kDesignedHeight = 720;  // pixels: what the sizes below are for
constexpr float kLeastUnit = 0.55f;     // smaller letters cannot be read
constexpr float kCaptionHeight = 44;
constexpr float kPlotShare = 0.30f;  // of a pane's height
constexpr float kLeastPlot = 118;
constexpr float kMostPlotShare = 0.42f;
constexpr float kGap = 2;

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace

// ---- what is said of a frame ----

bool has_exploded(const session::FrameRecord& r) { return r.times_its_target() > session::kRunsAway; }

std::string trouble_of(const session::FrameRecord& r, const std::string& failure) {
  if (!failure.empty()) return "stopped: its numbers are no longer finite";
  if (!has_exploded(r)) return {};
  constexpr double kMostSaid = 1e4;
  const double times = r.times_its_target();
  return "exploding: energy " + (times > kMostSaid ? "over 10,000" : formatted("%.3g", times)) + " × its target";
}

std::string title_of(const std::string& integrator) {
  const auto* info = sim::find_integrator(integrator);
  return info != nullptr ? std::string(info->title) : integrator;
}

std::string timing_of(std::vector<double> frame_ms) {
  if (frame_ms.empty()) return {};
  const auto middle = frame_ms.begin() + static_cast<std::ptrdiff_t>(frame_ms.size() / 2);
  std::nth_element(frame_ms.begin(), middle, frame_ms.end());
  return formatted(*middle < 10 ? "%.2f ms a frame" : "%.1f ms a frame", *middle);
}

void EnergyAxis::take(const session::FrameRecord& r) {
  if (has_exploded(r)) return;
  low_ = std::min(low_, r.target - 1.05 * r.scale);
  high_ = std::max(high_, r.target + 0.45 * r.scale);
}

void EnergyAxis::take(const EnergyAxis& other) {
  low_ = std::min(low_, other.low_);
  high_ = std::max(high_, other.high_);
}

render::Range EnergyAxis::range() const { return low_ < high_ ? render::Range{low_, high_} : render::Range{-1, 1}; }

// ---- the page ----

Sheet::Sheet(int width, int height, std::size_t panes, bool dark)
    : width_(width),
      height_(height),
      panes_(std::max<std::size_t>(panes, 1)),
      dark_(dark),
      unit_(std::max(kLeastUnit, static_cast<float>(height) / kDesignedHeight)),
      font_(render::Font::find()) {}

const render::Theme& Sheet::theme() const { return dark_ ? render::dark_theme() : render::light_theme(); }

render::ImageArea Sheet::area(std::size_t pane) const {
  const int count = static_cast<int>(panes_), rows = count > 3 ? 2 : 1, columns = (count + rows - 1) / rows;
  const int column = static_cast<int>(pane) % columns, row = static_cast<int>(pane) / columns;
  const int caption = static_cast<int>(kCaptionHeight * unit_), height = height_ - caption;
  const int left = width_ * column / columns, right = width_ * (column + 1) / columns;
  const int top = height * row / rows, bottom = height * (row + 1) / rows;
  const int gap = static_cast<int>(std::lround(kGap * unit_));
  return {left, caption + top, right - left - (column + 1 < columns ? gap : 0),
          bottom - top - (row + 1 < rows ? gap : 0)};
}

int Sheet::plot_height(const render::ImageArea& area) const {
  const float pane = static_cast<float>(area.height);
  return static_cast<int>(std::min(std::max(kPlotShare * pane, kLeastPlot * unit_), kMostPlotShare * pane));
}

render::ImageArea Sheet::picture(std::size_t pane) const {
  const render::ImageArea a = area(pane);
  return {a.x, a.y, a.width, a.height - plot_height(a)};
}

render::ImageArea Sheet::plot(std::size_t pane) const {
  const render::ImageArea a = area(pane);
  const int height = plot_height(a);
  return {a.x, a.y + a.height - height, a.width, height};
}

render::Image Sheet::page(const std::string& name, double time_step, double time) {
  render::Image page(width_, height_);
  render::fill_rectangle(page, 0, 0, width_, height_, theme().panel);
  const float y = 29 * unit_, margin = 16 * unit_;
  const std::string right =
      "time step " + formatted("%g", time_step * 1000) + " ms     t = " + formatted("%.2f", time) + " s";
  const float right_edge = static_cast<float>(width_) - margin;
  font_.draw(page, right, right_edge, y, 18 * unit_, theme().text_muted, render::Align::right);
  // A long name makes room for the time.
  const float room = right_edge - font_.width(right, 18 * unit_) - 2 * margin;
  const float wanted = font_.width(name, 22 * unit_);
  font_.draw(page, name, margin, y, 22 * unit_ * std::min(1.0f, room / std::max(wanted, 1.0f)), theme().text);
  return page;
}

void Sheet::write(render::Image& page, std::size_t pane, const PaneLabel& label) {
  const render::ImageArea a = picture(pane);
  const float left = static_cast<float>(a.x) + 14 * unit_, room = static_cast<float>(a.width) - 28 * unit_;
  float y = static_cast<float>(a.y);
  const auto line = [&](const std::string& text, float baseline, float size, const render::Color& color) {
    if (text.empty()) return;
    const float wide = font_.width(text, size), fitting = size * std::min(1.0f, room / std::max(wide, 1.0f));
    const float plate = 5 * unit_;
    // What is written over a body can be read, too.
    render::fill_rectangle(page, static_cast<int>(left - plate), static_cast<int>(y + baseline - 0.98f * size),
                           static_cast<int>(std::min(wide, room) + 2 * plate), static_cast<int>(1.32f * size),
                           theme().panel.with_alpha(0.55f));
    font_.draw(page, text, left, y + baseline, fitting, color);
  };
  line(label.title, 28 * unit_, 20 * unit_, theme().text);
  line(label.timing, 50 * unit_, 15 * unit_, theme().text_muted);
  line(label.trouble, 74 * unit_, 17 * unit_, theme().error);
}

void Sheet::draw_energy(render::Image& page, std::size_t pane, std::span<const session::FrameRecord> records,
                        const render::Range& time, const render::Range& energy) {
  render::Chart chart{
      .title = "Energy",
      .x_unit = "s",
      .y_unit = "J",
      .curves = {{"target", theme().text_muted, {}, {}, 1.5f}, {"total", theme().series[0], {}, {}, 2.5f}},
      .x_range = time,
      .y_range = energy};
  for (const auto& r : records) {
    for (auto& curve : chart.curves) curve.x.push_back(r.time);
    chart.curves[0].y.push_back(r.target);
    chart.curves[1].y.push_back(r.measured.total());
  }
  render::draw_chart(page, plot(pane), chart, theme(), font_, unit_);
}

}  // namespace rebound::film
