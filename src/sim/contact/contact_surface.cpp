#include "sim/contact/contact_surface.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "sim/collide/contact_body.hpp"
#include "sim/collide/surface_distance.hpp"
#include "sim/collide/triangle_point.hpp"

namespace rebound::sim {
namespace {

// A ring of so many edges is within 0.0005 of its radius of a circle.
constexpr int kRingEdges = 96;

struct ObstacleMesh {
  std::vector<Vec3> points;
  std::vector<std::array<int, 2>> edges;  ///< of one without triangles
  std::vector<std::array<int, 3>> faces;
  double offset = 0;
};

ObstacleMesh mesh_of(const Sphere& sphere) { return {{Vec3::Zero()}, {}, {}, sphere.radius}; }

ObstacleMesh mesh_of(const Capsule& capsule) {
  return {{{0, -capsule.half_length, 0}, {0, capsule.half_length, 0}}, {{0, 1}}, {}, capsule.radius};
}

ObstacleMesh mesh_of(const Torus& torus) {
  ObstacleMesh ring{{}, {}, {}, torus.tube};
  for (int i = 0; i < kRingEdges; ++i) {
    const double angle = 2 * std::numbers::pi * i / kRingEdges;
    ring.points.emplace_back(torus.radius * std::cos(angle), 0, torus.radius * std::sin(angle));
    ring.edges.push_back({i, (i + 1) % kRingEdges});
  }
  return ring;
}

ObstacleMesh mesh_of(const Box& box) {
  ObstacleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.points.emplace_back((i & 1 ? 1 : -1) * box.half[0], (i & 2 ? 1 : -1) * box.half[1],
                             (i & 4 ? 1 : -1) * box.half[2]);
  mesh.faces = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

ObstacleMesh mesh_of(const TriangleSolid& solid) {
  ObstacleMesh mesh;
  const Points& points = solid.surface->points();
  for (Eigen::Index i = 0; i < points.rows(); ++i) mesh.points.push_back(points.row(i).transpose());
  mesh.faces = solid.surface->triangles();
  return mesh;
}

ObstacleMesh mesh_of(const Plane&) { return {}; }

// As wide as the rope and what the barrier reaches on both of its sides.
double strip_width(const Model& model) {
  const BodyContactLaw& law = model.body_contact;
  return law.thickness + (law.barrier ? 2 * law.barrier->distance : 0);
}

template <class Elements>
BoxTree tree_over(const Elements& elements, int first, int count, const Points& p) {
  std::vector<TreeBox> boxes;
  boxes.reserve(static_cast<std::size_t>(count));
  for (int e = first; e < first + count; ++e) {
    TreeBox box;
    for (const int v : elements[static_cast<std::size_t>(e)]) box.extend(TreeBox::around(p.row(v).transpose()));
    boxes.push_back(box);
  }
  return BoxTree(boxes);
}

}  // namespace

ContactSurface::ContactSurface(const Model& model) : thickness_(model.body_contact.thickness) {
  for (int b = 0; b < static_cast<int>(model.bodies.size()); ++b) add_body(model, b);
  const auto most = [](const std::vector<double>& of) {
    return of.empty() ? 0.0 : *std::max_element(of.begin(), of.end());
  };
  const double most_area = most(area_), most_width = most(width_);
  const std::size_t points = area_.size(), edges = width_.size();
  for (const Obstacle& obstacle : model.obstacles) {
    const int index = static_cast<int>(shapes_.size());
    shapes_.push_back(obstacle.shape);
    if (obstacle.constraint) continue;  // kept by the solver
    if (std::holds_alternative<Plane>(obstacle.shape))
      planes_.push_back(index);
    else
      add_obstacle(index, obstacle.shape);
  }
  for (std::size_t p = points; p < area_.size(); ++p) area_[p] = std::min(area_[p], most_area);
  for (std::size_t e = edges; e < width_.size(); ++e) width_[e] = std::min(width_[e], most_width);

  faces_around_ = ElementsAround(static_cast<std::size_t>(this->points()), faces_);
  add_owners();
}

bool ContactSurface::has_shapes_of(const Model& model) const {
  return std::equal(shapes_.begin(), shapes_.end(), model.obstacles.begin(), model.obstacles.end(),
                    [](const Shape& shape, const Obstacle& obstacle) { return shape == obstacle.shape; });
}

bool ContactSurface::has_widths_of(const Model& model) const {
  return thickness_ == model.body_contact.thickness && (!strip_ || *strip_ == strip_width(model));
}

void ContactSurface::add_body(const Model& model, int body) {
  const ContactBody& shape = *model.contact_bodies[static_cast<std::size_t>(body)];
  const BodyRange& range = model.bodies[static_cast<std::size_t>(body)];
  ContactObject object;
  object.body = body;
  object.first_point = static_cast<int>(points());
  object.first_edge = static_cast<int>(edges_.size());
  const auto fixed = model.fixed.begin() + range.first;
  object.moves = std::any_of(fixed, fixed + range.count, [](auto is_fixed) { return is_fixed == 0; });
  object.rigid = !shape.cage().empty();
  if (!shape.is_solid()) object.offset = 0.5 * thickness_;
  if (shape.is_bare()) {
    strip_ = strip_width(model);
    for (int v = range.first; v < range.first + range.count; ++v) carriers_.push_back({{v, v, v, v}, {1, 0, 0, 0}});
    add_edges(object.first_point, shape.edges());
    add_object(std::move(object), shape.rest(), {});
    add_strips(objects_.back());
    return;
  }
  Points rest(static_cast<Eigen::Index>(shape.corners().size()), 3);
  for (BodyPoint corner : shape.corners()) {
    rest.row(points() - object.first_point) = corner.of(shape.rest()).transpose();
    for (int& v : corner.vertices) v += range.first;
    carriers_.push_back(corner);
  }
  add_object(std::move(object), rest, shape.faces());
}

void ContactSurface::add_obstacle(int obstacle, const Shape& shape) {
  const ObstacleMesh mesh = std::visit([](const auto& of) { return mesh_of(of); }, shape);
  ContactObject object;
  object.obstacle = obstacle;
  object.first_point = static_cast<int>(points());
  object.first_edge = static_cast<int>(edges_.size());
  object.offset = mesh.offset;
  object.round = mesh.faces.empty();
  object.moves = false;
  Points rest(static_cast<Eigen::Index>(mesh.points.size()), 3);
  for (const Vec3& at : mesh.points) {
    rest.row(points() - object.first_point) = at.transpose();
    locals_.push_back({obstacle, at});
  }
  add_edges(object.first_point, mesh.edges);
  add_object(std::move(object), rest, mesh.faces);
}

void ContactSurface::add_edges(int first_point, const std::vector<std::array<int, 2>>& edges) {
  for (const auto& [a, b] : edges) {
    edges_.push_back({first_point + a, first_point + b});
    sides_.push_back({-1, -1});
  }
}

void ContactSurface::add_object(ContactObject object, const Points& rest,
                                const std::vector<std::array<int, 3>>& faces) {
  object_of_point_.resize(static_cast<std::size_t>(points()), static_cast<int>(objects_.size()));
  object.first_face = static_cast<int>(faces_.size());
  add_triangles(object.first_point, faces);
  object.points = static_cast<int>(points()) - object.first_point;
  object.edges = static_cast<int>(edges_.size()) - object.first_edge;
  object.faces = static_cast<int>(faces_.size()) - object.first_face;
  add_areas(rest, object.first_edge, object.first_face);
  Points all(points(), 3);
  all.bottomRows(object.points) = rest;
  object.edge_tree = tree_over(edges_, object.first_edge, object.edges, all);
  object.face_tree = tree_over(faces_, object.first_face, object.faces, all);
  objects_.push_back(std::move(object));
}

void ContactSurface::add_triangles(int first_point, const std::vector<std::array<int, 3>>& faces) {
  std::map<std::array<int, 2>, int> known;
  std::vector<int> uses;
  const int first_edge = static_cast<int>(edges_.size());
  for (const auto& face : faces) {
    const int f = static_cast<int>(faces_.size());
    std::array<int, 3> corners{}, edges{};
    for (std::size_t c = 0; c < 3; ++c) corners[c] = first_point + face[c];
    for (std::size_t c = 0; c < 3; ++c) {
      const int a = corners[c], b = corners[(c + 1) % 3];
      const auto [at, is_new] = known.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(edges_.size()));
      if (is_new) {
        edges_.push_back(at->first);
        sides_.push_back({-1, -1});
        uses.push_back(0);
      }
      edges[c] = at->second;
      auto& sides = sides_[static_cast<std::size_t>(at->second)];
      const int use = uses[static_cast<std::size_t>(at->second - first_edge)]++;
      if (use < 2)
        sides[static_cast<std::size_t>(use)] = f;
      else
        sides = {-1, -1};
    }
    faces_.push_back(corners);
    edges_of_face_.push_back(edges);
  }
}

void ContactSurface::add_areas(const Points& rest, int first_edge, int first_face) {
  const Eigen::Index first_point = points() - rest.rows();
  area_.resize(static_cast<std::size_t>(points()), 0);
  edge_area_.resize(edges_.size(), 0);
  const auto at = [&](int point) -> Vec3 { return rest.row(point - first_point).transpose(); };
  for (std::size_t f = static_cast<std::size_t>(first_face); f < faces_.size(); ++f) {
    const auto& face = faces_[f];
    const double area = 0.5 * area_normal({at(face[0]), at(face[1]), at(face[2])}).norm();
    face_area_.push_back(area);
    for (const int p : face) area_[static_cast<std::size_t>(p)] += area / 3;
    for (const int e : edges_of_face_[f]) edge_area_[static_cast<std::size_t>(e)] += area / 3;
  }
  for (std::size_t e = static_cast<std::size_t>(first_edge); e < edges_.size(); ++e) {
    squared_length_.push_back((at(edges_[e][0]) - at(edges_[e][1])).squaredNorm());
    const double length = std::sqrt(squared_length_.back());
    width_.push_back(length > 0 ? edge_area_[e] / length : 0);
  }
}

// Loose points have a square.
void ContactSurface::add_strips(const ContactObject& rope) {
  const double width = *strip_;
  for (int e = rope.first_edge; e < rope.first_edge + rope.edges; ++e) {
    const auto edge = static_cast<std::size_t>(e);
    width_[edge] = width;
    edge_area_[edge] = width * std::sqrt(squared_length_[edge]);
    for (const int p : edges_[edge]) area_[static_cast<std::size_t>(p)] += edge_area_[edge] / 2;
  }
  for (int p = rope.first_point; p < rope.first_point + rope.points; ++p)
    if (area_[static_cast<std::size_t>(p)] == 0) area_[static_cast<std::size_t>(p)] = width * width;
}

void ContactSurface::add_owners() {
  own_.assign(faces_.size(), {0, 0});
  own_edges_.assign(3 * faces_.size(), -1);
  own_corners_.assign(3 * faces_.size(), -1);
  const auto give = [&](std::vector<int>& all, int face, std::size_t kind, int what) {
    int& count = own_[static_cast<std::size_t>(face)][kind];
    all[static_cast<std::size_t>(3 * face + count++)] = what;
  };
  std::vector<std::uint8_t> open(static_cast<std::size_t>(points()), 0);
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    if (sides_[e][1] >= 0) {
      give(own_edges_, sides_[e][0], 0, static_cast<int>(e));
    } else {
      for (const int p : edges_[e]) open[static_cast<std::size_t>(p)] = 1;
    }
  }
  for (int p = 0; p < static_cast<int>(points()); ++p)
    if (const auto faces = around(p); !open[static_cast<std::size_t>(p)] && !faces.empty())
      give(own_corners_, faces.front(), 1, p);
}

void ContactSurface::place(const Model& model, const Points& x, double progress, Points& p) const {
  p.resize(points(), 3);
  Eigen::Index row = 0;
  for (const BodyPoint& carrier : carriers_) {
    if (carrier.weights[0] == 1)
      p.row(row++) = x.row(carrier.vertices[0]);
    else
      p.row(row++) = carrier.of(x).transpose();
  }
  for (const Local& local : locals_) {
    const Obstacle& obstacle = model.obstacles[static_cast<std::size_t>(local.obstacle)];
    const Vec3 end = obstacle.pose.apply(local.at);
    p.row(row++) =
        (obstacle.moves() ? Vec3((1 - progress) * obstacle.before.apply(local.at) + progress * end) : end).transpose();
  }
}

Vec3 ContactSurface::way(const Model& model, int point) const {
  const Local& local = locals_[static_cast<std::size_t>(point) - carriers_.size()];
  const Obstacle& obstacle = model.obstacles[static_cast<std::size_t>(local.obstacle)];
  return obstacle.pose.apply(local.at) - obstacle.before.apply(local.at);
}

}  // namespace rebound::sim
