// The fast half of building a world: masses, energies and the start, from geometry and a description.
#include "scene/build.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "mesh/error.hpp"
#include "scene/affine_geometry.hpp"
#include "scene/build_constraints.hpp"
#include "scene/build_obstacles.hpp"
#include "scene/constraints.hpp"
#include "scene/makeup.hpp"
#include "scene/material.hpp"
#include "scene/selection.hpp"
#include "scene/start.hpp"
#include "scene/wording.hpp"
#include "sim/energy/gravity.hpp"
#include "sim/energy/materials.hpp"
#include "sim/linear/small_pairs.hpp"

namespace rebound::scene {
namespace {

using sim::Points;

// Scaling is in the rest shape already.
Points placed(const BodyGeometry& geometry, const Transform& transform) {
  const sim::Vec3 axis = to_eigen(transform.rotate.axis);
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
  if (transform.rotate.angle != 0)
    R = Eigen::AngleAxisd(transform.rotate.angle * std::numbers::pi / 180, axis.normalized()).toRotationMatrix();
  Points x = geometry.rest * R.transpose();
  x.rowwise() += to_eigen(transform.translate).transpose();
  return x;
}

// The highest few percent of a body whose size nobody knew when its scene was made; of a sheet that lies flat, those at
// one end.
std::vector<int> top_of(const Points& x) {
  constexpr double kLyingFlat = 1e-3;
  const Eigen::RowVector3d size = x.colwise().maxCoeff() - x.colwise().minCoeff();
  int axis = 1;
  if (size[1] < kLyingFlat * size.maxCoeff()) size.maxCoeff(&axis);
  const double high = x.col(axis).maxCoeff();
  std::vector<int> top;
  for (int i = 0; i < x.rows(); ++i)
    if (x(i, axis) >= high - 0.06 * size[axis]) top.push_back(i);
  return top;
}

void require_border(const WorldView& world, std::size_t b, const Selection& selection, const char* key) {
  if (!std::holds_alternative<BorderSelection>(selection) || !border_of(world.bodies[b]).empty()) return;
  throw InputError(body_place(world, b) + "/" + key +
                   ": the body has no border, as only open sheets have; give vertex numbers or a box");
}

// What an affine body has no vertices of its own for.
void require_whole(const WorldView& world, std::size_t b) {
  const Body& body = world.description.bodies[b];
  const auto refuse = [&](const char* key, const std::string& what) {
    throw InputError(body_place(world, b) + "/" + key + ": " + in_quotes(body.material.model) + " " + what);
  };
  if (!body.regions.empty())
    refuse("regions", "is of one material throughout; leave regions out, or use a soft material");
  if (!body.masses.empty()) refuse("masses", "has its mass by its density; leave the masses out");
  if (!body.velocities.empty()) refuse("velocities", "moves as one; give 'velocity' and 'angularVelocity' instead");
  if (!std::holds_alternative<std::monostate>(body.start) && !std::holds_alternative<StretchedStart>(body.start))
    refuse("start", "moves as one; start at 'rest' or 'stretched', or use a soft material");
}

void require_counts(const WorldView& world) {
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.description.bodies[b];
    const auto& geometry = world.bodies[b];
    const auto need = [&](std::size_t have, std::size_t want, const char* key, const char* each) {
      if (have != 0 && have != want)
        throw InputError(body_place(world, b) + "/" + key + ": " + std::to_string(have) + " entries; the mesh has " +
                         std::to_string(want) + " " + each + ", give one for each");
    };
    if (geometry.is_affine()) require_whole(world, b);
    need(body.masses.size(), geometry.rest.rows(), "masses", "vertices");
    if (const auto* given = std::get_if<GivenStart>(&body.start))
      need(given->positions.size(), geometry.rest.rows(), "start/positions", "vertices");
    need(body.velocities.size(), geometry.rest.rows(), "velocities", "vertices");
    need(body.material.restLengths.size(), geometry.edges().size(), "material/restLengths", "springs");
    const auto in_range = [&](const Selection& selection, const char* key) {
      if (const auto* vertices = std::get_if<std::vector<int>>(&selection))
        for (const int v : *vertices)
          if (v < 0 || v >= geometry.numbered_vertices())
            throw InputError(body_place(world, b) + "/" + key + ": vertex " + std::to_string(v) +
                             " does not exist; the mesh has vertices 0 to " +
                             std::to_string(geometry.numbered_vertices() - 1));
    };
    in_range(body.fixed, "fixed");
    require_border(world, b, body.fixed, "fixed");
    for (const auto& attachment : body.attachments) {
      in_range(attachment.vertices, "attachments");
      require_border(world, b, attachment.vertices, "attachments");
    }
    for (const auto& trace : body.traces) {
      in_range(std::vector<int>{trace.vertex}, "traces");
      in_range(trace.around, "traces");
    }
    const auto check = [&](const Material& material, const std::string& place) {
      if (const auto fault = fault_of(material, geometry.kind(), world.description.solver.type))
        throw InputError(body_place(world, b) + place + "/material/" + std::string(fault->key) + ": " + fault->what);
    };
    check(body.material, "");
    for (std::size_t r = 0; r < body.regions.size(); ++r)
      check(material_in(body.regions[r], body.material), "/regions/" + std::to_string(r));
  }
}

Points all_placed(const WorldView& world) {
  Eigen::Index n = 0;
  for (const auto& geometry : world.bodies) n += geometry.rest.rows();
  Points x(n, 3);
  Eigen::Index first = 0;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    x.middleRows(first, world.bodies[b].rest.rows()) = placed(world.bodies[b], world.description.bodies[b].transform);
    first += world.bodies[b].rest.rows();
  }
  return x;
}

