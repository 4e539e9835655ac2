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
  if (side(t[0], t[1], t[2], p) * side(t[0], t[1], t[2], q) >= 0) return false;
  const int one = side(p, q, t[0], t[1]), two = side(p, q, t[1], t[2]), three = side(p, q, t[2], t[0]);
  return one != 0 && one == two && two == three;
}

std::vector<Crossing> find_crossings(const ContactSurface& surface, const Model& model, const Points& p,
                                     std::size_t most, Workers& workers) {
  std::vector<Crossing> found;
  const auto& faces = surface.faces();
  const auto object = [&](int point) -> const ContactObject& {
    return surface.objects()[static_cast<std::size_t>(surface.object_of_point(point))];
  };
  const auto at = [&](int point) -> Vec3 { return p.row(point).transpose(); };
  // Of a point without triangles: the point.
  const auto triangle_at = [&](int point) {
    const auto around = surface.around(point);
    return around.empty() ? std::array{point, -1, -1} : faces[static_cast<std::size_t>(around.front())];
  };
  const auto add = [&](std::array<int, 3> one, std::array<int, 3> other, const Vec3& where) {
    if (found.size() >= most) return;
    if (other[0] >= 0 && object(one[0]).is_obstacle()) std::swap(one, other);
    Crossing crossing;
    crossing.body = object(one[0]).body;
    crossing.triangle = one;
    crossing.other_triangle = other;
    crossing.at = where;
    if (other[0] >= 0) {
      crossing.other_body = object(other[0]).body;
      crossing.obstacle = object(other[0]).obstacle;
    }
    found.push_back(crossing);
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
    add(triangle_at(points[0]), triangle_at(pair.kind == FeaturePair::edge_edge ? points[2] : points[1]), x[0]);
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
    add(beside >= 0 ? faces[static_cast<std::size_t>(beside)] : triangle_at(ends[0]), face,
        0.5 * (at(ends[0]) + at(ends[1])));
  }
  for (const int plane : surface.planes()) {
    const Obstacle& obstacle = model.obstacles[static_cast<std::size_t>(plane)];
    for (const ContactObject& of : surface.objects())
      for (int i = of.first_point; of.moves && i < of.first_point + of.points && found.size() < most; ++i)
        if (obstacle.pose.R.col(1).dot(at(i) - obstacle.pose.t) <= of.offset) {
          add(triangle_at(i), {-1, -1, -1}, at(i));
          found.back().obstacle = plane;
        }
  }
  return found;
}

}  // namespace rebound::sim
