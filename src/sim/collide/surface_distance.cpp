#include "sim/collide/surface_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace rebound::sim {
namespace {

constexpr int kTrianglesALeaf = 4;

double squared_distance(const Eigen::AlignedBox3d& box, const Vec3& p) {
  return (p - p.cwiseMax(box.min()).cwiseMin(box.max())).squaredNorm();
}

}  // namespace

std::shared_ptr<const SurfaceDistance> SurfaceDistance::make(const Points& points,
                                                             const std::vector<std::array<int, 3>>& triangles,
                                                             std::string& reason) {
  if (triangles.empty()) {
    reason = "it has no triangles";
    return nullptr;
  }
  std::shared_ptr<SurfaceDistance> made(new SurfaceDistance(points, triangles));
  return made->weigh_normals(reason) ? made : nullptr;
}

SurfaceDistance::SurfaceDistance(const Points& points, std::vector<Triangle> triangles)
    : points_(points), triangles_(std::move(triangles)) {
  build(0, static_cast<int>(triangles_.size()));
}

// Halves the triangles [first, first + count) at the median along the longest side of their box.
void SurfaceDistance::build(int first, int count) {
  const auto index = nodes_.size();
  nodes_.push_back({{}, first, count, 0});
  Eigen::AlignedBox3d box;
  for (int t = first; t < first + count; ++t)
    for (int corner = 0; corner < 3; ++corner) box.extend(point(t, corner));
  nodes_[index].box = box;
  if (count <= kTrianglesALeaf) return;
  int axis = 0;
  box.sizes().maxCoeff(&axis);
  const auto middle = [&](const Triangle& t) {
    return points_(t[0], axis) + points_(t[1], axis) + points_(t[2], axis);
  };
  // Ties are broken by the vertices, so that the tree is the same everywhere.
  const auto before = [&](const Triangle& a, const Triangle& b) {
    const double at_a = middle(a), at_b = middle(b);
    return at_a != at_b ? at_a < at_b : a < b;
  };
  const int half = count / 2;
  std::nth_element(triangles_.begin() + first, triangles_.begin() + first + half, triangles_.begin() + first + count,
                   before);
  nodes_[index].count = 0;
  build(first, half);
  nodes_[index].right = static_cast<int>(nodes_.size());
  build(first + half, count - half);
}

// False if an edge is not between two triangles that agree about which side is outside, or if nothing is enclosed.
bool SurfaceDistance::weigh_normals(std::string& reason) {
  vertex_normals_.assign(static_cast<std::size_t>(points_.rows()), Vec3::Zero());
  std::map<std::pair<int, int>, int> across;  // directed edge -> the triangle that has it
  double volume = 0;
  for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
    const Vec3 normal = (point(t, 1) - point(t, 0)).cross(point(t, 2) - point(t, 0));
    volume += point(t, 0).dot(normal);
    const double length = normal.norm();
    // A triangle without an area has no side of its own; its neighbours' features count.
    face_normals_.push_back(length > 0 ? Vec3(normal / length) : Vec3::Zero());
    for (int corner = 0; corner < 3; ++corner) {
      const Vec3 a = point(t, (corner + 1) % 3) - point(t, corner), b = point(t, (corner + 2) % 3) - point(t, corner);
      const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
      vertex_normals_[static_cast<std::size_t>(triangles_[t][corner])] += angle * face_normals_.back();
      if (!across.emplace(std::pair{triangles_[t][corner], triangles_[t][(corner + 1) % 3]}, t).second) {
        reason = "two of its triangles run the same way along an edge";
        return false;
      }
    }
  }
  edge_normals_.resize(triangles_.size());
  for (const auto& [edge, t] : across) {
    const auto other = across.find({edge.second, edge.first});
    if (other == across.end()) {
      reason = "it has an open edge";
      return false;
    }
    for (int corner = 0; corner < 3; ++corner)
      if (triangles_[t][corner] == edge.first)
        edge_normals_[static_cast<std::size_t>(t)][corner] = face_normals_[t] + face_normals_[other->second];
  }
  if (!(volume > 0)) {
    reason = volume < 0 ? "its triangles face inwards" : "it encloses no volume";
    return false;
  }
  return true;
}

Nearest SurfaceDistance::nearest(const Vec3& p) const {
  Candidate best{std::numeric_limits<double>::infinity(), p};
  visit(0, p, best);
  const auto t = static_cast<std::size_t>(best.triangle);
  const Vec3 side = best.feature == 6  ? face_normals_[t]
                    : best.feature > 2 ? edge_normals_[t][best.feature - 3]
                                       : vertex_normals_[static_cast<std::size_t>(triangles_[t][best.feature])];
  const Vec3 away = p - best.point;
  const double distance = std::sqrt(best.squared);
  const bool inside = away.dot(side) < 0;
  // On the surface itself the direction is that of the feature.
  constexpr double kOnSurface = 1e-12;
  const double size = bounds().diagonal().norm();
  Vec3 normal = side;
  if (distance > kOnSurface * size) normal = inside ? Vec3(-away) : away;
  const double length = normal.norm();
  return {inside ? -distance : distance, length > 0 ? Vec3(normal / length) : Vec3::UnitY(), best.point};
}

void SurfaceDistance::visit(int node, const Vec3& p, Candidate& best) const {
  const Node& n = nodes_[static_cast<std::size_t>(node)];
  if (n.count > 0) {
    for (int t = n.first; t < n.first + n.count; ++t) try_triangle(t, p, best);
    return;
  }
  int near = node + 1, far = n.right;
  double to_near = squared_distance(nodes_[static_cast<std::size_t>(near)].box, p);
  double to_far = squared_distance(nodes_[static_cast<std::size_t>(far)].box, p);
  if (to_far < to_near) {
    std::swap(near, far);
    std::swap(to_near, to_far);
  }
  if (to_near < best.squared) visit(near, p, best);
  if (to_far < best.squared) visit(far, p, best);
}

// The nearest point of a triangle, by the regions of its plane in which a corner, an edge or the face is nearest.
void SurfaceDistance::try_triangle(int t, const Vec3& p, Candidate& best) const {
  const auto offer = [&](const Vec3& q, int feature) {
    const double squared = (p - q).squaredNorm();
    if (squared < best.squared) best = {squared, q, t, feature};
  };
  const Vec3& normal = face_normals_[static_cast<std::size_t>(t)];
  bool over_face = normal != Vec3::Zero();
  for (int corner = 0; corner < 3; ++corner) {
    const Vec3 a = point(t, corner), along = point(t, (corner + 1) % 3) - a;
    const double squared = along.squaredNorm();
    const double s = squared > 0 ? (p - a).dot(along) / squared : 0;
    if (normal.cross(along).dot(p - a) < 0) over_face = false;
    if (s <= 0) {
      offer(a, corner);
    } else if (s < 1) {
      offer(a + s * along, 3 + corner);
    }
  }
  if (over_face) offer(p - normal.dot(p - point(t, 0)) * normal, 6);
}

}  // namespace rebound::sim