// x: where the vertices of all bodies are.
double extent_of(const WorldView& world, const Points& x) {
  Eigen::AlignedBox3d box;
  Eigen::Index first = 0;
  for (const BodyGeometry& geometry : world.bodies) {
    const Points numbered = geometry.numbered_at(x.middleRows(first, geometry.vertices()));
    for (Eigen::Index i = 0; i < numbered.rows(); ++i) box.extend(sim::Vec3(numbered.row(i).transpose()));
    first += geometry.vertices();
  }
  return box.isEmpty() ? 0 : box.diagonal().norm();
}

// x: where the numbered vertices are.
void add_attachments(const Body& body, const BodyGeometry& geometry, const Points& x, int first,
                     sim::Attachments& attachments) {
  for (const Attachment& attachment : body.attachments)
    for (const int v : selected(attachment.vertices, geometry, x)) {
      const sim::Vec3 start = x.row(v).transpose();
      const sim::Vec3 offset = MovingHandle{0, start, attachment.motion}.at(0);
      attachments.items.push_back({geometry.numbered_point(v, first), attachment.stiffness, offset});
    }
}

void require_mass(const WorldView& world, std::size_t b, const sim::Vector& M, const std::vector<std::uint8_t>& fixed) {
  for (Eigen::Index i = 0; i < M.size(); ++i)
    if (!(M[i] > 0) && !fixed[static_cast<std::size_t>(i)])
      throw InputError(body_place(world, b) + ": vertex " + std::to_string(i) +
                       " has no mass (nothing is attached to it); remove it, fix it, or give masses");
}

/// Do these points span more than a plane? Then an affine body that they hold cannot move.
bool span_a_volume(const Points& x, const std::vector<int>& points) {
  constexpr double kFlatSelection = 1e-6;  // as a share of the greatest extent
  if (points.size() < 4) return false;
  Points chosen(static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i) chosen.row(static_cast<Eigen::Index>(i)) = x.row(points[i]);
  chosen.rowwise() -= Eigen::RowVector3d(chosen.colwise().mean());
  const Eigen::Matrix3d spread = chosen.transpose() * chosen;
  const Eigen::Vector3d extents = sim::symmetric_pairs(spread).values;
  return extents[0] > kFlatSelection * kFlatSelection * extents[2];
}

// One entry a vertex of the model. x: where the numbered vertices are.
std::vector<int> held_at_the_start(const WorldView& world, std::size_t b, const Points& x) {
  const Body& body = world.description.bodies[b];
  std::vector<int> held = selected(body.fixed, world.bodies[b], x);
  if (body.autoHang)
    for (const int v : top_of(x)) held.push_back(v);
  return held;
}

