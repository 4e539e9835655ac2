#include "sim/contact/crossing.hpp"

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

}  // namespace rebound::sim
