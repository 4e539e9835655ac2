// The charts under the picture.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/panels/panels.hpp"
#include "app/plot.hpp"
#include "app/widgets.hpp"

namespace rebound::app {
namespace {

using session::FrameRecord;

/// The records that are shown, one before them included so that lines come in from the left.
class Shown {
 public:
  Shown(const History& history, const Interval& time) : records_(history.records()) {
    first_ = history.first_at_or_after(time.low);
    if (first_ > 0) --first_;
  }
  template <class Value>
  std::vector<Sample> samples(const Value& value) const {
    std::vector<Sample> result;
    result.reserve(records_.size() - first_);
    for (std::size_t i = first_; i < records_.size(); ++i) result.push_back({records_[i].time, value(records_[i])});
    return result;
  }

 private:
  const std::deque<FrameRecord>& records_;
  std::size_t first_ = 0;
};

render::Color line_color(const Desk& desk, std::size_t place) { return legible(desk, desk.theme().series[place]); }
// Told apart by people who do not see red and green apart, too: these five differ in lightness.
constexpr std::size_t kCoral = 0, kTeal = 1, kAmber = 2, kPeriwinkle = 3, kRose = 4, kSky = 6;

double last(const std::vector<Sample>& samples) { return samples.empty() ? 0 : samples.back().value; }

Plot energy_plot(Desk& desk, const Shown& shown) {
  Plot plot;
  plot.id = "energy";
  plot.title = "Total energy";
  plot.names_markers = true;
  plot.unit = "J";
  plot.takes_prefix = true;
  plot.about = "H, all kinetic and potential energy, against what the ledger says should be there";
  const auto total = shown.samples([](const FrameRecord& r) { return r.measured.total(); });
  const auto target = shown.samples([](const FrameRecord& r) { return r.target; });
  const double scale = std::max(desk.now().record.scale, 1e-12);
  const Interval anchor = extent(target);
  plot.range = clipped(extent(total), anchor, 1.2 * std::max(scale, anchor.length()));
  // A tenth of the scale is the least that is shown: what is below the tolerance should look still.
  const double room = 0.12 * scale;
  plot.range.interval = {plot.range.interval.low - room, plot.range.interval.high + room};
  if (plot.range.cut) {
    const double over = (last(total) - last(target) + scale) / scale;
    plot.off_chart = over > 1.5
                         ? "now " + (over > 1e4 ? "over 10,000" : short_number(over)) + " × its target: off the chart"
                         : "peaks are off the chart";
  }
  plot.series.push_back({"target", desk.theme().text_muted, target, true, 1.6f});
  plot.series.push_back({"H", line_color(desk, kCoral), total, false, 2.2f});
  return plot;
}

Plot kinds_plot(Desk& desk, const Shown& shown) {
  Plot plot;
  plot.id = "kinds";
  plot.title = "Kinds of energy";
  plot.unit = "J";
  plot.takes_prefix = true;
  plot.about = "Where the energy is. Gravity's zero is at the origin's height.";
  const auto add = [&](const char* name, std::size_t color, auto value) {
    auto samples = shown.samples(value);
    const bool used = std::any_of(samples.begin(), samples.end(), [](const Sample& s) { return s.value != 0; });
    if (used) plot.series.push_back({name, line_color(desk, color), std::move(samples)});
  };
  add("kinetic", kSky, [](const FrameRecord& r) { return r.measured.kinetic; });
  add("elastic", kAmber, [](const FrameRecord& r) { return r.measured.elastic; });
  add("gravity", kPeriwinkle, [](const FrameRecord& r) { return r.measured.gravity; });
  add("handles", kTeal, [](const FrameRecord& r) { return r.measured.attachment; });
  add("contact", kRose, [](const FrameRecord& r) { return r.measured.contact; });
  std::vector<Sample> all;
  for (const Series& series : plot.series) all.insert(all.end(), series.samples.begin(), series.samples.end());
  // An explosion must not press everything else onto the axis.
  constexpr double kTimesScale = 3;
  plot.range =
      clipped(extent(all), {0, 0}, kTimesScale * std::max(desk.now().record.scale, std::abs(desk.now().record.target)));
  return plot;
}

/// The mean over the second before: what a blend that flickers from frame to frame amounts to.
std::vector<Sample> recent_mean(const std::vector<Sample>& samples) {
  constexpr double kSpan = 1;  // s
  std::vector<Sample> means;
  double sum = 0;
  std::size_t first = 0, count = 0;
  for (const Sample& sample : samples) {
    if (std::isfinite(sample.value)) {
      sum += sample.value;
      ++count;
    }
    for (; samples[first].time < sample.time - kSpan; ++first) {
      if (!std::isfinite(samples[first].value)) continue;
      sum -= samples[first].value;
      --count;
    }
    const bool known = count > 0 && std::isfinite(sample.value);
    means.push_back({sample.time, known ? sum / static_cast<double>(count) : std::numeric_limits<double>::quiet_NaN()});
  }
  return means;
}

Plot blend_plot(Desk& desk, const Shown& shown) {
  Plot plot;
  plot.id = "blend";
  plot.title = "Blend";
  plot.unit = "+ back, − forward";
  plot.about = "0: pure midpoint. Above: share of backward Euler. Below: share of forward Euler.";
  auto blend =
      shown.samples([](const FrameRecord& r) { return r.blend.value_or(std::numeric_limits<double>::quiet_NaN()); });
  const bool any = std::any_of(blend.begin(), blend.end(), [](const Sample& s) { return std::isfinite(s.value); });
  if (!any && desk.stage.history().records().size() > 1) plot.instead = "This integrator does not blend.";
  plot.range = {{-1, 1}, false};
  plot.round_ends = false;
  plot.series.push_back({"", line_color(desk, kTeal).with_alpha(0.45f), blend, false, 1});
  plot.series.push_back({"mean of 1 s", line_color(desk, kTeal), recent_mean(blend), false, 2.2f});
  return plot;
}

Plot momentum_plot(Desk& desk, const Shown& shown) {
  Plot plot;
  plot.id = "momentum";
  plot.unit = "kg m²/s";
  plot.title = "Angular momentum";
  plot.about = "About the origin. Without gravity and handles it should be constant.";
  constexpr std::array kNames = {"x", "y", "z"};
  constexpr std::array kColors = {kAmber, kSky, kPeriwinkle};
  for (int c = 0; c < 3; ++c)
    plot.series.push_back({kNames[static_cast<std::size_t>(c)], line_color(desk, kColors[static_cast<std::size_t>(c)]),
                           shown.samples([c](const FrameRecord& r) { return r.measured.l[c]; }), false, 1.3f});
  plot.series.push_back({"|L|", line_color(desk, kCoral),
                         shown.samples([](const FrameRecord& r) { return r.measured.l.norm(); }), false, 2});
  std::vector<Sample> all;
  for (const Series& series : plot.series) all.insert(all.end(), series.samples.begin(), series.samples.end());
  plot.range = robust_range(all);
  // What rounding leaves of a momentum that is zero should look like zero: less than what the motion could turn in a
  // ten-thousandth of a second.
  const double least = 1e-4 * extent(shown.samples([](const FrameRecord& r) { return r.measured.kinetic; })).high;
  plot.range.interval = {std::min(plot.range.interval.low, -least), std::max(plot.range.interval.high, least)};
  return plot;
}

Plot pace_plot(Desk& desk, const Shown& shown) {
  Plot plot;
  plot.id = "pace";
  plot.title = "Time a step";
  plot.unit = "s";
  plot.takes_prefix = true;
  plot.about =
      "Wall-clock time of a step; the dashed line is the time that it simulates: above it, slower than real time.";
  auto taken = shown.samples(
      [](const FrameRecord& r) { return r.step_ms > 0 ? 1e-3 * r.step_ms : std::numeric_limits<double>::quiet_NaN(); });
  plot.range = robust_range(taken);
  plot.range.interval.low = 0;
  const double h = desk.now().description.timeStep;
  if (plot.range.interval.high > 0.5 * h) plot.range.interval.high = std::max(plot.range.interval.high, 1.1 * h);
  std::vector<Sample> allowed = taken;
  for (Sample& s : allowed) s.value = h;
  plot.series.push_back({"real time", desk.theme().text_muted, std::move(allowed), true, 1.3f});
  plot.series.push_back({"step", line_color(desk, kSky), std::move(taken), false, 1.6f});
  return plot;
}

// The wheel over the charts changes how long a time they show.
void zoom_time(Desk& desk) {
  const float wheel = ImGui::GetIO().MouseWheel;
  if (wheel == 0 || !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) return;
  desk.settings.plot_seconds = std::clamp(desk.settings.plot_seconds * std::pow(0.85, wheel), 0.5, 3600.0);
}

}  // namespace

void plots_strip(Desk& desk, const Rect& place) {
  if (place.empty()) return;
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(8), desk.points(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {desk.points(8), desk.points(8)});
  ImGui::Begin("##plots", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows)) desk.plot_cursor.reset();
  const Interval time = shown_time(desk);
  const Shown shown(desk.stage.history(), time);
  const std::array plots = {energy_plot(desk, shown), kinds_plot(desk, shown), blend_plot(desk, shown),
                            momentum_plot(desk, shown), pace_plot(desk, shown)};
  constexpr std::array kShares = {1.7f, 1.3f, 1.15f, 1.35f, 1.05f};
  constexpr float kAllShares = 6.55f;
  const float gap = desk.points(8);
  const float available = ImGui::GetContentRegionAvail().x - gap * (plots.size() - 1);
  const float unit = std::max(available / kAllShares, desk.points(150));
  const float height = ImGui::GetContentRegionAvail().y;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    draw_plot(desk, plots[i], time, {std::floor(unit * kShares[i]), height});
  }
  zoom_time(desk);
  ImGui::End();
  ImGui::PopStyleVar(3);
}

}  // namespace rebound::app
