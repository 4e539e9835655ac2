// The moving part of the world.
#pragma once

#include "sim/base/types.hpp"

namespace rebound::sim {

struct State {
  Points x;    ///< n x 3, m
  Points v;    ///< n x 3, m/s
  Points a{};  ///< n x 3, m/s^2, of a method that carries an acceleration of its own; else empty

  bool finite() const { return x.allFinite() && v.allFinite() && a.allFinite(); }
};

/// What a step may look back on. It is kept whatever the integrator, so changing the integrator in mid-motion is free
/// and BDF2 finds its second point. `before` is not used while has_before is false: at the start, and after anything
/// that is not motion (a teleport, another time step, other pins).
struct History {
  State now;
  State before;
  bool has_before = false;
};

/// What one solve goes on from.
struct Past {
  Past(const History& history) : now(history.now), before(history.has_before ? &history.before : nullptr) {}
  Past(const State& now_, const State* before_) : now(now_), before(before_) {}

  const State& now;
  const State* before;  ///< null: there is none
};

}  // namespace rebound::sim
