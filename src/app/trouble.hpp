// When to say that a simulation runs away, and when that began.
#pragma once

#include <optional>
#include <string>

#include "app/history.hpp"
#include "session/runner.hpp"

namespace rebound::app {

/// Why it stands still, or "Energy is 57 × its target: running away"; empty while all is well.
std::string trouble(const session::Snapshot& moment);
/// "57 × its target": the one number that is said of a runaway, wherever.
std::string times_text(const session::FrameRecord& record);
bool runs_away(const session::FrameRecord& record);

/// The last record of a pane in trouble at which all was still well; the first that is kept if there was none.
std::optional<session::FrameRecord> before_the_runaway(const session::Snapshot& moment, const History& history);

}  // namespace rebound::app
