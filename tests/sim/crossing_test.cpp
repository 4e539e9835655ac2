// Whether a segment goes through a triangle: what surely does, what surely does not, and what rounding blurs.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>
#include <vector>

#include "sim/contact/crossing.hpp"

namespace rebound::test {
namespace {

using sim::segment_crosses;
using sim::Vec3;

std::mt19937 seeded(unsigned seed) { return std::mt19937(seed); }

Vec3 any(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const double x = number(random), y = number(random), z = number(random);
  return {x, y, z};
}

TEST(SegmentCrosses, WhereBarycentricCoordinatesSaySo) {
  auto random = seeded(1);
  std::uniform_real_distribution<double> share(-0.5, 1.5);
  int crossed = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::array<Vec3, 3> t{any(random), any(random), any(random)};
    const double a = share(random), b = share(random), along = share(random);
    const Vec3 through = t[0] + a * (t[1] - t[0]) + b * (t[2] - t[0]), way = any(random);
    const bool within = a > 0 && b > 0 && a + b < 1 && along > 0 && along < 1;
    EXPECT_EQ(segment_crosses(through - along * way, through + (1 - along) * way, t), within);
    crossed += within;
  }
  EXPECT_GT(crossed, 500);
}

// A flat side of a body, turned: its corners are in one plane but for their rounding.
TEST(SegmentCrosses, NothingElseInItsPlane) {
  auto random = seeded(2);
  constexpr int kCells = 4, kRow = kCells + 1;
  for (int turn = 0; turn < 60; ++turn) {
    const Vec3 axis = turn % 3 == 0 ? Vec3(0, 1, 0) : turn % 3 == 1 ? Vec3(1, 0, 0) : any(random).normalized();
    const Eigen::Matrix3d R = Eigen::AngleAxisd(0.1 + turn, axis).toRotationMatrix();
    std::vector<Vec3> corners;
    for (int i = 0; i < kRow * kRow; ++i)
      corners.push_back(R * Vec3(0.5, double(i % kRow) / kCells - 0.5, double(i / kRow) / kCells - 0.5));
    std::vector<std::array<int, 3>> triangles;
    for (int j = 0; j < kCells; ++j)
      for (int i = 0; i < kCells; ++i) {
        const int k = i + kRow * j;
        triangles.push_back({k, k + 1, k + 1 + kRow});
        triangles.push_back({k, k + 1 + kRow, k + kRow});
      }
    for (const auto& of : triangles)
      for (int side = 0; side < 3; ++side)
        for (const auto& t : triangles) {
          const int p = of[side], q = of[(side + 1) % 3];
          if (std::any_of(t.begin(), t.end(), [&](int v) { return v == p || v == q; })) continue;
          EXPECT_FALSE(segment_crosses(corners[p], corners[q], {corners[t[0]], corners[t[1]], corners[t[2]]}))
              << turn << ": " << p << ' ' << q << " and " << t[0] << ' ' << t[1] << ' ' << t[2];
        }
  }
}

// No way leads through the seam of two triangles.
TEST(SegmentCrosses, OneOfTwoTrianglesWhereTheyMeet) {
  auto random = seeded(3);
  std::uniform_real_distribution<double> share(0.01, 0.99);
  for (int i = 0; i < 10000; ++i) {
    const Vec3 a = any(random), b = any(random), c = any(random), normal = (b - a).cross(c - a);
    if (normal.norm() < 0.2) continue;
    const Vec3 d = a + b - c + 1e-6 * any(random), through = a + share(random) * (b - a), n = normal.normalized();
    // As flat as a thousandth of what is across, and steeper than the fold.
    const Vec3 way = n * (i % 2 == 0 ? 1.0 : 1e-3) + any(random).cross(n);
    EXPECT_TRUE(segment_crosses(through - 0.3 * way, through + 0.4 * way, {a, b, c}) ||
                segment_crosses(through - 0.3 * way, through + 0.4 * way, {a, b, d}))
        << i;
  }
}

}  // namespace
}  // namespace rebound::test
