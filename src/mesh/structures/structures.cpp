#include "mesh/structures/structures.hpp"

#include "mesh/error.hpp"
#include "mesh/structures/recipes.hpp"

namespace rebound::mesh {
namespace {

struct Recipe {
  const char* name;
  Blocks (*make)(Detail);
};

constexpr Recipe kRecipes[] = {{"coil", coil},   {"honeycomb", honeycomb}, {"moebius", moebius},
                               {"tower", tower}, {"bridge", bridge},       {"tree", tree}};

}  // namespace

const std::vector<std::string>& structure_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Recipe& recipe : kRecipes) all.emplace_back(recipe.name);
    return all;
  }();
  return names;
}

TetMesh structure(std::string_view name, Detail detail) {
  for (const Recipe& recipe : kRecipes)
    if (name == recipe.name) return recipe.make(detail).tetrahedra();
  throw MeshError("there is no structure '" + std::string(name) + "'");
}

}  // namespace rebound::mesh
