#include "scene/build_constraints.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "mesh/error.hpp"
#include "scene/wording.hpp"
#include "sim/constraint/constraint_space.hpp"
#include "sim/constraint/rod.hpp"
#include "sim/constraint/wires.hpp"

namespace rebound::scene {
namespace {

// Of a constraint's size: a start that is nearer is meant to hold, and is brought there.
constexpr double kMeant = 0.01;
constexpr double kShortestRod = 1e-6;  // m

std::string place_of_constraint(const WorldView& world, std::size_t body, std::size_t constraint) {
  return body_place(world, body) + "/constraints/" + std::to_string(constraint);
}

// The sides of a cloth's cells, x fastest.
std::vector<std::array<int, 2>> threads_of(const ClothMesh& cloth) {
  const int nx = cloth.divisions[0], nz = cloth.divisions[1];
  std::vector<std::array<int, 2>> threads;
  for (int j = 0; j <= nz; ++j)
    for (int i = 0; i <= nx; ++i) {
      const int v = j * (nx + 1) + i;
      if (i < nx) threads.push_back({v, v + 1});
      if (j < nz) threads.push_back({v, v + nx + 1});
    }
  return threads;
}

std::vector<std::array<int, 2>> pairs_of(const WorldView& world, std::size_t b, std::size_t c, const Rods& rods) {
  const auto* cloth = std::get_if<ClothMesh>(&world.description.bodies[b].mesh);
  switch (rods.which) {
    case Rods::Which::pairs:
      return rods.pairs;
    case Rods::Which::threads:
      if (cloth == nullptr)
        throw InputError(place_of_constraint(world, b, c) +
                         "/rods: only a \"cloth\" has threads; give \"edges\" or pairs of vertices");
      return threads_of(*cloth);
    case Rods::Which::edges:
      break;
  }
  const auto edges = world.bodies[b].edges();
  if (edges.empty())
    throw InputError(place_of_constraint(world, b, c) +
                     "/rods: the body has no springs whose edges could be rods; give pairs of vertices");
  return {edges.begin(), edges.end()};
}

/// The constraints of one body, whose vertices begin with `first`.
struct BodyConstraints {
  const WorldView& world;
  std::size_t b;
  int first, count;
  const sim::Points& rest;
  const sim::Points& start;
  sim::Constraints& made;
  std::size_t c = 0;  ///< which one

  void require_vertex(int v) const {
    if (v < 0 || v >= count)
      throw InputError(place_of_constraint(world, b, c) + ": vertex " + std::to_string(v) +
                       " does not exist; the mesh has vertices 0 to " + std::to_string(count - 1));
  }

  void operator()(const Rods& rods) const {
    for (const auto& [i, j] : pairs_of(world, b, c, rods)) {
      require_vertex(i);
      require_vertex(j);
      const double length = rods.length.value_or((rest.row(first + i) - rest.row(first + j)).norm());
      if (!(length > kShortestRod))
        throw InputError(place_of_constraint(world, b, c) + ": vertices " + std::to_string(i) + " and " +
                         std::to_string(j) + " are at one point, and a rod needs a length; leave it out");
      made.push_back(std::make_shared<sim::Rod>(first + i, first + j, length));
    }
  }

  void operator()(const OnCurve& on) const {
    const sim::Points numbered = rest.middleRows(first, count);
    const std::vector<int> vertices = selected_vertices(on.vertices, world.bodies[b], numbered);
    if (vertices.empty())
      throw InputError(place_of_constraint(world, b, c) + "/vertices: the box holds no vertex of the body");
    for (const int v : vertices) {
      require_vertex(v);
      const sim::Vec3 at = start.row(first + v).transpose();
      std::visit([&](const auto& curve) { made.push_back(wire(first + v, at, curve)); }, on.curve);
    }
  }

