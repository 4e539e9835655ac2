// The sandbox window, from its opening to its end.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/window.hpp"
#include "scene/description.hpp"
#include "session/journal.hpp"

namespace rebound::app {

struct WindowOptions {
  std::function<scene::Description()> open;  ///< the first scene; called again for a reload
  std::string name;                          ///< of it, for messages
  std::shared_ptr<session::Journal> run;     ///< what open() fills if it is a run, to be done again; may be null
  int threads = 0;                           ///< of the simulation; 0: what suits this machine
  bool paused = false;
  Size size;                    ///< points; empty: what fits the display
  std::filesystem::path trace;  ///< a JSON line a moment goes there, for tests; empty: none
};

/// Returns when the window is closed. Throws NoDisplay where there is none, and InputError if the first scene cannot be
/// opened.
void open_window(const WindowOptions& options);

}  // namespace rebound::app
