#include "sim/contact/crossing.hpp"

#include <cmath>

namespace rebound::sim {
namespace {

using Wide = Eigen::Matrix<long double, 3, 1>;

constexpr long double kUnit = 1.1e-19L;        // of long double
constexpr long double kRounding = 64 * kUnit;  // what a volume can be off by at most, as a share
constexpr long double kUsual = 8 * kUnit;      // and is off by as a rule

}  // namespace

bool segment_crosses(const Vec3& a, const Vec3& b, const std::array<Vec3, 3>& triangle) {
  const Wide p = a.cast<long double>(), q = b.cast<long double>();
  const std::array<Wide, 3> t{triangle[0].cast<long double>(), triangle[1].cast<long double>(),
                              triangle[2].cast<long double>()};
  const Wide u = t[1] - t[0], v = t[2] - t[0], n = u.cross(v);
  // Heights over the plane, 0 where rounding cannot tell.
  const auto height = [&](const Wide& x) {
    const Wide w = x - t[0];
    const long double volume = n.dot(w);
    return std::abs(volume) > kRounding * u.norm() * v.norm() * w.norm() ? volume : 0;
  };
  const long double from = height(p), to = height(q);
  if (from * to > 0 || from == to) return false;
  // Looked at in the plane: of what all but lies in it every volume is too small to tell, and yet it may be far from
  // the triangle.
  const Wide way = q - p, c = p + from / (from - to) * way;
  const long double off =
      kUsual * u.norm() * v.norm() * ((p - t[0]).norm() + (q - t[0]).norm()) * way.norm() / std::abs(from - to);
  for (int i = 0; i < 3; ++i) {
    const Wide side = t[(i + 1) % 3] - t[i], w = c - t[i];
    if (n.dot(side.cross(w)) < -n.norm() * side.norm() * (kRounding * w.norm() + off)) return false;
  }
  return true;
}

}  // namespace rebound::sim
