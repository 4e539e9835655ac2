#include "sim/contact/crossing.hpp"

#include <algorithm>
#include <cmath>

#include "sim/contact/contact_search.hpp"

namespace rebound::sim {
namespace {

using Wide = Eigen::Matrix<long double, 3, 1>;

// Which side of the plane through a, b and c the point d is on: 1, -1, or 0 where rounding cannot tell.
int side(const Wide& a, const Wide& b, const Wide& c, const Wide& d) {
  const Wide u = b - a, v = c - a, w = d - a;
  const long double volume = u.cross(v).dot(w);
  const long double error = 64 * 1.1e-19L * u.norm() * v.norm() * w.norm();
  return volume > error ? 1 : volume < -error ? -1 : 0;
}

}  // namespace

bool segment_crosses(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& triangle) {
  const Wide p = a.cast<long double>(), q = b.cast<long double>();
  const std::array<Wide, 3> t{triangle[0].cast<long double>(), triangle[1].cast<long double>(),
                              triangle[2].cast<long double>()};
  const int from = side(t[0], t[1], t[2], p), to = side(t[0], t[1], t[2], q);
  if (from * to > 0 || (from == 0 && to == 0)) return false;
  const int one = side(p, q, t[0], t[1]), two = side(p, q, t[1], t[2]), three = side(p, q, t[2], t[0]);
  return (one >= 0 && two >= 0 && three >= 0) || (one <= 0 && two <= 0 && three <= 0);
}

std::vector<Crossing> find_crossings(const ContactSurface& surface, const Model& model, const Points& p,
                                     std::size_t most, Workers& workers) {
  std::vector<Crossing> found;
  const auto& faces = surface.faces();
  const auto object = [&](int point) -> const ContactObject& {
    return surface.objects()[static_cast<std::size_t>(surface.object_of_point(point))];
  };
  const auto at = [&](int point) -> Vec3 { return p.row(point).transpose(); };
  const auto triangle = [&](int face) {
    const auto& corners = faces[static_cast<std::size_t>(face)];
    const ContactObject& of = object(corners[0]);
    return CrossingTriangle{
        of.body, of.obstacle, face - of.first_face, {at(corners[0]), at(corners[1]), at(corners[2])}};
  };
  const auto triangle_at = [&](int point) {
    const auto around = surface.around(point);
    if (!around.empty()) return triangle(around.front());
    const ContactObject& of = object(point);
    return CrossingTriangle{of.body, of.obstacle, -1, {at(point), at(point), at(point)}};
  };
  const auto add = [&](CrossingTriangle one, CrossingTriangle other) {
    if (one.body < 0) std::swap(one, other);
    if (found.size() < most) found.push_back({one, other});
  };

  ContactSearch search(surface, model);
  std::vector<NearPair> near;
  search.find(p, nullptr, 0, workers, near);
  for (const NearPair& pair : near) {
    if (found.size() >= most) break;
    const std::array<int, 4> points = search.corners(pair);
    const double offset = search.offset(pair);
    // What has no offset crosses where an edge goes through a triangle.
    if (offset == 0) continue;
    FourPoints x{};
    for (std::size_t c = 0; c < 4; ++c)
      if (points[c] >= 0) x[c] = at(points[c]);
    if (std::sqrt(feature_distance(pair.kind, x).squared) > offset) continue;
    add(triangle_at(points[0]), triangle_at(pair.kind == FeaturePair::edge_edge ? points[2] : points[1]));
  }
  std::vector<std::pair<int, int>> candidates;
  search.find_edges_and_faces(p, workers, candidates);
  for (const auto& [edge, f] : candidates) {
    if (found.size() >= most) break;
    const auto& ends = surface.edges()[static_cast<std::size_t>(edge)];
    const auto& face = faces[static_cast<std::size_t>(f)];
    if (std::any_of(face.begin(), face.end(), [&](int v) { return v == ends[0] || v == ends[1]; })) continue;
    if (!segment_crosses(at(ends[0]), at(ends[1]), {at(face[0]), at(face[1]), at(face[2])})) continue;
    const int beside = surface.sides(edge)[0];
    add(beside >= 0 ? triangle(beside) : triangle_at(ends[0]), triangle(f));
  }
  for (const int plane : surface.planes()) {
    const Obstacle& obstacle = model.obstacles[static_cast<std::size_t>(plane)];
    for (const ContactObject& of : surface.objects()) {
      if (!of.may_meet_obstacle(model, plane)) continue;
      for (int i = of.first_point; i < of.first_point + of.points && found.size() < most; ++i)
        if (obstacle.pose.R.col(1).dot(at(i) - obstacle.pose.t) <= of.offset)
          add(triangle_at(i), {-1, plane, -1, {at(i), at(i), at(i)}});
    }
  }
  return found;
}

}  // namespace rebound::sim