std::vector<std::uint8_t> fixed_at_the_start(const WorldView& world, std::size_t b, const Points& x) {
  const BodyGeometry& geometry = world.bodies[b];
  const std::vector<int> held = held_at_the_start(world, b, x);
  std::vector<std::uint8_t> fixed(static_cast<std::size_t>(geometry.vertices()), 0);
  if (!geometry.is_affine()) {
    for (const int v : held) fixed[static_cast<std::size_t>(v)] = 1;
  } else if (span_a_volume(x, held)) {
    fixed.assign(fixed.size(), 1);
  } else if (!held.empty()) {
    throw InputError(
        body_place(world, b) + "/fixed: the " + std::to_string(held.size()) +
        " vertices lie in a plane, so they do not hold an affine body as a whole, and it cannot be fixed in "
        "part; fix some beside that plane too, or use 'attachments'");
  }
  return fixed;
}

}  // namespace

sim::BodyPoint BodyGeometry::numbered_point(int vertex, int first) const {
  if (!is_affine()) return sim::BodyPoint::at_vertex(first + vertex);
  const auto v = static_cast<std::size_t>(vertex);
  sim::BodyPoint point{numbering.vertices[v], numbering.weights[v]};
  for (int& at : point.vertices) at += first;
  return point;
}

sim::Vec3 MovingHandle::at(double time) const {
  if (motion.empty()) return start;
  if (time <= motion.front().time) return start + to_eigen(motion.front().offset);
  for (std::size_t i = 1; i < motion.size(); ++i)
    if (time < motion[i].time) {
      const double s = (time - motion[i - 1].time) / (motion[i].time - motion[i - 1].time);
      return start + (1 - s) * to_eigen(motion[i - 1].offset) + s * to_eigen(motion[i].offset);
    }
  return start + to_eigen(motion.back().offset);
}

sim::Model build_model(const WorldView& world) {
  require_counts(world);
  sim::Model model;
  const Points x = all_placed(world);
  const auto n = x.rows();
  model.M.resize(n);
  model.fixed.assign(static_cast<std::size_t>(n), 0);
  model.g = to_eigen(world.description.gravity);
  model.extent = extent_of(world, x);
  sim::Vector weighing(n);
  int first = 0;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const BodyGeometry& geometry = world.bodies[b];
    const Body& body = world.description.bodies[b];
    const int count = geometry.vertices();
    const Points body_x = x.middleRows(first, count);
    const Points numbered = geometry.numbered_at(body_x);
    const std::vector<std::uint8_t> fixed = fixed_at_the_start(world, b, numbered);
    const Makeup makeup = makeup_of(world, b, body_x);
    sim::Vector M = lumped_masses(geometry, body, makeup);
    require_mass(world, b, M, fixed);
    weighing.segment(first, count) = M;
    // A fixed vertex is no degree of freedom; its row needs some positive number all the same.
    for (Eigen::Index i = 0; i < M.size(); ++i)
      if (!(M[i] > 0)) M[i] = 1;
    std::copy(fixed.begin(), fixed.end(), model.fixed.begin() + first);
    model.M.segment(first, count) = M;
    model.bodies.push_back({first, count});
    if (!geometry.is_solid()) model.thin.push_back({first, count});
    Points rest = x;
    rest.middleRows(first, count) = geometry.rest;
    for (auto& energy : elastic_energies(geometry, makeup, rest, first)) model.energies.push_back(std::move(energy));
    if (geometry.is_affine()) {
      model.affine.push_back({first, count});
      model.shapes.push_back(model.energies.back());
    }
    add_attachments(body, geometry, numbered, first, model.attachments);
    for (sim::BodyPoint& point : colliding_points(geometry)) {
      for (int& v : point.vertices) v += first;
      model.colliders.push_back(point);
    }
    first += count;
  }
  model.contact_bodies = world.contact_shapes.bodies;
  model.body_contact = contact_law(world.description.contact, world.contact_shapes.bodies);
  model.obstacles = build_obstacles(world.description, world.contact_shapes.obstacles);
  check_constraints(world.description, model);
  model.energies.push_back(std::make_unique<sim::Gravity>(std::move(weighing), model.g));
  if (has_constraints(world.description))
    model.constraints = build_constraints(world, x, described_start(world, model).x, model.bodies);
  return model;
}

