#include "sim/contact/crossing_search.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {

CrossingSearch::CrossingSearch(const ContactSurface& surface, const Model& model)
    : surface_(surface), model_(model), search_(surface, model) {
  has_offsets_ = std::any_of(surface.objects().begin(), surface.objects().end(),
                             [](const ContactObject& object) { return object.offset > 0; });
}

std::vector<Crossing> CrossingSearch::find(const Points& p, std::size_t most, Workers& workers) {
  std::vector<Crossing> found;
  const auto& faces = surface_.faces();
  const auto object = [&](int point) -> const ContactObject& {
    return surface_.objects()[static_cast<std::size_t>(surface_.object_of_point(point))];
  };
  const auto at = [&](int point) -> Vec3 { return p.row(point).transpose(); };
  const auto triangle = [&](int face) {
    const auto& corners = faces[static_cast<std::size_t>(face)];
    const ContactObject& of = object(corners[0]);
    return CrossingTriangle{
        of.body, of.obstacle, face - of.first_face, {at(corners[0]), at(corners[1]), at(corners[2])}};
  };
  const auto triangle_at = [&](int point) {
    const auto around = surface_.around(point);
    if (!around.empty()) return triangle(around.front());
    const ContactObject& of = object(point);
    return CrossingTriangle{of.body, of.obstacle, -1, {at(point), at(point), at(point)}};
  };
  const auto add = [&](CrossingTriangle one, CrossingTriangle other) {
    if (one.body < 0) std::swap(one, other);
    if (found.size() < most) found.push_back({one, other});
  };

  near_.clear();
  if (has_offsets_) search_.find(p, nullptr, 0, workers, near_);
  for (const NearPair& pair : near_) {
    if (found.size() >= most) break;
    const std::array<int, 4> points = search_.corners(pair);
    const double offset = search_.offset(pair);
    // What has no offset crosses where an edge goes through a triangle.
    if (offset == 0) continue;
    FourPoints x{};
    for (std::size_t c = 0; c < 4; ++c)
      if (points[c] >= 0) x[c] = at(points[c]);
    if (std::sqrt(feature_distance(pair.kind, x).squared) > offset) continue;
    add(triangle_at(points[0]), triangle_at(pair.kind == FeaturePair::edge_edge ? points[2] : points[1]));
  }
  edges_and_faces_.clear();
  search_.find_edges_and_faces(p, workers, edges_and_faces_);
  for (const auto& [edge, f] : edges_and_faces_) {
    if (found.size() >= most) break;
    const auto& ends = surface_.edges()[static_cast<std::size_t>(edge)];
    const auto& face = faces[static_cast<std::size_t>(f)];
    if (std::any_of(face.begin(), face.end(), [&](int v) { return v == ends[0] || v == ends[1]; })) continue;
    if (!segment_crosses(at(ends[0]), at(ends[1]), {at(face[0]), at(face[1]), at(face[2])})) continue;
    const int beside = surface_.sides(edge)[0];
    add(beside >= 0 ? triangle(beside) : triangle_at(ends[0]), triangle(f));
  }
  for (const int plane : surface_.planes()) {
    const Obstacle& obstacle = model_.obstacles[static_cast<std::size_t>(plane)];
    for (const ContactObject& of : surface_.objects()) {
      if (!of.may_meet_obstacle(model_, plane)) continue;
      for (int i = of.first_point; i < of.first_point + of.points && found.size() < most; ++i)
        if (obstacle.pose.R.col(1).dot(at(i) - obstacle.pose.t) <= of.offset)
          add(triangle_at(i), {-1, plane, -1, {at(i), at(i), at(i)}});
    }
  }
  return found;
}

}  // namespace rebound::sim
