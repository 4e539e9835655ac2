#include "sim/energy/membrane.hpp"

#include "sim/energy/hinges.hpp"
#include "sim/energy/membrane_neo_hookean.hpp"
#include "sim/energy/membrane_stvk.hpp"
#include "sim/energy/triangles.inl"

namespace rebound::sim {
namespace {

template <TriangleMaterial Material>
Energies make_membrane(const MaterialElements& body) {
  const auto& triangles = std::get<std::vector<std::array<int, 3>>>(body.elements);
  Energies energies;
  energies.push_back(std::make_unique<Triangles<Material>>(body.rest, triangles, body.values));
  auto hinges = std::make_unique<Hinges>(body.rest, triangles, body.values);
  if (hinges->size() > 0) energies.push_back(std::move(hinges));
  return energies;
}

}  // namespace

Energies make_stvk_membrane(const MaterialElements& body) { return make_membrane<MembraneStVK>(body); }
Energies make_neo_hookean_membrane(const MaterialElements& body) { return make_membrane<MembraneNeoHookean>(body); }

}  // namespace rebound::sim
