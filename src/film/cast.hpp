// What a film shows: panes that play a motion, the same each time that it is begun.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "session/ensemble.hpp"
#include "session/journal.hpp"
#include "session/lockstep.hpp"
#include "session/snapshot.hpp"

namespace rebound::film {

class Cast {
 public:
  virtual ~Cast() = default;
  /// The next frame of every pane. False, and nothing is changed, when there is none. Throws OutOfMemory, and
  /// InputError where a world cannot begin.
  virtual bool step() = 0;
  /// The panes that there are now, each with a number that it keeps. Valid until the next step.
  struct Member {
    int id = 0;
    const session::Snapshot* moment = nullptr;
  };
  virtual const std::vector<Member>& members() const = 0;
  /// Seconds a frame, of the next one.
  virtual double time_step() const = 0;
  /// Where what was recorded has come out otherwise by now, in one line; empty if it has not.
  virtual std::string divergence() const { return {}; }
};

/// Begins the motion, with bodies coloured by this field.
using Play = std::function<std::unique_ptr<Cast>(session::FieldKind colors)>;

/// Each integrator on the same world, one pane each in this order. A pane that fails stands still.
Play compared(const scene::World& world, std::vector<std::string> integrators, int threads);
/// Worlds side by side, one pane each in this order. A pane that fails stands still.
Play side_by_side(std::vector<scene::World> worlds, int threads);
/// What was recorded, up to `frames`, of this world made of its scene. The journal must live as long as what is
/// returned. Throws InputError, when it plays, naming the line of `file` that cannot be done.
Play replayed(const scene::World& world, const session::Journal& journal, std::int64_t frames, std::string file,
              int threads);

}  // namespace rebound::film
