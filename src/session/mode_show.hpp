// The modes of the panes while somebody looks at them, and one of them played: the body swings in it, slowly and not by
// physics. For the runner: what an onlooker has asked for, and the moments that he gets.
#pragma once

#include <chrono>
#include <map>
#include <optional>

#include "session/mode_watch.hpp"
#include "session/snapshot.hpp"
#include "session/timeline.hpp"

namespace rebound::session {

/// A mode that is played.
struct PlayedMode {
  int pane = 0;  ///< its id
  int mode = 0;  ///< from 0
  bool operator==(const PlayedMode&) const = default;
};

/// What is to be shown.
struct ShownModes {
  int wanted = 0;  ///< 0: none
  std::optional<PlayedMode> played;
  bool operator==(const ShownModes&) const = default;
};

class ModeShow {
 public:
  /// Writes the modes into the panes of a moment that shows the present, as often as they cost little
  /// beside the motion.
  void add_to(const Timeline& timeline, const ShownModes& shown, Moment& moment);

 private:
  using Clock = std::chrono::steady_clock;
  struct Watched {
    ModeWatch watch;
    std::shared_ptr<const SeenModes> seen;
    std::uint64_t revision = 0;
    Clock::time_point due{};
  };
  void look(const Session& session, int wanted, bool at_once, Watched& watched);
  void play(const Session& session, const PlayedMode& played, const Watched& watched, Snapshot& snapshot);

  std::map<int, Watched> panes_;
  std::optional<PlayedMode> playing_;
  Clock::time_point began_{};
};

}  // namespace rebound::session
