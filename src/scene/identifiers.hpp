// The names of methods and materials: those that the format speaks of, and those that a build can do.
#pragma once

#include <string>
#include <vector>

#include "scene/description.hpp"

namespace rebound::scene {

/// What the simulation at hand can do; a scene that asks for anything else is refused.
struct Known {
  std::vector<std::string> integrators;
  std::vector<std::string> solvers;
  std::vector<std::string> materials;
  std::vector<std::string> laws{"hookean"};  ///< of all materials that have several
  std::vector<std::string> dampings{"rigid-preserving"};
};

/// What this version can do.
const Known& built();

/// Every name that the format gives a meaning, built or not.
const Known& named();

/// What newton and newton-cg may take where elements curve down.
const std::vector<std::string>& projections();

/// The row of scene::ranges() that a damping's coefficient keeps to.
std::string damping_range(const std::string& type);

}  // namespace rebound::scene
