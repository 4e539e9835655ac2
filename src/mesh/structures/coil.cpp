#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "mesh/structures/recipes.hpp"

namespace rebound::mesh {

using Eigen::Vector3d;

Blocks coil(Detail detail) {
  const int turns = 5, pieces = detail == Detail::fine ? 100 : 36, cells = detail == Detail::fine ? 4 : 2;
  const double pitch = 0.22, ring = 0.35, rope = 0.045;
  Blocks body;
  std::vector<Vector3d> path;
  for (int k = 0; k <= turns * pieces; ++k) {
    const double angle = 2 * std::numbers::pi * k / pieces;
    path.emplace_back(ring * std::cos(angle), -pitch * k / pieces, ring * std::sin(angle));
  }
  Section last;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const Vector3d tangent = path[std::min(k + 1, path.size() - 1)] - path[k == 0 ? 0 : k - 1];
    const Vector3d outwards = Vector3d(path[k].x(), 0, path[k].z()).normalized();
    Section section = round_section(body, path[k], outwards, tangent.cross(outwards).normalized(), rope, cells);
    if (k > 0) body.between(last, section);
    last = std::move(section);
  }
  return body;
}

}  // namespace rebound::mesh
