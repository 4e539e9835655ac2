// Commands and events as JSON objects, one a line of a run's file: {"do": "grab", "body": 0, "vertex": 3, ...}.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scene/json_reader.hpp"
#include "session/ensemble.hpp"

namespace rebound::session {

/// Adds "do" and what belongs to it; "pane" where it is for one pane alone. Numbers read back exactly.
void write_event(const Event& event, nlohmann::ordered_json& line);

/// Asks the object for what write_event() has written. Throws InputError with the place if it is out of range, or is no
/// event; what only a session can know (is there such a vertex?) is checked when it is applied.
Event read_event(scene::Reader& line);

}  // namespace rebound::session
