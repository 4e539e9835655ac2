#include "scene/identifiers.hpp"

#include <algorithm>

#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

std::vector<std::string> all_laws() {
  std::vector<std::string> all;
  for (const auto& material : sim::materials())
    if (material.has_choice_of_law())
      for (const auto& law : material.laws) all.emplace_back(law.id);
  return all;
}

}  // namespace

const Known& built() {
  static const Known known = [] {
    Known from_registries;
    for (const auto& integrator : sim::integrators()) from_registries.integrators.emplace_back(integrator.id);
    for (const auto& solver : sim::solvers()) from_registries.solvers.emplace_back(solver.id);
    for (const auto& material : sim::materials()) from_registries.materials.emplace_back(material.id);
    from_registries.laws = all_laws();
    from_registries.dampings.clear();
    for (const auto& damping : sim::dampings()) from_registries.dampings.emplace_back(damping.id);
    return from_registries;
  }();
  return known;
}

const Known& named() {
  static const Known known{
      {"forward-euler", "symplectic-euler", "backward-euler", "bdf2", "implicit-midpoint", "newmark", "stabilized",
       "energy-budget", "energy-constrained", "semi-implicit", "exponential", "siere", "a1", "a-search", "tr-bdf2",
       "sdirk2", "generalized-alpha", "rebound"},
      {"local-global", "newton", "newton-cg", "quasi-newton", "gast"},
      {"springs", "arap", "corotated", "fixed-corotated", "stvk", "neo-hookean", "stable-neo-hookean", "affine",
       "membrane"},
      all_laws(),
      {"rigid-preserving", "drag", "rayleigh"}};
  return known;
}

const std::vector<std::string>& projections() {
  static const std::vector<std::string> names(sim::kProjections.begin(), sim::kProjections.end());
  return names;
}

std::string damping_range(const std::string& type) {
  return type == "rigid-preserving" ? "damping.coefficient" : "damping.coefficient." + type;
}

}  // namespace rebound::scene
