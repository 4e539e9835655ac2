// The modes of a session as it stands, whatever its integrator: for the table of `run --modes` and the window's panel.
#pragma once

#include <memory>

#include "session/session.hpp"
#include "sim/step/modes.hpp"

namespace rebound::session {

/// One mode of a moment.
struct SeenMode {
  double frequency = 0;               ///< Hz; below 0: it grows instead of swinging
  double kinetic = 0, potential = 0;  ///< J, what it holds
};

/// The lowest modes of a moment.
struct SeenModes {
  std::int64_t frame = 0;
  std::vector<SeenMode> modes;
  int wanted = 0;            ///< how many were asked for; there may be more, as equal frequencies are not cut apart
  double kinetic_above = 0;  ///< J, of all motion that is in none of them
  double milliseconds = 0;   ///< that the look took
  std::string trouble;       ///< why there are none, in one line; empty if there are
};

class ModeWatch {
 public:
  /// The modes of the session now, of its world without one that is being prepared.
  const SeenModes& look(const Session& session, int wanted);
  /// The surface of a body that is moved by `way` times a mode of the last look, whose farthest point moves by 1 m; of
  /// the session that it looked at.
  mesh::Points surface(const Session& session, int body, int mode, double way) const;

 private:
  std::unique_ptr<sim::ModalAnalysis> analysis_;
  std::unique_ptr<sim::Workspace> work_;
  const sim::Model* model_ = nullptr;
  std::uint64_t revision_ = 0;
  SeenModes seen_;
};

/// The table of modes, a row a mode and frame; with its line end.
std::string modes_header();
std::string modes_rows(const SeenModes& seen);

}  // namespace rebound::session