  std::shared_ptr<const sim::Constraint> wire(int v, const sim::Vec3& at, const LineCurve& line) const {
    return std::make_shared<sim::LineWire>(v, at, to_eigen(line.direction));
  }
  std::shared_ptr<const sim::Constraint> wire(int v, const sim::Vec3& at, const CircleCurve& circle) const {
    const sim::Vec3 centre = to_eigen(circle.centre), normal = to_eigen(circle.normal).normalized();
    const sim::Vec3 q = at - centre;
    const double radius = (q - normal * normal.dot(q)).norm();
    require_off_axis(v, radius);
    // The circle that the vertex goes round on: about the axis, at its own height.
    return std::make_shared<sim::CircleWire>(v, sim::Vec3(centre + normal * normal.dot(q)), normal, radius);
  }
  std::shared_ptr<const sim::Constraint> wire(int v, const sim::Vec3& at, const HelixCurve& helix) const {
    auto made_one = std::make_shared<sim::HelixWire>(v, to_eigen(helix.centre), to_eigen(helix.axis), helix.pitch, at);
    require_off_axis(v, made_one->radius());
    return made_one;
  }

  void require_off_axis(int v, double radius) const {
    if (!(radius > kShortestRod))
      throw InputError(place_of_constraint(world, b, c) + ": vertex " + std::to_string(v - first) +
                       " begins on the axis, so its curve has no radius; begin beside it, or give a \"line\"");
  }
};

}  // namespace

bool has_constraints(const Description& description) {
  return std::any_of(description.bodies.begin(), description.bodies.end(),
                     [](const Body& body) { return !body.constraints.empty(); });
}

sim::Constraints build_constraints(const WorldView& world, const sim::Points& rest, const sim::Points& start,
                                   const std::vector<sim::BodyRange>& bodies) {
  sim::Constraints made;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    BodyConstraints body{world, b, bodies[b].first, bodies[b].count, rest, start, made};
    const auto& constraints = world.description.bodies[b].constraints;
    if (!constraints.empty() && world.bodies[b].is_affine())
      throw InputError(place_of_constraint(world, b, 0) +
                       ": an affine body moves as one and has no vertices of its own; use a soft material");
    for (body.c = 0; body.c < constraints.size(); ++body.c) std::visit(body, constraints[body.c]);
  }
  return made;
}

std::string wording_of_constraint(const Description& description, const sim::Model& model, int constraint) {
  const sim::Constraint& c = *model.constraints[static_cast<std::size_t>(constraint)];
  const auto vertices = c.vertices();
  const std::size_t b = model.body_of(vertices[0]);
  const int first = model.bodies[b].first;
  const std::string of_body = " of body " + in_quotes(description.bodies[b].name);
  if (vertices.size() == 2)
    return "the " + std::string(c.kind()) + " between vertices " + std::to_string(vertices[0] - first) + " and " +
           std::to_string(vertices[1] - first) + of_body;
  return "the " + std::string(c.kind()) + " that keeps vertex " + std::to_string(vertices[0] - first) + of_body;
}

void begin_on_constraints(const WorldView& world, const sim::Model& model, sim::State& start) {
  if (model.constraints.empty()) return;
  const std::string place = world.description.place("/bodies: ");
  const auto name = [&](int c) { return wording_of_constraint(world.description, model, c); };
  std::vector<sim::ConstraintRow> rows(sim::kMostConstraintEquations);
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const sim::Constraint& constraint = *model.constraints[c];
    constraint.evaluate(start.x, rows);
    for (int e = 0; e < constraint.equations(); ++e) {
      double off = rows[static_cast<std::size_t>(e)].c;
      if (std::abs(off) <= kMeant * constraint.size()) continue;
      // (d^2 - l^2) / (2 l) of a rod: d - l.
      const double l = constraint.size();
      if (constraint.kind() == "rod") off = std::sqrt(l * (l + 2 * off)) - l;
      throw InputError(place + name(static_cast<int>(c)) + " does not hold at the start: it is off by " +
                       number_text(off) + " m; change the start or the length, or leave it out");
    }
  }
  sim::ConstraintSpace space(model.constraints, model.M, model.fixed);
  if (const auto twice = space.look(start.x))
    throw InputError(place + name(*twice) +
                     " repeats what the others hold already, so its force has no one value; leave it out, or fix fewer "
                     "vertices");
  if (!space.any()) return;
  if (!space.restore(start.x)) throw InputError(place + name(space.worst()) + " cannot hold beside the others");
  model.clear_fixed(start.v);
  space.make_tangential(start.v);
}

}  // namespace rebound::scene
