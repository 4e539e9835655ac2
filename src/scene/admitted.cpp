#include "scene/admitted.hpp"

#include <Eigen/Geometry>

#include "mesh/error.hpp"
#include "scene/makeup.hpp"
#include "scene/material.hpp"
#include "scene/wording.hpp"
#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

/// The volume of a tetrahedron, times 6, or the area of a triangle, times 2; not positive where a barrier does not
/// admit it.
template <std::size_t corners>
double size_of(const std::array<int, corners>& element, const sim::Points& x) {
  [[maybe_unused]] const auto side = [&](std::size_t k) {
    return sim::Vec3((x.row(element[k]) - x.row(element[0])).transpose());
  };
  if constexpr (corners == 4) return side(1).cross(side(2)).dot(side(3));
  if constexpr (corners == 3) return side(1).cross(side(2)).norm();
  return 1;
}

/// What takes such elements however they are turned.
std::string what_would_work(const sim::MaterialInfo& info, const std::string& solver_id) {
  const sim::SolverInfo* solver = sim::find_solver(solver_id);
  std::vector<std::string> able;
  for (const sim::MaterialInfo& other : sim::materials()) {
    if (other.kind != info.kind || other.is_whole) continue;
    for (const sim::MaterialLaw& law : other.laws)
      if (!law.has_barrier && (solver == nullptr || solver->takes(law)))
        able.push_back((other.has_choice_of_law() ? "law " : "") +
                       in_quotes(other.has_choice_of_law() ? law.id : other.id));
  }
  return either(able);
}

[[noreturn]] void refuse(const std::string& place, const Material& material, int first, int count,
                         const std::string& solver) {
  const sim::MaterialInfo& info = *sim::find_material(material.model);
  const bool solid = info.kind == sim::ElementKind::tetrahedra;
  const std::string one = solid ? "tetrahedron " : "triangle ";
  const std::string what = solid ? "inside out or flat" : "without area";
  const std::string name = info.has_choice_of_law() ? "law " + in_quotes(material.law) : in_quotes(info.id);
  throw InputError(place + ": " + one + std::to_string(first) +
                   (count == 1 ? " is " : ", and " + std::to_string(count - 1) + " more, are ") + what + ", where " +
                   name + " has no finite energy; begin with all of them " + (solid ? "upright" : "whole") +
                   ", or use " + what_would_work(info, solver));
}

}  // namespace

void check_admitted(const WorldView& world, const sim::Points& x, std::string_view where) {
  Eigen::Index begin = 0;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const BodyGeometry& geometry = world.bodies[b];
    const Body& body = world.description.bodies[b];
    const auto has_barrier = [](const Material& material) {
      return sim::find_material(material.model)->find_law(material.law)->has_barrier;
    };
    bool any = has_barrier(body.material);
    for (const MaterialRegion& region : body.regions) any = any || has_barrier(material_in(region, body.material));
    if (any && !geometry.is_affine()) {
      const Makeup makeup = makeup_of(world, b, undeformed(world).middleRows(begin, geometry.vertices()));
      const sim::Points mine = x.middleRows(begin, geometry.vertices());
      int first = -1, count = 0;
      std::visit(
          [&](const auto& elements) {
            for (std::size_t e = 0; e < elements.size(); ++e)
              if (has_barrier(makeup.at(e)) && !(size_of(elements[e], mine) > 0) && count++ == 0)
                first = static_cast<int>(e);
          },
          geometry.elements);
      if (count > 0)
        refuse(body_place(world, b) + "/" + std::string(where), makeup.at(static_cast<std::size_t>(first)), first,
               count, world.description.solver.type);
    }
    begin += geometry.vertices();
  }
}

}  // namespace rebound::scene
