// What a bar of a material answers to a pull: the curve that engineers know a material by.
#pragma once

#include <span>
#include <vector>

#include "sim/energy/materials.hpp"

namespace rebound::sim {

/// The force along a bar over its cross-section at rest, Pa, one for each stretch > 0 (its length over that at rest).
/// Its sides are free: they take the width that leaves them without stress. Of tetrahedra alone.
std::vector<double> pull_stress(const MaterialInfo& material, const MaterialValues& values,
                                std::span<const double> stretches);

}  // namespace rebound::sim
