// What a film shows: panes that play a motion, the same each time that it is begun.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "session/ensemble.hpp"
#include "session/lockstep.hpp"
#include "session/journal.hpp"

namespace rebound::film {

class Cast {
 public:
  virtual ~Cast() = default;
  /// The next frame of every pane. False, and nothing is changed, when there is none.
  virtual bool step() = 0;
  /// The panes that there are now, each with a number that it keeps.
  struct Member {
    int id = 0;
    const session::Session* session = nullptr;
  };
  virtual std::vector<Member> members() const = 0;
  /// Seconds a frame, of the next one.
  virtual double time_step() const = 0;
};

/// Begins the motion.
using Play = std::function<std::unique_ptr<Cast>()>;

/// Worlds side by side, one pane each in this order. A pane that fails stands still.
std::unique_ptr<Cast> side_by_side(const std::vector<scene::World>& worlds, int threads);
/// Each integrator on the same world, one pane each in this order. A pane that fails stands still.
Play compared(const scene::World& world, std::vector<std::string> integrators, int threads);
/// What was recorded, up to `frames`, of this world made of its scene. The journal must live as long as what is
/// returned. Throws InputError, when it plays, naming the line of `file` that cannot be done.
Play replayed(const scene::World& world, const session::Journal& journal, std::int64_t frames, std::string file,
              int threads);

}  // namespace rebound::film
