#include "mesh/moments.hpp"

#include "mesh/geometry.hpp"

namespace rebound::mesh {

// Over a tetrahedron of volume V with corners 0, a, b, c: the integral of x is V/4 (a + b + c), that of x x^T
// V/20 (a a^T + b b^T + c c^T + s s^T) with s = a + b + c.
SolidMoments moments_of(const Surface& surface) {
  SolidMoments moments;
  if (surface.triangles.empty()) return moments;
  // From within the body, so that one far from the origin loses no digits.
  const Eigen::Vector3d origin = bounding_box(surface).center();
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  for (const Triangle& t : surface.triangles) {
    Eigen::Matrix3d corners;
    for (int k = 0; k < 3; ++k) corners.col(k) = point(surface.points, t[static_cast<std::size_t>(k)]) - origin;
    const double volume = corners.determinant() / 6;
    const Eigen::Vector3d sum = corners.rowwise().sum();
    moments.volume += volume;
    first += volume / 4 * sum;
    second += volume / 20 * (corners * corners.transpose() + sum * sum.transpose());
  }
  if (moments.volume == 0) return moments;
  const Eigen::Vector3d centre = first / moments.volume;
  moments.centre = origin + centre;
  moments.second = second - moments.volume * centre * centre.transpose();
  return moments;
}

}  // namespace rebound::mesh
