#include "app/heat_scale.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::app {
namespace {

constexpr double kHalfLife = 2;     // s
constexpr double kLongest = 0.1;    // s; a pause is no reason to fall
constexpr double kLeastTop = 1e-9;  // a body at rest has no stress, and is all of the calmest colour

bool is_beyond_comparing(const session::Snapshot& pane) {
  return !pane.failure.empty() || pane.record.times_its_target() > session::kRunsAway;
}

}  // namespace

void HeatScale::follow(std::span<const session::Snapshot> panes, double seconds) {
  const auto kind = panes.empty() ? session::FieldKind::none : panes.front().field.kind;
  if (kind != kind_) top_ = 0;
  kind_ = kind;
  has_any_ = false;
  const bool all_run_away = std::all_of(panes.begin(), panes.end(), is_beyond_comparing);
  double now = 0;
  for (const session::Snapshot& pane : panes) {
    has_any_ |= pane.field.has_any();
    if (all_run_away || !is_beyond_comparing(pane)) now = std::max(now, pane.field.top);
  }
  top_ = std::max(now, top_ * std::exp2(-std::min(seconds, kLongest) / kHalfLife));
}

double HeatScale::top() const { return std::max(top_, kLeastTop); }

}  // namespace rebound::app
