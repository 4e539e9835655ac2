// The tables that a run writes: the ledger, one row a frame, and the states, one row a vertex. The columns are public.
#pragma once

#include <string>

#include "session/session.hpp"

namespace rebound::session {

/// Header lines, with their line ends.
std::string ledger_header();
std::string states_header();
std::string solves_header();
std::string constraints_header();

/// One row, with its line end.
std::string ledger_row(const FrameRecord& record);
/// The rows of every iterate of the last frame's solves.
std::string solves_rows(const Session& session);
/// The rows of every rod and wire: what it holds with in N, and how far it is off in m.
std::string constraints_rows(const Session& session);
/// The rows of every vertex of every body at this moment.
std::string states_rows(const Session& session);

}  // namespace rebound::session
