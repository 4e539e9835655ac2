#include "app/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "app/dashes.hpp"
#include "app/legend.hpp"
#include "app/trouble.hpp"
#include "app/widgets.hpp"
#include "render/ticks.hpp"

namespace rebound::app {
namespace {

/// Where the parts of a chart are, in window coordinates, and how values get there.
struct Frame {
  ImVec2 low, high;  ///< of the area with the lines
  Interval time, values;
  double log_up_to = 0;  ///< above the values, on a logarithmic axis; none unless it is larger than they are

  /// The share of the height that the logarithmic axis has.
  static constexpr double kLogShare = 0.3;
  bool has_log() const { return log_up_to > values.high; }
  double linear_share() const { return has_log() ? 1 - kLogShare : 1; }
  /// Where that axis begins.
  float log_bottom() const { return high.y - static_cast<float>(linear_share()) * (high.y - low.y); }

  float x(double t) const { return low.x + static_cast<float>((t - time.low) / time.length()) * (high.x - low.x); }
  float y(double v) const {
    // Off the chart is just off the chart: far coordinates would upset the rasteriser.
    double up = linear_share() * std::clamp((v - values.low) / values.length(), -0.5, has_log() ? 1.0 : 1.5);
    if (has_log() && v > values.high) {
      const double beyond = std::log1p((v - values.high) / values.length());
      up += kLogShare * std::min(beyond / std::log1p((log_up_to - values.high) / values.length()), 1.5);
    }
    return high.y - static_cast<float>(up) * (high.y - low.y);
  }
};

class Chart {
 public:
  Chart(Desk& desk, const Plot& plot, const Interval& time, ImVec2 size);
  void draw();
  void take_curve();

 private:
  void place();
  void draw_title();
  void draw_legend();
  int wanted_ticks() const;
  void draw_axes();
  void draw_time_axis();
  void draw_markers();
  void draw_series(const Series& series);
  using Line = std::vector<ImVec2>;
  std::vector<Line> lines_of(const Series& series) const;
  void draw_off_chart();
  void draw_read_out();
  std::string text_of(double value) const;
  float width_of(const std::string& text) const {
    return small_->CalcTextSizeA(small_size_, FLT_MAX, 0, text.c_str()).x;
  }
  void arrange_names();
  float row_height() const { return small_size_ + desk_.points(2); }
  render::Ticks value_ticks() const;
  void draw_log_axis();

