// The energy of a world that lies or hangs still: the ground that a wished energy falls to.
#pragma once

#include <atomic>
#include <optional>

#include "sim/model/model.hpp"

namespace rebound::sim {

/// E at a rest near `from` (n x 3, m), J: steps of backward Euler by Newton's method, each from standing still, until
/// none moves anything. The hand is let go first. Nothing where no rest is found, as of what falls for ever, or once
/// *cancel is true; it may be null.
std::optional<double> rest_energy(Model model, const Points& from, Workspace& work,
                                  const std::atomic<bool>* cancel = nullptr);

}  // namespace rebound::sim
