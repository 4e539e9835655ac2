// The charts under the picture.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "app/panels/panels.hpp"
#include "app/plot.hpp"
#include "app/trouble.hpp"
#include "app/widgets.hpp"

namespace rebound::app {
namespace {

using session::FrameRecord;

/// The records of a pane that are shown, one before them included so that lines come in from the left.
class Shown {
 public:
  /// now: s, where one stands; what the history has beyond is of a branch that may be left.
  Shown(const History& history, const Interval& time, double now) : records_(history.records()) {
    first_ = history.first_at_or_after(time.low);
    if (first_ > 0) --first_;
    end_ = std::min(history.first_at_or_after(now * (1 + 1e-12) + 1e-12), records_.size());
    first_ = std::min(first_, end_);
  }
  template <class Value>
  std::vector<Sample> samples(const Value& value) const {
    return samples(first_, end_, value);
  }
  /// What comes after now.
  template <class Value>
  std::vector<Sample> later(const Value& value) const {
    return end_ < records_.size() ? samples(end_ > 0 ? end_ - 1 : 0, records_.size(), value) : std::vector<Sample>();
  }

 private:
  template <class Value>
  std::vector<Sample> samples(std::size_t from, std::size_t to, const Value& value) const {
    std::vector<Sample> result;
    result.reserve(to - from);
    for (std::size_t i = from; i < to; ++i) result.push_back({records_[i].time, value(records_[i])});
    return result;
  }