  Desk& desk_;
  const Plot& plot_;
  const render::Theme& theme_;
  ImDrawList& list_;
  ImFont* small_;
  float small_size_;
  ImVec2 low_, high_;
  Frame frame_;
  render::Prefix prefix_;             ///< of the numbers on the axis
  std::vector<LegendEntry> legend_;   ///< `of`: which of named_
  std::vector<const Series*> named_;  ///< in the legend's order
};

Chart::Chart(Desk& desk, const Plot& plot, const Interval& time, ImVec2 size)
    : desk_(desk),
      plot_(plot),
      theme_(desk.theme()),
      list_(*ImGui::GetWindowDrawList()),
      small_(desk.fonts().small),
      small_size_(small_->FontSize * ImGui::GetIO().FontGlobalScale),
      low_(ImGui::GetCursorScreenPos()),
      high_(low_.x + size.x, low_.y + size.y) {
  frame_.time = time;
}

std::string Chart::text_of(double value) const {
  if (std::isnan(value)) return "-";  // such as the blend of a method that does not blend
  if (std::abs(value) <= plot_.rounding) value = 0;
  return plot_.takes_prefix ? with_unit(value, plot_.unit) : short_number(value);
}

int Chart::wanted_ticks() const {
  return std::clamp(static_cast<int>((frame_.high.y - frame_.low.y) / desk_.points(26)), 2, 6);
}

render::Ticks Chart::value_ticks() const {
  return render::nice_ticks(frame_.values.low, frame_.values.high, wanted_ticks());
}

// The numbers of the axis have the room that they need, and so has the legend.
void Chart::place() {
  if (plot_.instead.empty()) arrange_names();
  int rows = 1;
  for (const LegendEntry& entry : legend_) rows = std::max(rows, entry.row + 1);
  frame_.low = {low_.x, low_.y + desk_.points(52) + static_cast<float>(rows - 1) * row_height()};
  frame_.high = {high_.x - desk_.points(12), high_.y - desk_.points(22)};
  frame_.values = plot_.round_ends ? rounded(plot_.range.interval, wanted_ticks()) : plot_.range.interval;
  frame_.log_up_to = plot_.log_up_to.value_or(frame_.values.low);
  if (plot_.takes_prefix)
    prefix_ = render::prefix_for(std::max(std::abs(frame_.values.low), std::abs(frame_.values.high)));
  const auto ticks = value_ticks();
  float widest = desk_.points(34);
  for (const double tick : ticks.values)
    widest = std::max(widest, width_of(render::tick_label(tick / prefix_.factor, ticks.step / prefix_.factor)));
  frame_.low.x = low_.x + desk_.points(5) + widest + desk_.points(7);
}

void Chart::draw() {
  place();
  list_.AddRectFilled(low_, high_, to_u32(theme_.plot_background), desk_.points(8));
  draw_title();
  if (plot_.instead.empty()) draw_legend();
  if (frame_.high.x - frame_.low.x < desk_.points(20) || frame_.high.y - frame_.low.y < desk_.points(20)) return;
  if (!plot_.instead.empty()) {
    const ImVec2 extent =
        small_->CalcTextSizeA(small_size_, FLT_MAX, high_.x - low_.x - desk_.points(32), plot_.instead.c_str());
    list_.AddText(small_, small_size_, {(low_.x + high_.x - extent.x) / 2, (low_.y + high_.y - extent.y) / 2},
                  to_u32(theme_.text_muted), plot_.instead.c_str(), nullptr, high_.x - low_.x - desk_.points(32));
    return;
  }
  draw_axes();
  draw_time_axis();
  list_.PushClipRect(frame_.low, frame_.high, true);
  for (const Series& series : plot_.series) draw_series(series);
  draw_markers();
  list_.PopClipRect();
  draw_off_chart();
  draw_read_out();
}

void Chart::draw_title() {
  ImFont* strong = desk_.fonts().strong;
  const float size = strong->FontSize * ImGui::GetIO().FontGlobalScale;
  const float left = low_.x + desk_.points(12), top = low_.y + desk_.points(8);
  const float right = high_.x - desk_.points(8);
  const auto width = [&](const std::string& text) { return strong->CalcTextSizeA(size, FLT_MAX, 0, text.c_str()).x; };
  const std::string title = shortened(plot_.title, right - left, width);
  list_.AddText(strong, size, {left, top}, to_u32(theme_.text), title.c_str());
  // A unit that is cut would be another one.
  const std::string unit = std::string(prefix_.name) + plot_.unit;
  const float after = left + width(title) + desk_.points(7);
  if (after + small_->CalcTextSizeA(small_size_, FLT_MAX, 0, unit.c_str()).x > right) return;
  list_.AddText(small_, small_size_, {after, top + desk_.points(1)}, to_u32(theme_.text_muted), unit.c_str());
}

// Each series with its value now; without the values where that would be too long.
void Chart::arrange_names() {
  for (const Series& series : plot_.series)
    if (!series.name.empty()) named_.push_back(&series);
  std::stable_sort(named_.begin(), named_.end(), [](const Series* a, const Series* b) { return a->order < b->order; });
  std::vector<LegendName> names;
  for (const Series* series : named_)
    names.push_back({series->name, series->samples.empty() ? std::string() : text_of(series->samples.back().value)});
  const LegendRoom room{high_.x - low_.x - desk_.points(20), desk_.points(16), desk_.points(9), 3};
  legend_ = arrange_legend(names, room, [this](const std::string& text) { return width_of(text); });
}

void Chart::draw_legend() {
  for (const LegendEntry& entry : legend_) {
    const Series& series = *named_[entry.of];
    const float x = low_.x + desk_.points(12) + entry.x;
    const float y = low_.y + desk_.points(30) + static_cast<float>(entry.row) * row_height();
    const float middle = y + small_size_ / 2;
    const ImU32 color = to_u32(series.color);
    if (series.dashed) {
      list_.AddLine({x, middle}, {x + desk_.points(4), middle}, color, desk_.points(2));
      list_.AddLine({x + desk_.points(7), middle}, {x + desk_.points(11), middle}, color, desk_.points(2));
    } else {
      list_.AddLine({x, middle}, {x + desk_.points(11), middle}, color, desk_.points(2.4f));
    }
    list_.AddText(small_, small_size_, {x + desk_.points(16), y}, to_u32(theme_.text_muted), entry.text.c_str());
  }
}

// Powers of ten above the linear axis: what runs away is seen, and presses nothing onto the axis.
void Chart::draw_log_axis() {
  if (!frame_.has_log()) return;
  const float bottom = frame_.log_bottom();
  list_.AddRectFilled(frame_.low, {frame_.high.x, bottom}, to_u32(theme_.error.with_alpha(0.07f)));
  list_.AddLine({frame_.low.x, bottom}, {frame_.high.x, bottom}, to_u32(theme_.outline), desk_.points(1));
  const float height = small_size_;
  float free_below = bottom - height / 2 - desk_.points(2);
  const double least = std::max(frame_.values.high, 1e-6 * frame_.log_up_to);
  for (double tick = std::pow(10, std::ceil(std::log10(least) + 1e-9)); tick <= frame_.log_up_to; tick *= 10) {
    const float y = std::round(frame_.y(tick));
    list_.AddLine({frame_.low.x, y}, {frame_.high.x, y}, to_u32(theme_.plot_grid), desk_.points(1));
    if (y + height / 2 > free_below) continue;
    const std::string text = "1e" + std::to_string(std::lround(std::log10(tick / prefix_.factor)));
    list_.AddText(small_, small_size_, {frame_.low.x - desk_.points(7) - width_of(text), y - height / 2},
                  to_u32(theme_.text_muted), text.c_str());
    free_below = y - height / 2 - desk_.points(2);
  }
}

void Chart::draw_axes() {
  draw_log_axis();
  const auto ticks = value_ticks();
  for (const double tick : ticks.values) {
    const float y = std::round(frame_.y(tick));
    list_.AddLine({frame_.low.x, y}, {frame_.high.x, y}, to_u32(tick == 0 ? theme_.outline : theme_.plot_grid),
                  desk_.points(1));
    const std::string text = render::tick_label(tick / prefix_.factor, ticks.step / prefix_.factor);
    const ImVec2 extent = small_->CalcTextSizeA(small_size_, FLT_MAX, 0, text.c_str());
    list_.AddText(small_, small_size_, {frame_.low.x - desk_.points(7) - extent.x, y - extent.y / 2},
                  to_u32(theme_.text_muted), text.c_str());
  }
}

void Chart::draw_time_axis() {
  const int wanted = std::clamp(static_cast<int>((frame_.high.x - frame_.low.x) / desk_.points(64)), 1, 10);
  auto ticks = render::nice_ticks(frame_.time.low, frame_.time.high, wanted);
  // Of one label alone no time can be read.
  for (int more = wanted + 1; ticks.values.size() < 2 && more < 6; ++more)
    ticks = render::nice_ticks(frame_.time.low, frame_.time.high, more);
  float free_from = frame_.low.x - desk_.points(20);
  for (const double tick : ticks.values) {
    const float x = std::round(frame_.x(tick));
    list_.AddLine({x, frame_.high.y}, {x, frame_.high.y + desk_.points(3)}, to_u32(theme_.outline), desk_.points(1));
    const std::string text = render::tick_label(tick, ticks.step) + " s";
    const ImVec2 extent = small_->CalcTextSizeA(small_size_, FLT_MAX, 0, text.c_str());
    const float left = std::min(x - extent.x / 2, high_.x - desk_.points(6) - extent.x);
    if (left < free_from) continue;
    list_.AddText(small_, small_size_, {left, frame_.high.y + desk_.points(4)}, to_u32(theme_.text_muted),
                  text.c_str());
    free_from = left + extent.x + desk_.points(6);
  }
  list_.AddLine({frame_.low.x, frame_.high.y}, frame_.high, to_u32(theme_.outline), desk_.points(1));
}

// Labels that would run into each other go into rows of their own, as far as there are rows.
void Chart::draw_markers() {
  constexpr std::size_t kRows = 3;
  if (desk_.stage.in_the_past()) {
    const float x = std::round(frame_.x(desk_.now().record.time));
    list_.AddLine({x, frame_.low.y}, {x, frame_.high.y}, to_u32(theme_.warning), desk_.points(1.5f));
  }
  for (std::size_t pane = 0; pane < desk_.stage.pane_count(); ++pane) {
    const auto well = before_the_runaway(desk_.stage.moment().panes[pane], desk_.stage.notes()[pane].history);
    if (!well || !frame_.time.contains(well->time)) continue;
    const float x = std::round(frame_.x(well->time));
    list_.AddLine({x, frame_.low.y}, {x, frame_.high.y}, to_u32(theme_.error), desk_.points(1.5f));
  }
  std::array<float, kRows> free_from;
  free_from.fill(frame_.low.x);
  for (const Marker& marker : desk_.stage.history().markers()) {
    if (!frame_.time.contains(marker.time)) continue;
    const float x = std::round(frame_.x(marker.time));
    for (float y = frame_.low.y; y < frame_.high.y; y += desk_.points(6))
      list_.AddLine({x, y}, {x, std::min(y + desk_.points(3), frame_.high.y)}, to_u32(theme_.text_muted),
                    desk_.points(1));
    if (!plot_.names_markers) continue;
    const ImVec2 extent = small_->CalcTextSizeA(small_size_, FLT_MAX, 0, marker.label.c_str());
    const bool fits_right = x + desk_.points(5) + extent.x < frame_.high.x;
    const float left = fits_right ? x + desk_.points(5) : x - desk_.points(5) - extent.x;
    const auto row = std::find_if(free_from.begin(), free_from.end(), [left](float free) { return left >= free; });
    if (row == free_from.end()) continue;
    const float top =
        frame_.low.y + desk_.points(2) + static_cast<float>(row - free_from.begin()) * (extent.y + desk_.points(2));
    list_.AddRectFilled({left - desk_.points(2), top}, {left + extent.x + desk_.points(2), top + extent.y},
                        to_u32(theme_.plot_background.with_alpha(0.8f)));
    list_.AddText(small_, small_size_, {left, top}, to_u32(theme_.text), marker.label.c_str());
    *row = left + extent.x + desk_.points(6);
  }
}

// A line breaks where there is nothing: samples without a value, or columns without a sample.
std::vector<Chart::Line> Chart::lines_of(const Series& series) const {
  std::vector<Line> lines(1);
  const auto add = [&](double t, double v) { lines.back().push_back({frame_.x(t), frame_.y(v)}); };
  const auto lift = [&] {
    if (!lines.back().empty()) lines.emplace_back();
  };
  const int columns = std::max(static_cast<int>(frame_.high.x - frame_.low.x), 1);
  if (series.samples.size() <= static_cast<std::size_t>(2 * columns)) {
    for (const Sample& s : series.samples) std::isfinite(s.value) ? add(s.time, s.value) : lift();
    return lines;
  }
  // Columns that stand still in time, or the line would shimmer as it scrolls.
  const double step = frame_.time.length() / columns;
  const double low = step * std::floor(frame_.time.low / step);
  int before = 0;
  for (const Column& c : decimate(series.samples, {low, low + step * (columns + 1)}, columns + 1)) {
    if (c.index > std::exchange(before, c.index) + 2) lift();
    const double t = low + step * (c.index + 0.5);
    add(t, c.first);
    if (c.low != c.high) {
      add(t, c.low);
      add(t, c.high);
    }
    if (c.last != c.first) add(t, c.last);
  }
  return lines;
}

void Chart::draw_series(const Series& series) {
  const ImU32 color = to_u32(series.color);
  const float width = desk_.points(series.width);
  for (const Line& line : lines_of(series)) {
    if (line.size() == 1) list_.AddCircleFilled(line[0], width, color);
    if (series.dashed) {
      draw_dashes(list_, line, color, width, desk_.points(6), desk_.points(4));
    } else {
      list_.AddPolyline(line.data(), static_cast<int>(line.size()), color, 0, width);
    }
  }
}

void Chart::draw_off_chart() {
  if (!plot_.range.cut) return;
  std::string text = plot_.off_chart.empty() ? "some values are off the chart" : plot_.off_chart;
  if (width_of(text) > frame_.high.x - frame_.low.x - desk_.points(8)) text = "cut off";
  const ImVec2 extent = small_->CalcTextSizeA(small_size_, FLT_MAX, 0, text.c_str());
  // At the top, which is where they have gone: elsewhere it would lie on what is still to be seen.
  const ImVec2 at{frame_.high.x - extent.x - desk_.points(8), frame_.low.y + desk_.points(4)};
  if (at.x < frame_.low.x) return;
  list_.AddRectFilled({at.x - desk_.points(6), at.y - desk_.points(2)},
                      {at.x + extent.x + desk_.points(6), at.y + extent.y + desk_.points(2)},
                      to_u32(render::mix(theme_.plot_background, theme_.error, 0.2f)), desk_.points(4));
  list_.AddText(small_, small_size_, at, to_u32(theme_.error), text.c_str());
}

void Chart::draw_read_out() {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool inside = mouse.x >= frame_.low.x && mouse.x <= frame_.high.x && mouse.y >= low_.y && mouse.y <= high_.y;
  if (inside && ImGui::IsItemHovered())
    desk_.plot_cursor =
        frame_.time.low + (mouse.x - frame_.low.x) / (frame_.high.x - frame_.low.x) * frame_.time.length();
  if (!desk_.plot_cursor || !frame_.time.contains(*desk_.plot_cursor)) return;
  const auto* record = desk_.stage.history().nearest(*desk_.plot_cursor);
  if (record == nullptr || !frame_.time.contains(record->time)) return;
  const float x = frame_.x(record->time);
  list_.AddLine({x, frame_.low.y}, {x, frame_.high.y}, to_u32(theme_.text_muted.with_alpha(0.6f)), desk_.points(1));
  std::string text = short_number(record->time, 4) + " s";
  for (const Series& series : plot_.series) {
    const auto found = std::lower_bound(series.samples.begin(), series.samples.end(), record->time,
                                        [](const Sample& s, double t) { return s.time < t; });
    if (series.name.empty() || found == series.samples.end() || !std::isfinite(found->value)) continue;
    list_.AddCircleFilled({x, std::clamp(frame_.y(found->value), frame_.low.y, frame_.high.y)}, desk_.points(3),
                          to_u32(series.color));
    text += "\n" + series.name + "  " + text_of(found->value);
  }
  if (!inside || !ImGui::IsItemHovered()) return;
  // Records count from the last reset, the run from its beginning.
  if (ImGui::IsItemClicked() && mouse.y >= frame_.low.y && !(plot_.takes_curve && desk_.energy_curve.armed))
    desk_.requests.go_to = desk_.stage.moment().frame + record->frame - desk_.now().record.frame;
  ImGui::BeginTooltip();
  ImGui::PushFont(small_);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopFont();
  ImGui::EndTooltip();
}

}  // namespace

// Time only goes on while one draws.
void Chart::take_curve() {
  auto& [armed, drawn] = desk_.energy_curve;
  if (!armed) return;
  if (ImGui::IsItemDeactivated()) {
    armed = false;
    desk_.requests.commands.push_back(wish_of(drawn));
    return;
  }
  if (!ImGui::IsItemActive()) return drawn.clear();
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto share = [](float at, float low, float high) { return std::clamp((at - low) / (high - low), 0.0f, 1.0f); };
  const double t = frame_.time.low + share(mouse.x, frame_.low.x, frame_.high.x) * frame_.time.length();
  const double J =
      frame_.values.low + share(frame_.high.y - mouse.y, 0, frame_.high.y - frame_.low.y) * frame_.values.length();
  if (t > desk_.now().record.time && (drawn.empty() || t > drawn.back().time)) drawn.push_back({t, J});
}

session::SetEnergy wish_of(const std::vector<Sample>& drawn) {
  constexpr double kApart = 0.1;  // s
  session::SetEnergy wish;
  for (const Sample& sample : drawn)
    if (wish.pieces.empty() || sample.time > wish.pieces.back().from + kApart || &sample == &drawn.back())
      wish.pieces.push_back({sample.time, 1, {}, {}, sample.value});
  return wish;
}

Interval time_to_come(const Desk& desk) {
  const double span = std::clamp(desk.settings.plot_seconds, 3.0, 30.0), now = desk.now().record.time;
  const double low = std::max(0.0, now - span / 3);
  return {low, low + span};
}

Interval shown_time(const Desk& desk) {
  const auto& history = desk.stage.history();
  const auto latest = [&](const auto& time_of) {
    double time = 0;
    for (std::size_t pane = 0; pane < desk.stage.pane_count(); ++pane) time = std::max(time, time_of(pane));
    return time;
  };
  // A short history fills the chart, too; below this it would seem to jump about.
  constexpr double kLeast = 3;
  const double span = desk.settings.plot_seconds;
  const double first = history.records().empty() ? 0 : history.records().front().time;
  // A pane that stands still does not hold the others' charts.
  double last = std::max(latest([&](std::size_t pane) { return desk.stage.notes()[pane].history.last_time(); }),
                         first + std::min(span, kLeast));
  // A branch that was just left goes on ahead of the new one, as far as half a chart.
  const double now = latest([&](std::size_t pane) { return desk.stage.moment().panes[pane].record.time; });
  for (const auto& ghost : desk.stage.moment().ghosts)
    for (const session::RunRecord& record : ghost->records)
      if (desk.stage.is_of_this_start(record)) last = std::max(last, std::min(record.time, now + span / 2));
  // Where one stands in the past is in sight, with some of what comes after.
  if (desk.stage.in_the_past()) last = std::min(last, std::max(now + span / 3, first + std::min(span, kLeast)));
  return {std::max(first, last - span), last};
}

void draw_plot(Desk& desk, const Plot& plot, const Interval& time, ImVec2 size) {
  Chart chart(desk, plot, time, size);
  ImGui::InvisibleButton(plot.id, {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  chart.draw();
  if (plot.takes_curve) chart.take_curve();
  const float title_bottom = ImGui::GetItemRectMin().y + desk.points(24);
  if (ImGui::GetIO().MousePos.y < title_bottom)
    tooltip(desk, plot.about + " Click here: this plot alone, or all of them.");
}

}  // namespace rebound::app
