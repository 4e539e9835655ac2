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
      for (int i = nodes[index].begin; i < nodes[index].end; ++i) {
        const Surface& surface = bvh_->surface();
        sum += solid_angle(surface, surface.triangles[bvh_->order()[i]], p);
      }
    } else {
      stack[size++] = nodes[index].right;
      stack[size++] = index + 1;
    }
  }
  return sum / (4 * kPi);
}

double Winding::exact_at(const Eigen::Vector3d& p) const {
  double sum = 0;
  for (const Triangle& t : bvh_->surface().triangles) sum += solid_angle(bvh_->surface(), t, p);
  return sum / (4 * kPi);
}

Surface halve_long_triangles(const Surface& surface, double longest, std::size_t most) {
  std::vector<Eigen::RowVector3d> middles;
  const int first_middle = static_cast<int>(surface.points.rows());
  const auto at = [&](int v) -> Eigen::RowVector3d {
    return v < first_middle ? Eigen::RowVector3d(surface.points.row(v)) : middles[v - first_middle];
  };
  Surface halved;
  std::vector<Triangle> waiting(surface.triangles.rbegin(), surface.triangles.rend());
  while (!waiting.empty()) {
    const Triangle t = waiting.back();
    waiting.pop_back();
    int side = 0;
    double length2 = 0;
    for (int k = 0; k < 3; ++k)
      if (const double side2 = (at(t[(k + 1) % 3]) - at(t[k])).squaredNorm(); side2 > length2) {
        length2 = side2;
        side = k;
      }
    if (length2 <= longest * longest || halved.triangles.size() + waiting.size() >= most) {
      halved.triangles.push_back(t);
      continue;
    }
    const int a = t[side], b = t[(side + 1) % 3], c = t[(side + 2) % 3];
    const int middle = first_middle + static_cast<int>(middles.size());
    middles.push_back((at(a) + at(b)) / 2);
    waiting.push_back({middle, b, c});
    waiting.push_back({a, middle, c});
  }
  halved.points.resize(first_middle + std::ssize(middles), 3);
  halved.points.topRows(first_middle) = surface.points;
  for (std::size_t i = 0; i < middles.size(); ++i)
    halved.points.row(first_middle + static_cast<Eigen::Index>(i)) = middles[i];
  return halved;
}

}  // namespace rebound::mesh
