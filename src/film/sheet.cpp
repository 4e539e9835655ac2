#include "film/sheet.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "film/field_legend.hpp"
#include "render/ticks.hpp"
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

/// "3,480", "63.2", "5".
std::string with_thousands(double value) {
  if (value < 1000) return formatted("%.3g", value);
  const double step = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return render::tick_label(std::round(value / step) * step, step);
}

const char* what_stopped_it(sim::Outcome outcome) {
  switch (outcome) {
    case sim::Outcome::ran_away:
      return "its energy ran away";
    case sim::Outcome::factor_failed:
      return "its matrix has no factor";
    case sim::Outcome::damping_failed:
      return "its damping has no solution";
    case sim::Outcome::out_of_memory:
      return "out of memory";
    case sim::Outcome::crossing:
      return "surfaces cross";
    case sim::Outcome::constraints:
      return "its constraints cannot be held";
    default:
      return "its numbers are no longer finite";
  }
}

}  // namespace

// ---- what is said of a frame ----

bool has_exploded(const session::FrameRecord& r) { return r.times_its_target() > session::kRunsAway; }

std::string trouble_of(const session::FrameRecord& r, sim::Outcome outcome) {
  if (outcome != sim::Outcome::done) return std::string("stopped: ") + what_stopped_it(outcome);
  if (!has_exploded(r)) return {};
  constexpr double kMostSaid = 1e4;
  const double times = r.times_its_target();
  return "exploding: energy " + (times > kMostSaid ? "over 10,000" : with_thousands(times)) + " × its target";
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

EnergyScale energy_scale(const render::Range& steady, double highest) {
  // Further away, what is steady would be pressed together for the sake of what nobody compares.
  constexpr double kFarthest = 100;
  if (!(highest > steady.high)) return {steady, {}};
  const double size = steady.high - steady.low;
  return {{steady.low, std::min(highest + 0.1 * (highest - steady.high), steady.high + kFarthest * size)}, steady};
}

// ---- the page ----

Sheet::Sheet(int width, int height, const SheetOptions& options)
    : width_(width),
      height_(height),
      options_(options),
      unit_(std::max(kLeastUnit, static_cast<float>(height) / kDesignedHeight)),
      font_(render::Font::find()) {
  options_.panes = std::max<std::size_t>(options_.panes, 1);
  choose_columns();
}

Sheet::Sheet(int width, int height, std::size_t panes, bool dark)
    : Sheet(width, height, {panes, dark, panes > 3 ? Layout::grid : Layout::row, Plots::each, 1}) {}

void Sheet::choose_columns() {
  const int count = static_cast<int>(options_.panes);
  if (options_.layout == Layout::row) columns_ = count;
  if (options_.layout == Layout::column) columns_ = 1;
  if (options_.layout == Layout::grid) columns_ = (count + 1) / 2;
  if (options_.layout != Layout::automatic) return;
  float best = 0;
  for (int rows = 1; rows <= count; ++rows) {
    const int columns = (count + rows - 1) / rows;
    const float wide = static_cast<float>(width_) / static_cast<float>(columns);
    const float high = static_cast<float>(panes_bottom()) / static_cast<float>(rows);
    const float scale = std::min(wide / options_.aspect, high);
    if (scale <= 1.05f * best) continue;  // for a little more, one row is not left
    best = scale;
    columns_ = columns;
  }
}

const render::Theme& Sheet::theme() const { return options_.dark ? render::dark_theme() : render::light_theme(); }

render::ImageArea Sheet::area(std::size_t pane) const {
  const int rows = (static_cast<int>(options_.panes) + columns_ - 1) / columns_;
  const int column = static_cast<int>(pane) % columns_, row = static_cast<int>(pane) / columns_;
  const int caption = static_cast<int>(kCaptionHeight * unit_), height = panes_bottom() - caption;
  const int left = width_ * column / columns_, right = width_ * (column + 1) / columns_;
  const int top = height * row / rows, bottom = height * (row + 1) / rows;
  const int gap = static_cast<int>(std::lround(kGap * unit_));
  return {left, caption + top, right - left - (column + 1 < columns_ ? gap : 0),
          bottom - top - (row + 1 < rows ? gap : 0)};
}

/// Where the panes end and the plot of all begins.
int Sheet::panes_bottom() const {
  if (options_.plots != Plots::one) return height_;
  const float room = static_cast<float>(height_) - kCaptionHeight * unit_;
  return height_ - static_cast<int>(std::min(std::max(kPlotShare * room, kLeastPlot * unit_), kMostPlotShare * room));
}

int Sheet::plot_height(const render::ImageArea& area) const {
  if (options_.plots != Plots::each) return 0;
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

render::ImageArea Sheet::shared_plot() const { return {0, panes_bottom(), width_, height_ - panes_bottom()}; }

render::Image Sheet::page(const std::string& name, double time_step, double time) {
  return page(name,
              "time step " + formatted("%.4g", time_step * 1000) + " ms     t = " + formatted("%.2f", time) + " s");
}

render::Image Sheet::page(const std::string& name, const std::string& right) {
  render::Image page(width_, height_);
  render::fill_rectangle(page, 0, 0, width_, height_, theme().panel);
  const float y = 29 * unit_, margin = 16 * unit_;
  const float right_edge = static_cast<float>(width_) - margin;
  font_.draw(page, right, right_edge, y, 18 * unit_, theme().text_muted, render::Align::right);
  // A long name makes room for the time.
  const float room = right_edge - font_.width(right, 18 * unit_) - 2 * margin;
  const float wanted = font_.width(name, 22 * unit_);
  font_.draw(page, name, margin, y, 22 * unit_ * std::clamp(room / std::max(wanted, 1.0f), 0.0f, 1.0f), theme().text);
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

void Sheet::write_colors(render::Image& page, session::FieldKind kind, double top) {
  const render::ImageArea a = picture(0);
  const float letters = 14 * unit_, margin = 14 * unit_, pad = 7 * unit_;
  const auto pixels = [](float length) { return static_cast<int>(std::lround(length)); };
  const float bar = std::min(200 * unit_, 0.6f * static_cast<float>(a.width)), thick = 9 * unit_;
  const float left = static_cast<float>(a.x) + margin + pad,
              right_room = 48 * unit_;  // the last number stands at the end
  const float top_y = static_cast<float>(a.y + a.height) - margin - pad - 2.6f * letters - thick;
  render::fill_rectangle(page, pixels(left - pad), pixels(top_y - pad), pixels(bar + right_room + 2 * pad),
                         pixels(2.6f * letters + thick + 2 * pad), theme().panel.with_alpha(0.65f));
  font_.draw(page, field_name(kind).title, left, top_y + 0.85f * letters, letters, theme().text);
  const float y = top_y + 1.35f * letters;
  for (int i = 0; i < pixels(bar); ++i)
    render::fill_rectangle(page, pixels(left) + i, pixels(y), 1, pixels(thick),
                           render::heat_color((static_cast<float>(i) + 0.5f) / bar));
  for (const auto& [value, text] : field_ticks(kind, top, 3)) {
    const float x = left + bar * static_cast<float>(value / top);
    render::fill_rectangle(page, pixels(x), pixels(y), std::max(1, pixels(unit_)), pixels(thick + 3 * unit_),
                           theme().text_muted);
    font_.draw(page, text, x, y + thick + 1.15f * letters, 0.9f * letters, theme().text_muted,
               value > 0 ? render::Align::centre : render::Align::left);
  }
}

void Sheet::draw_energy(render::Image& page, std::size_t pane, const render::Color& color,
                        std::span<const session::FrameRecord> records, const render::Range& time,
                        const render::Range& energy) {
  render::Chart chart{.title = "Energy",
                      .x_unit = "s",
                      .y_unit = "J",
                      .curves = {{"target", theme().text_muted, {}, {}, 1.5f}, {"total", color, {}, {}, 2.5f}},
                      .x_range = time,
                      .y_range = energy};
  for (const auto& r : records) {
    for (auto& curve : chart.curves) curve.x.push_back(r.time);
    chart.curves[0].y.push_back(r.target);
    chart.curves[1].y.push_back(r.measured.total());
  }
  chart.note = note_of_range(chart);
  draw(page, plot(pane), chart, unit_);
}

void Sheet::draw(render::Image& page, const render::ImageArea& area, const render::Chart& chart, float pixel_ratio) {
  render::draw_chart(page, area, chart, theme(), font_, pixel_ratio);
}

void Sheet::draw_energies(render::Image& page, std::span<const EnergyCurve> panes, const render::Range& time,
                          const EnergyScale& scale) {
  if (options_.plots != Plots::one) return;
  render::Chart chart{.title = "Energy",
                      .x_unit = "s",
                      .y_unit = "J",
                      .curves = {},
                      .x_range = time,
                      .y_range = scale.shown,
                      .y_steady = scale.steady};
  // Targets first, so that no energy is hidden by one; in the legend one stands for all.
  for (const EnergyCurve& pane : panes) {
    const bool alone = panes.size() == 1;
    const render::Color color = alone ? theme().text_muted : render::mix(theme().text_muted, pane.color, 0.5f);
    render::Curve target{&pane == panes.data() ? "target" : "", color.with_alpha(0.8f), {}, {}, 1.2f};
    for (std::size_t i = 0; i < pane.records.size(); ++i) {
      target.x.push_back(pane.times[i]);
      target.y.push_back(pane.records[i].target);
    }
    chart.curves.push_back(std::move(target));
  }
  for (const EnergyCurve& pane : panes) {
    render::Curve total{pane.name, pane.color, {}, {}, 2.5f};
    for (std::size_t i = 0; i < pane.records.size(); ++i) {
      total.x.push_back(pane.times[i]);
      total.y.push_back(pane.records[i].measured.total());
    }
    chart.curves.push_back(std::move(total));
  }
  chart.note = note_of_range(chart);
  draw(page, shared_plot(), chart, 1.15f * unit_);
}

}  // namespace rebound::film
