// One chart over time: lines, axes, units, legend, markers and a read-out under the mouse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/desk.hpp"
#include "app/plot_data.hpp"
#include "session/commands/method.hpp"

namespace rebound::app {

struct Series {
  std::string name;  ///< empty: not in the legend
  render::Color color;
  std::vector<Sample> samples;
  bool dashed = false;
  float width = 1.6f;     ///< points
  std::size_t order = 0;  ///< of the legend's entries: the smallest first
};

struct Plot {
  const char* id = "";
  std::string title;
  const char* unit = "";
  bool takes_prefix = false;   ///< k, M, ... before the unit
  bool names_markers = false;  ///< says which integrator each marker begins
  std::string about;           ///< the title's tooltip
  std::vector<Series> series;  ///< drawn in order, the last on top
  ShownRange range;            ///< what to show of the values
  /// Where values are left off: up to here they are shown after all, on a logarithmic axis above the other.
  std::optional<double> log_up_to{};
  double rounding = 0;       ///< values no larger than this are nothing
  bool round_ends = true;    ///< whether the axis may grow to round numbers
  std::string off_chart;     ///< said where values are left off the chart
  std::string instead;       ///< said where there is nothing to draw
  bool takes_curve = false;  ///< what is to come can be drawn in it, while Desk::energy_curve is armed
};

/// The part of simulated time that plots show.
Interval shown_time(const Desk& desk);
/// Where a curve of what is to come is drawn: as long a time, with now in its first third.
Interval time_to_come(const Desk& desk);

/// What a curve asks of the target: a straight line from point to point.
session::SetEnergy wish_of(const std::vector<Sample>& drawn);

void draw_plot(Desk& desk, const Plot& plot, const Interval& time, ImVec2 size);

}  // namespace rebound::app