Points undeformed(const WorldView& world) { return all_placed(world); }

std::vector<std::uint8_t> fixed_by_scene(const WorldView& world, std::size_t body) {
  const Points x = placed(world.bodies[body], world.description.bodies[body].transform);
  return fixed_at_the_start(world, body, world.bodies[body].numbered_at(x));
}

std::vector<int> held_by_scene(const WorldView& world, std::size_t body) {
  const Points x = placed(world.bodies[body], world.description.bodies[body].transform);
  return held_at_the_start(world, body, world.bodies[body].numbered_at(x));
}

Description with_pins(const Description& description, const BodyList& bodies, std::span<const int> pinned) {
  const struct {
    const BodyList& bodies;
    ContactShapes contact_shapes;
  } shapes{bodies, {}};
  const WorldView world(description, shapes);
  Description result = description;
  int first = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyGeometry& geometry = bodies[b];
    std::vector<std::uint8_t> fixed(static_cast<std::size_t>(geometry.vertices()), 0);
    for (const int v : pinned)
      if (first <= v && v < first + geometry.vertices()) fixed[static_cast<std::size_t>(v - first)] = 1;
    first += geometry.vertices();
    if (fixed == fixed_by_scene(world, b)) continue;
    std::vector<int> held;
    for (int v = 0; v < geometry.numbered_vertices(); ++v)
      if (fixed[geometry.is_affine() ? 0 : static_cast<std::size_t>(v)]) held.push_back(v);
    result.bodies[b].fixed = held;
    result.bodies[b].autoHang = false;
  }
  return result;
}

std::vector<std::string> empty_selections(const WorldView& world) {
  std::vector<std::string> lines;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const Body& body = world.description.bodies[b];
    const Points x = world.bodies[b].numbered_at(placed(world.bodies[b], body.transform));
    const auto look_at = [&](const Selection& selection, const std::string& key) {
      if (std::holds_alternative<std::vector<int>>(selection) || !selected(selection, world.bodies[b], x).empty())
        return;
      lines.push_back(body_place(world, b) + "/" + key + ": holds nothing, as no vertex lies in it; they lie between " +
                      place_text(x.colwise().minCoeff()) + " and " + place_text(x.colwise().maxCoeff()));
    };
    look_at(body.fixed, "fixed");
    for (std::size_t a = 0; a < body.attachments.size(); ++a)
      look_at(body.attachments[a].vertices, "attachments/" + std::to_string(a) + "/vertices");
  }
  return lines;
}

std::vector<MovingHandle> moving_handles(const WorldView& world, const sim::Model& model) {
  std::vector<MovingHandle> handles;
  const Points x = all_placed(world);
  int index = 0;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const auto& range = model.bodies[b];
    const Points body_x = world.bodies[b].numbered_at(x.middleRows(range.first, range.count));
    for (const Attachment& attachment : world.description.bodies[b].attachments)
      for (const int v : selected(attachment.vertices, world.bodies[b], body_x)) {
        if (!attachment.motion.empty()) handles.push_back({index, body_x.row(v).transpose(), attachment.motion});
        ++index;
      }
  }
  return handles;
}

WorldFacts facts(const WorldView& world, const sim::Model& model) {
  WorldFacts f;
  for (const auto& geometry : world.bodies) {
    f.vertices += geometry.vertices();
    f.tetrahedra += static_cast<int>(geometry.tetrahedra().size());
    f.triangles += static_cast<int>(geometry.triangles().size());
    f.springs += static_cast<int>(geometry.edges().size());
    f.surface_triangles += static_cast<int>(geometry.surface.triangles.size());
  }
  f.mass = model.M.sum();
  f.colliders = static_cast<int>(model.colliders.size());
  // A tet takes 96 bytes of rest shape and weight and 96 of forces, a vertex some 20 rows of 3 doubles; a triangle
  // comes with one hinge and a half.
  f.model_megabytes = (f.tetrahedra * 200.0 + f.triangles * 400.0 + f.springs * 100.0 + f.vertices * 500.0) / 1e6;
  return f;
}

}  // namespace rebound::scene