  const std::deque<FrameRecord>& records_;
  std::size_t first_ = 0, end_ = 0;
};

/// All panes, the chosen one last, so that it is drawn on top.
struct ShownPane {
  std::string name;
  render::Color color;
  Shown shown;
  const session::Snapshot& moment;
  bool is_chosen;
  std::size_t order;  ///< in legends: the panes' own
};
constexpr std::size_t kLastOrder = 100;
using ShownPanes = std::vector<ShownPane>;

ShownPanes shown_panes(const Desk& desk, const Interval& time) {
  ShownPanes panes;
  const Stage& stage = desk.stage;
  for (std::size_t i = 0; i < stage.pane_count(); ++i) {
    const std::size_t pane = (stage.chosen() + 1 + i) % stage.pane_count();
    const PaneNotes& notes = stage.notes()[pane];
    const session::Snapshot& moment = stage.moment().panes[pane];
    panes.push_back({notes.name, legible(desk, desk.theme().series[pane_series(notes.color)]),
                     Shown(notes.history, time, moment.record.time), moment, pane == stage.chosen(), 1 + pane});
  }
  return panes;
}

// What was left behind since the last reset: thin and grey, under everything else. It has at most as much room again as
// all else: who pulled hard there does not rule the axis.
template <class Value>
void add_ghosts(const Desk& desk, const Interval& time, const Value& value, Plot& plot) {
  std::string name = "left behind";
  std::vector<Series> left;
  const Interval own = plot.range.interval;
  for (const auto& ghost : desk.stage.moment().ghosts) {
    Series series{"", desk.theme().text_muted.with_alpha(0.7f), {}, false, 1.1f, kLastOrder};
    for (const session::RunRecord& record : ghost->records)
      if (desk.stage.is_of_this_start(record) && time.contains(record.time))
        series.samples.push_back({record.time, value(record)});
    // Of two frames nothing would be seen.
    if (series.samples.size() < 3) continue;
    series.name = std::exchange(name, "");
    const Interval its = extent(series.samples);
    Interval& range = plot.range.interval;
    range.low = std::min(range.low, std::max(its.low, own.low - own.length()));
    range.high = std::max(range.high, std::min(its.high, own.high + own.length()));
    left.push_back(std::move(series));
  }
  plot.series.insert(plot.series.begin(), std::make_move_iterator(left.begin()), std::make_move_iterator(left.end()));
}

/// A line a pane, and thinner what comes after now.
template <class Value>
void add_panes(const ShownPanes& panes, const Value& value, Plot& plot) {
  for (const ShownPane& pane : panes) {
    plot.series.push_back({"", pane.color.with_alpha(0.45f), pane.shown.later(value), false, 1.1f});
    plot.series.push_back(
        {pane.name, pane.color, pane.shown.samples(value), false, pane.is_chosen ? 2.2f : 1.7f, pane.order});
  }
}

std::vector<Sample> all_samples(const Plot& plot) {
  std::vector<Sample> all;
  for (const Series& series : plot.series) all.insert(all.end(), series.samples.begin(), series.samples.end());
  return all;
}

render::Color line_color(const Desk& desk, std::size_t place) { return legible(desk, desk.theme().series[place]); }
// Told apart by people who do not see red and green apart, too: these five differ in lightness.
constexpr std::size_t kCoral = 0, kTeal = 1, kAmber = 2, kPeriwinkle = 3, kRose = 4, kSky = 6;

double total(const FrameRecord& r) { return r.measured.total(); }
double target(const FrameRecord& r) { return r.target; }

std::string said_of_what_is_off(const ShownPanes& panes) {
  double worst = 1.5;
  std::string said;
  for (const ShownPane& pane : panes) {
    const FrameRecord& r = pane.moment.record;
    const double over = r.times_its_target();
    if (!(over > worst)) continue;
    worst = over;
    said = (panes.size() > 1 ? pane.name + ": " : "now ") + times_text(r);
  }
  return said.empty() ? "peaks are off the chart" : said;
}

/// What is being drawn, or else what was.
void add_wish(const Desk& desk, Plot& plot) {
  Series wish{"wish", line_color(desk, kTeal), {}, true, 2.2f};
  if (desk.energy_curve.armed)
    wish.samples = desk.energy_curve.drawn;
  else
    for (const scene::EnergyPiece& piece : desk.now().description.energy)
      if (piece.target) wish.samples.push_back({piece.from, *piece.target});
  if (!wish.samples.empty()) plot.series.push_back(std::move(wish));
}

// Of the target: a scale below that is of a world that stands still.
constexpr double kTellsSomething = 0.01;

Plot energy_plot(Desk& desk, const ShownPanes& panes, const Interval& time) {
  Plot plot;
  plot.id = "energy";
  plot.rounding = kRounding * desk.now().record.scale;
  plot.title = "Total energy";
  plot.names_markers = true;
  plot.unit = "J";
  plot.takes_prefix = true;
  plot.about =
      "H, all kinetic and potential energy, against what the ledger says should be there (dashed). Grey: branches that "
      "were left";
  const bool many = panes.size() > 1;
  std::vector<Sample> targets;
  for (const ShownPane& pane : panes) {
    auto samples = pane.shown.samples(target);
    // What damping took of made-up energy leaves a target far from all others'.
    const FrameRecord& r = pane.moment.record;
    const bool is_tame = pane.moment.failure.empty() && r.measured.total() - r.target < 2 * r.scale;
    if (pane.is_chosen || is_tame) targets.insert(targets.end(), samples.begin(), samples.end());
    const render::Color color = many ? pane.color.with_alpha(0.75f) : desk.theme().text_muted;
    plot.series.push_back({pane.is_chosen ? "target" : "", color, std::move(samples), true, many ? 1.2f : 1.6f,
                           many ? kLastOrder - 1 : 0});
  }
  add_panes(panes, total, plot);
  if (!many) plot.series.back().name = "H";
  plot.takes_curve = true;
  if (!desk.energy_curve.armed) {
    add_wish(desk, plot);
    // What is wished for is a target to come, and has its room.
    if (const Series& last = plot.series.back(); last.name == "wish")
      targets.insert(targets.end(), last.samples.begin(), last.samples.end());
  }
  const double scale = std::max(desk.now().record.scale, 1e-12);
  const Interval anchor = extent(targets);
  plot.range = clipped(extent(all_samples(plot)), anchor, 1.2 * std::max(scale, anchor.length()));
  // A tenth of the scale is the least that is shown: what is below the tolerance should look still.
  const double room = 0.12 * scale;
  plot.range.interval = {plot.range.interval.low - room, plot.range.interval.high + room};
  if (plot.range.cut) {
    plot.off_chart = said_of_what_is_off(panes);
    const double highest = extent(all_samples(plot)).high;
    if (highest > plot.range.interval.high) plot.log_up_to = highest;
  }
  add_ghosts(desk, time, total, plot);
  if (!desk.energy_curve.armed) return plot;
  // The axis holds still while one draws.
  plot.title = "Draw the energy to come";
  const double now = desk.now().record.target;
  // Before anything has moved, the scale tells next to nothing.
  const double size = scale > kTellsSomething * std::abs(now) ? scale : std::abs(now);
  plot.range = {{now - 1.1 * size, now + 0.4 * size}, false};
  plot.off_chart.clear();
  plot.log_up_to.reset();
  add_wish(desk, plot);
  return plot;
}

Plot kinds_plot(Desk& desk, const ShownPanes& panes) {
  const Shown& shown = panes.back().shown;
  Plot plot;
  plot.rounding = kRounding * desk.now().record.scale;
  plot.id = "kinds";
  plot.title = panes.size() > 1 ? "Kinds, " + panes.back().name : std::string("Kinds of energy");
  plot.unit = "J";
  plot.takes_prefix = true;
  plot.about = "Where the energy is. Gravity's zero is at the origin's height.";
  const auto add = [&](const char* name, std::size_t color, auto value) {
    auto samples = shown.samples(value);
    const bool used =
        std::any_of(samples.begin(), samples.end(), [&](const Sample& s) { return std::abs(s.value) > plot.rounding; });
    if (used) plot.series.push_back({name, line_color(desk, color), std::move(samples)});
  };
  add("kinetic", kSky, [](const FrameRecord& r) { return r.measured.kinetic; });
  add("elastic", kAmber, [](const FrameRecord& r) { return r.measured.elastic; });
  add("gravity", kPeriwinkle, [](const FrameRecord& r) { return r.measured.gravity; });
  add("handles", kTeal, [](const FrameRecord& r) { return r.measured.attachment; });
  add("contact", kRose, [](const FrameRecord& r) { return r.measured.contact; });
  const std::vector<Sample> all = all_samples(plot);
  // An explosion must not press everything else onto the axis: a few times what there should have been at some time.
  constexpr double kTimesScale = 3;
  const FrameRecord& now = desk.now().record;
  double most = std::max(now.scale, std::abs(now.target));
  if (desk.now().failure.empty() && now.measured.total() - now.target < 2 * now.scale) {
    const Interval targets = extent(shown.samples([](const FrameRecord& r) { return r.target; }));
    most = std::max({most, std::abs(targets.low), std::abs(targets.high)});
  }
  plot.range = clipped(extent(all), {0, 0}, kTimesScale * most);
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

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// The blend of the methods that have one, alpha of the decoupled ones.
double blend(const FrameRecord& r) { return r.blend ? *r.blend : r.alpha.value_or(kNothing); }

Plot blend_plot(Desk& desk, const ShownPanes& panes) {
  Plot plot;
  plot.id = "blend";
  const session::FrameRecord& now = panes.back().moment.record;
  if (now.alpha) {
    plot.title = "Alpha";
    plot.unit = "0 backward, 1 forward";
    plot.about = "The share of forward Euler's velocity: 0 is backward Euler's, 1 is A-1.";
    plot.range = {{-0.1, 1.2}, false};
  } else {
    plot.title = "Blend";
    plot.unit = "+ back, − forward";
    plot.about = "0: pure midpoint. Above: share of backward Euler. Below: share of forward Euler.";
    plot.range = {{-1, 1}, false};
  }
  plot.round_ends = false;
  const bool many = panes.size() > 1;
  bool any = false;
  for (const ShownPane& pane : panes) {
    auto samples = pane.shown.samples(blend);
    if (std::none_of(samples.begin(), samples.end(), [](const Sample& s) { return std::isfinite(s.value); })) continue;
    any = true;
    const render::Color color = many ? pane.color : line_color(desk, kTeal);
    auto means = recent_mean(samples);
    plot.series.push_back({"", color.with_alpha(many ? 0.25f : 0.45f), std::move(samples), false, 1});
    plot.series.push_back({many ? pane.name : "mean of 1 s", color, std::move(means), false, 2.2f, pane.order});
  }
  if (!any && desk.stage.history().records().size() > 1)
    plot.instead = many ? "None of these integrators blends." : "This integrator does not blend.";
  return plot;
}

Plot seen_plot(Desk& desk, const ShownPanes& panes, const Interval& time) {
  Plot plot;
  plot.id = "seen";
  plot.rounding = kRounding * desk.now().record.scale;
  plot.title = "What you see";
  plot.unit = "J";
  plot.takes_prefix = true;
  plot.about =
      "Kinetic energy of the motion that can be seen, over about a second. Thin: shiver, of periods below four frames.";
  const auto seen = [](const FrameRecord& r) { return r.seen ? r.seen->kinetic : kNothing; };
  const auto shiver = [](const FrameRecord& r) { return r.seen ? r.seen->shivering : kNothing; };
  const bool many = panes.size() > 1;
  for (const ShownPane& pane : panes) {
    const render::Color color = many ? pane.color.with_alpha(0.5f) : line_color(desk, kRose);
    plot.series.push_back({many ? "" : "shiver", color, pane.shown.samples(shiver), false, 1.1f});
  }
  add_panes(panes, seen, plot);
  if (!many) plot.series.back().name = "seen";
  plot.range = robust_range(all_samples(plot));
  plot.range.interval.low = 0;
  plot.range.interval.high = std::max(plot.range.interval.high, 1e-6 * desk.now().record.scale);
  add_ghosts(desk, time, seen, plot);
  plot.range.interval.low = 0;
  return plot;
}

Plot momentum_plot(Desk& desk, const ShownPanes& panes, const Interval& time) {
  Plot plot;
  plot.id = "momentum";
  plot.unit = "kg m²/s";
  plot.title = "Angular momentum";
  plot.about = "About the origin. Without gravity and handles it should be constant.";
  const Shown& shown = panes.back().shown;
  const auto length = [](const FrameRecord& r) { return r.measured.l.norm(); };
  constexpr std::array kNames = {"x", "y", "z"};
  constexpr std::array kColors = {kAmber, kSky, kPeriwinkle};
  for (int c = 0; c < 3 && panes.size() == 1; ++c)
    plot.series.push_back({kNames[static_cast<std::size_t>(c)], line_color(desk, kColors[static_cast<std::size_t>(c)]),
                           shown.samples([c](const FrameRecord& r) { return r.measured.l[c]; }), false, 1.3f});
  add_panes(panes, length, plot);
  if (panes.size() == 1) plot.series.back().name = "|L|";
  plot.range = robust_range(all_samples(plot));
  // What rounding leaves of a momentum that is zero should look like zero: less than what the motion could turn in a
  // ten-thousandth of a second.
  const double least = 1e-4 * extent(shown.samples([](const FrameRecord& r) { return r.measured.kinetic; })).high;
  plot.range.interval = {std::min(plot.range.interval.low, -least), std::max(plot.range.interval.high, least)};
  add_ghosts(desk, time, length, plot);
  return plot;
}

Plot pace_plot(Desk& desk, const ShownPanes& panes) {
  Plot plot;
  plot.id = "pace";
  plot.title = "Step time";
  plot.unit = "s";
  plot.takes_prefix = true;
  plot.about =
      "Wall-clock time of a step; the dashed line is the time that it simulates: above it, slower than real time.";
  const auto taken = [](const FrameRecord& r) {
    return r.step_ms > 0 ? 1e-3 * r.step_ms : std::numeric_limits<double>::quiet_NaN();
  };
  for (const ShownPane& pane : panes) {
    const render::Color color = panes.size() > 1 ? pane.color : line_color(desk, kSky);
    plot.series.push_back(
        {panes.size() > 1 ? pane.name : "step", color, pane.shown.samples(taken), false, 1.6f, pane.order});
  }
  plot.range = robust_range(all_samples(plot));
  plot.range.interval.low = 0;
  const double h = desk.now().description.timeStep;
  if (plot.range.interval.high > 0.5 * h) plot.range.interval.high = std::max(plot.range.interval.high, 1.1 * h);
  std::vector<Sample> allowed = plot.series.back().samples;
  for (Sample& s : allowed) s.value = h;
  plot.series.insert(plot.series.begin(), {"real time", desk.theme().text_muted, std::move(allowed), true, 1.3f});
  return plot;
}

/// While a curve is drawn, and as long as one that was drawn lasts.
bool shows_the_future(const Desk& desk) {
  const auto& pieces = desk.now().description.energy;
  return desk.energy_curve.armed ||
         (!pieces.empty() && pieces.back().target && pieces.back().from > desk.now().record.time);
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
  const ShownPanes panes = shown_panes(desk, time);
  const std::array plots = {energy_plot(desk, panes, time), seen_plot(desk, panes, time),     kinds_plot(desk, panes),
                            blend_plot(desk, panes),        momentum_plot(desk, panes, time), pace_plot(desk, panes)};
  // Where panes are compared, the first has the room to name them all.
  const std::array shares = panes.size() > 1 ? std::array{3.0f, 1.3f, 1.1f, 0.8f, 1.1f, 0.8f}
                                             : std::array{1.7f, 1.3f, 1.2f, 1.0f, 1.2f, 0.9f};
  const float all_shares = std::accumulate(shares.begin(), shares.end(), 0.0f);
  const float gap = desk.points(8);
  const float available = ImGui::GetContentRegionAvail().x - gap * (plots.size() - 1);
  const float unit = std::max(available / all_shares, desk.points(95));
  const float height = ImGui::GetContentRegionAvail().y;
  int& filling = desk.settings.filling_plot;
  bool first = true;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const bool fills = filling == static_cast<int>(i);
    if (filling >= 0 && !fills) continue;
    if (!std::exchange(first, false)) ImGui::SameLine();
    const bool to_come = plots[i].takes_curve && shows_the_future(desk);
    const float width = fills ? ImGui::GetContentRegionAvail().x : unit * shares[i];
    draw_plot(desk, plots[i], to_come ? time_to_come(desk) : time, {std::floor(width), height});
    const bool on_title = ImGui::GetIO().MousePos.y < ImGui::GetItemRectMin().y + desk.points(26);
    if (ImGui::IsItemClicked() && on_title) filling = fills ? -1 : static_cast<int>(i);
  }
  zoom_time(desk);
  ImGui::End();
  ImGui::PopStyleVar(3);
}

}  // namespace rebound::app
