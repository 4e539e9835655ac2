// What of a pane's energy one can see move.
#pragma once

#include <string>

#include "session/snapshot.hpp"

namespace rebound::app {

/// Where more of the energy than this is in no motion that one can see, the ledger says so.
inline constexpr double kUnseen = 0.2;

/// The share of the ledger's scale that is in no motion one can see: shiver, as much again in elements and contacts, if
/// they hold that much, what elements hold that are inside out, and what is in ripples.
double unseen_share(const session::Snapshot& moment);

/// "48 J to be seen, shiver 9 %"; empty until there have been enough frames.
std::string seen_text(const session::Snapshot& moment);
/// Where the modes that SIERE takes exactly are no help: they are rigid, or the motion is in others. Empty where they
/// are, and of other integrators.
std::string modes_advice(const session::Snapshot& moment);
/// "12 elements inside out hold 1.5 kJ, 8 %"; empty where there are none.
std::string inside_out_text(const session::Snapshot& moment);

}  // namespace rebound::app
