#include "mesh/winding.hpp"

#include <cmath>

#include "mesh/geometry.hpp"

namespace rebound::mesh {

namespace {
/// A node counts as far beyond this many of its radii.
constexpr double kFar = 2.3;
}  // namespace

Winding::Winding(const Bvh& bvh) : bvh_(&bvh), dipoles_(bvh.nodes().size()) {
  const Surface& surface = bvh.surface();
  for (std::size_t n = 0; n < dipoles_.size(); ++n) {
    const Bvh::Node& node = bvh.nodes()[n];
    Dipole& dipole = dipoles_[n];
    dipole.area.setZero();
    Eigen::Vector3d weighted = Eigen::Vector3d::Zero();
    double total = 0;
    for (int i = node.begin; i < node.end; ++i) {
      const Triangle& t = surface.triangles[bvh.order()[i]];
      const Eigen::Vector3d area = vector_area(surface, t);
      const double size = area.norm();
      dipole.area += area;
      weighted += size / 3 * (point(surface.points, t[0]) + point(surface.points, t[1]) + point(surface.points, t[2]));
      total += size;
    }
    dipole.centre = total > 0 ? Eigen::Vector3d(weighted / total) : Eigen::Vector3d(node.box.center());
    dipole.radius = (node.box.max() - dipole.centre).cwiseMax(dipole.centre - node.box.min()).norm();
  }
}

double Winding::triangle_at(int triangle, const Eigen::Vector3d& p) const {
  const Surface& surface = bvh_->surface();
  const Triangle& t = surface.triangles[triangle];
  const Eigen::Vector3d a = point(surface.points, t[0]) - p, b = point(surface.points, t[1]) - p,
                        c = point(surface.points, t[2]) - p;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

double Winding::at(const Eigen::Vector3d& p) const {
  const auto& nodes = bvh_->nodes();
  if (nodes.empty()) return 0;
  double sum = 0;
  int stack[128];
  int size = 0;
  stack[size++] = 0;
  while (size > 0) {
    const int index = stack[--size];
    const Dipole& dipole = dipoles_[index];
    const Eigen::Vector3d away = dipole.centre - p;
    const double distance2 = away.squaredNorm();
    if (distance2 > kFar * kFar * dipole.radius * dipole.radius) {
      sum += away.dot(dipole.area) / (distance2 * std::sqrt(distance2));
    } else if (nodes[index].is_leaf()) {
      for (int i = nodes[index].begin; i < nodes[index].end; ++i) sum += triangle_at(bvh_->order()[i], p);
    } else {
      stack[size++] = nodes[index].right;
      stack[size++] = index + 1;
    }
  }
  return sum / (4 * kPi);
}

double Winding::exact_at(const Eigen::Vector3d& p) const {
  double sum = 0;
  for (int t = 0; t < static_cast<int>(bvh_->surface().triangles.size()); ++t) sum += triangle_at(t, p);
  return sum / (4 * kPi);
}

}  // namespace rebound::mesh
