// The paths of the vertices that a scene traces, kept a state at a time, so that none is lost however seldom the window
// looks.
#pragma once

#include <vector>

#include "scene/build.hpp"
#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::session {

/// A circle that a path is seen against: about a vertex of the same body, through where the traced one starts.
struct TraceCircle {
  sim::Vec3 centre;  ///< m, where the vertex about which it lies is now
  sim::Vec3 normal;  ///< length 1; of the plane in which the traced vertex starts to move about the centre
  double radius;     ///< m
};

/// Where one traced vertex has been.
struct TracePath {
  int body = 0;
  std::vector<sim::Vec3> points;  ///< m, one per state, oldest first; the last is where the vertex is now
  std::vector<TraceCircle> circles;
};

class Traces {
 public:
  /// What a path remembers: older states are dropped.
  static constexpr std::size_t kMostPoints = 2000;

  /// Forgets all paths and begins those of `bodies`, one for each body of the model, at `start`.
  void restart(const scene::WorldView& world, const sim::Model& model, const sim::State& start);
  /// Adds a state. `x`: n x 3, m. Bodies may have come to be of other vertices meanwhile.
  void append(const scene::BodyList& bodies, const sim::Model& model, const sim::Points& x);

  const std::vector<TracePath>& paths() const { return paths_; }

 private:
  /// What a path follows, as the scene numbers vertices.
  struct Followed {
    int vertex;
    std::vector<int> centres;
  };

  std::vector<TracePath> paths_;
  std::vector<Followed> followed_;  ///< one per path
};

}  // namespace rebound::session
