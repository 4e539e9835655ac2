// Are the derivatives that an energy says it has those of its value? For who writes one.
#pragma once

#include <string>
#include <vector>

#include "sim/energy/energy.hpp"

namespace rebound::sim {

/// More vertices than this are too many to be looked at one by one.
inline constexpr int kMostInspected = 300;

/// What is wrong at x (n x 3, m), a sentence each; nothing if all is well. dE is held against differences of E, d2E
/// against differences of dE, within `enough` of the largest entry, and the places of d2E against those that
/// add_laplacian() and add_pattern() give. x is best somewhere in general: deformed, turned, not at rest.
/// Throws std::invalid_argument for more than kMostInspected vertices.
std::vector<std::string> faults_of_derivatives(const Energy& energy, const Points& x, Workspace& work,
                                               double enough = 1e-5);

}  // namespace rebound::sim
