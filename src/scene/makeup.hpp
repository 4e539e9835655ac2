// What a body is made of, element by element, and what follows: its masses and its elastic energies.
#pragma once

#include <vector>

#include "scene/build.hpp"
#include "sim/energy/materials.hpp"

namespace rebound::scene {

/// What the elements of a body are made of.
struct Makeup {
  std::vector<Material> materials;  ///< the body's own, then those of its regions
  std::vector<int> of_element;      ///< empty: all of the first

  const Material& at(std::size_t element) const {
    return materials[of_element.empty() ? 0 : static_cast<std::size_t>(of_element[element])];
  }
};

/// x: the body's vertices, where its regions are looked for. Throws InputError for a region that holds nothing.
Makeup makeup_of(const WorldView& world, std::size_t body, const sim::Points& x);
/// Which region each element of a body belongs to, from 1 in their order; 0: the rest of it. Empty where it has none.
std::vector<int> region_of_elements(const WorldView& world, std::size_t body);
/// kg a vertex.
sim::Vector lumped_masses(const BodyGeometry& geometry, const Body& body, const Makeup& makeup);
/// rest: of all vertices of the world, of which the body's begin at `first`.
sim::Energies elastic_energies(const BodyGeometry& geometry, const Makeup& makeup, const sim::Points& rest, int first);

}  // namespace rebound::scene
