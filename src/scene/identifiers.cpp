#include "scene/identifiers.hpp"

#include <algorithm>

namespace rebound::scene {

const Known& built() {
  static const Known known{{"backward-euler", "bdf2", "implicit-midpoint", "newmark", "stabilized"},
                           {"local-global"},
                           {"springs", "arap"},
                           {"hookean"}};
  return known;
}

const Known& named() {
  static const Known known{
      {"forward-euler", "symplectic-euler", "backward-euler", "bdf2", "implicit-midpoint", "newmark", "stabilized",
       "energy-budget", "energy-constrained", "semi-implicit", "exponential", "siere", "a1", "a-search"},
      {"local-global", "newton"},
      {"springs", "arap", "corotated", "fixed-corotated", "stvk", "neo-hookean"},
      {"hookean", "squared"}};
  return known;
}

bool needs_newton(const std::string& material, const std::string& law) {
  if (material == "springs") return law == "squared";
  return material != "arap";
}

}  // namespace rebound::scene
