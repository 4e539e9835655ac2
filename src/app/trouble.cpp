#include "app/trouble.hpp"

#include "app/plot_data.hpp"

namespace rebound::app {

std::string times_text(const session::FrameRecord& record) {
  constexpr double kMostSaid = 1e4;
  const double times = record.times_its_target();
  return (times > kMostSaid ? "over 10,000" : short_number(times)) + " × its target";
}

bool runs_away(const session::FrameRecord& record) { return record.times_its_target() > session::kRunsAway; }

std::string trouble(const session::Snapshot& moment) {
  if (!moment.failure.empty()) return moment.failure;
  if (!runs_away(moment.record)) return {};
  return "Energy is " + times_text(moment.record) + ": running away";
}

std::optional<session::FrameRecord> before_the_runaway(const session::Snapshot& moment, const History& history) {
  // A tenth over its target is more than any method that holds would be off.
  constexpr double kStillWell = 1.1;
  if (trouble(moment).empty()) return std::nullopt;
  const auto& records = history.records();
  for (auto record = records.rbegin(); record != records.rend(); ++record)
    if (record->frame <= moment.record.frame && record->times_its_target() <= kStillWell) return *record;
  return records.empty() ? std::nullopt : std::optional(records.front());
}

}  // namespace rebound::app
