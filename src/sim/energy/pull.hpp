// What a bar of a material answers to a pull: the curve that engineers know a material by, and where it ends
// to make sense.
#pragma once

#include <span>
#include <vector>

#include "sim/energy/materials.hpp"

namespace rebound::sim {

/// The force along a bar over its cross-section at rest, Pa, one for each stretch > 0 (its length over that at rest).
/// Its sides are free: they take the width that leaves them without stress. Of tetrahedra alone.
std::vector<double> pull_stress(const MaterialInfo& material, const MaterialValues& values,
                                std::span<const double> stretches);

/// How far a bar is looked at when its limits are sought.
inline constexpr double kLeastPull = 0.05, kMostPull = 10;

struct PullLimit {
  enum class Kind {
    none,       ///< as far as it is looked
    gives_way,  ///< beyond, the force grows no more: a bar collapses, or tears
    no_width,   ///< beyond, no width leaves the sides without stress: it is pressed to a line
  };
  Kind kind = Kind::none;
  double stretch = 1;
};

/// Where the curve of pull_stress ends to be that of a bar, pressed and pulled from its length at rest; to 1e-3.
struct PullLimits {
  PullLimit pressed, pulled;
};
PullLimits pull_limits(const MaterialInfo& material, const MaterialValues& values);

}  // namespace rebound::sim
