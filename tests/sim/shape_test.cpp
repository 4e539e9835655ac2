// The sampled_shapes that obstacles have: signed distance, normal and nearest point of each.
#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "sim/collide/obstacle.hpp"

namespace rebound::test {
namespace {

using namespace rebound::sim;

// A shape, points all over its surface no further than `spacing` from any other of it, and what is inside.
struct Sampled {
  std::string name;
  Shape shape;
  double spacing;
  std::vector<Vec3> surface;
  bool (*inside)(const Vec3&);
};

constexpr double kRadius = 0.7, kLength = 0.4, kTorusRing = 1.0, kTorusTube = 0.3;
const Vec3 kHalf(0.5, 0.3, 0.8), kThin(0.9, 0.004, 0.7);

std::vector<Vec3> points_on_box(const Vec3& half, int n) {
  std::vector<Vec3> points;
  for (int axis = 0; axis < 3; ++axis)
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j)
        for (const double side : {-1.0, 1.0}) {
          Vec3 p;
          p[axis] = side * half[axis];
          p[(axis + 1) % 3] = (2.0 * i / n - 1) * half[(axis + 1) % 3];
          p[(axis + 2) % 3] = (2.0 * j / n - 1) * half[(axis + 2) % 3];
          points.push_back(p);
        }
  return points;
}

std::vector<Vec3> points_on_capsule(double radius, double half_length, int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < 2 * n; ++i) {
    const Vec3 out(std::cos(std::numbers::pi * i / n), 0, std::sin(std::numbers::pi * i / n));
    for (int j = 0; j <= n; ++j) {
      const double latitude = 0.5 * std::numbers::pi * j / n;
      const Vec3 cap = radius * (std::cos(latitude) * out + std::sin(latitude) * Vec3::UnitY());
      points.push_back(cap + half_length * Vec3::UnitY());
      points.push_back(Vec3(cap.x(), -cap.y() - half_length, cap.z()));
      if (half_length > 0) points.push_back(radius * out + (2.0 * j / n - 1) * half_length * Vec3::UnitY());
    }
  }
  return points;
}

std::vector<Vec3> points_on_torus(int n) {
  std::vector<Vec3> points;
  for (int i = 0; i < 4 * n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const double around = 0.5 * std::numbers::pi * i / n, tube = std::numbers::pi * j / n;
      const Vec3 out(std::cos(around), 0, std::sin(around));
      points.push_back((kTorusRing + kTorusTube * std::cos(tube)) * out + kTorusTube * std::sin(tube) * Vec3::UnitY());
    }
  return points;
}

std::vector<Vec3> plane_surface(int n) {
  std::vector<Vec3> points;
  for (int i = -n; i <= n; ++i)
    for (int j = -n; j <= n; ++j) points.emplace_back(3.0 * i / n, 0, 3.0 * j / n);
  return points;
}

bool in_box(const Vec3& p, const Vec3& half) { return (p.cwiseAbs().array() < half.array()).all(); }

const std::vector<Sampled>& sampled_shapes() {
  constexpr int n = 60;
  static const std::vector<Sampled> all{
      {"plane", Plane{}, 3.0 / n, plane_surface(n), [](const Vec3& p) { return p.y() < 0; }},
      {"sphere", Sphere{kRadius}, std::numbers::pi * kRadius / n, points_on_capsule(kRadius, 0, n),
       [](const Vec3& p) { return p.norm() < kRadius; }},
      {"box", Box{kHalf}, 2 * 0.8 / n, points_on_box(kHalf, n), [](const Vec3& p) { return in_box(p, kHalf); }},
      {"thin_box", Box{kThin}, 2 * 0.9 / n, points_on_box(kThin, n), [](const Vec3& p) { return in_box(p, kThin); }},
      {"capsule", Capsule{kRadius, kLength}, std::numbers::pi * kRadius / n, points_on_capsule(kRadius, kLength, n),
       [](const Vec3& p) { return std::hypot(p.x(), std::max(0.0, std::abs(p.y()) - kLength), p.z()) < kRadius; }},
      {"torus", Torus{kTorusRing, kTorusTube}, 0.5 * std::numbers::pi * (kTorusRing + kTorusTube) / n,
       points_on_torus(n),
       [](const Vec3& p) { return std::hypot(std::hypot(p.x(), p.z()) - kTorusRing, p.y()) < kTorusTube; }}};
  return all;
}

class ShapeTest : public testing::TestWithParam<int> {
 protected:
  const Sampled& s_ = sampled_shapes()[static_cast<std::size_t>(GetParam())];
  std::mt19937 random_{7};

  Vec3 point(double reach = 1.6) {
    std::uniform_real_distribution<double> uniform(-reach, reach);
    return {uniform(random_), uniform(random_), uniform(random_)};
  }
};

TEST_P(ShapeTest, AgreesWithTheNearestOfManyPoints) {
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = point();
    double nearest_sample = INFINITY;
    for (const Vec3& q : s_.surface) nearest_sample = std::min(nearest_sample, (p - q).norm());
    const Nearest at = nearest(s_.shape, p);
    EXPECT_EQ(at.distance < 0, s_.inside(p)) << p.transpose();
    EXPECT_LE(std::abs(at.distance), nearest_sample + 1e-12) << p.transpose();
    EXPECT_GE(std::abs(at.distance), nearest_sample - s_.spacing) << p.transpose();
  }
}

TEST_P(ShapeTest, TheNormalIsTheGradientOfTheDistance) {
  constexpr double kStep = 1e-6;
  int kinks = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = point();
    Vec3 gradient;
    for (int c = 0; c < 3; ++c)
      gradient[c] = (nearest(s_.shape, p + kStep * Vec3::Unit(c)).distance -
                     nearest(s_.shape, p - kStep * Vec3::Unit(c)).distance) /
                    (2 * kStep);
    // Where two parts of the surface are equally near there is no gradient.
    if (std::abs(gradient.norm() - 1) > 1e-6) {
      ++kinks;
      continue;
    }
    EXPECT_LT((nearest(s_.shape, p).normal - gradient).norm(), 1e-4) << p.transpose();
  }
  EXPECT_LT(kinks, 3);
}

TEST_P(ShapeTest, TheNearestPointIsOnTheSurfaceAlongTheNormal) {
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = point();
    const Nearest at = nearest(s_.shape, p);
    EXPECT_NEAR(at.normal.norm(), 1, 1e-14);
    EXPECT_LT((at.point + at.distance * at.normal - p).norm(), 1e-14);
    EXPECT_NEAR(nearest(s_.shape, at.point).distance, 0, 1e-15);
  }
}

TEST_P(ShapeTest, TheDistanceDiffersNoMoreThanPointsAreApart) {
  for (int i = 0; i < 5000; ++i) {
    const Vec3 p = point(), q = i % 2 ? point() : Vec3(p + 1e-4 * point());
    EXPECT_LE(std::abs(nearest(s_.shape, p).distance - nearest(s_.shape, q).distance), (p - q).norm() + 1e-15);
  }
}

// Centres, axes, edges and corners: wherever several points of the surface are equally near, or the surface has a kink.
TEST_P(ShapeTest, IsDefinedEverywhere) {
  for (const double x : {0.0, -0.0, 1e-200, 0.5, -0.5, 0.7, 1.0})
    for (const double y : {0.0, 1e-300, 0.3, -0.3, 0.4, 0.004, 1.1})
      for (const double z : {0.0, 0.8, -0.8, 0.1, 1.0}) {
        const Vec3 p(x, y, z);
        const Nearest at = nearest(s_.shape, p);
        ASSERT_TRUE(std::isfinite(at.distance)) << p.transpose();
        EXPECT_NEAR(at.normal.norm(), 1, 1e-14) << p.transpose();
        EXPECT_LT((at.point + at.distance * at.normal - p).norm(), 1e-14) << p.transpose();
        EXPECT_NEAR(nearest(s_.shape, at.point).distance, 0, 1e-15) << p.transpose();
        // Whatever was chosen, towards the surface the distance changes by the way.
        const double step = std::copysign(1e-3, at.distance);
        if (std::abs(at.distance) > 1e-3) {
          EXPECT_NEAR(nearest(s_.shape, p - step * at.normal).distance, at.distance - step, 1e-14) << p.transpose();
        }
      }
}

TEST_P(ShapeTest, TheBoxAroundItTouchesIt) {
  const Eigen::AlignedBox3d box = bounds(s_.shape);
  if (std::holds_alternative<Plane>(s_.shape)) {
    EXPECT_TRUE(box.contains(Vec3(1e300, -1e300, 0)));
    return;
  }
  Eigen::AlignedBox3d around;
  for (const Vec3& q : s_.surface) around.extend(q);
  EXPECT_LT((box.min() - around.min()).norm(), 1e-12);
  EXPECT_LT((box.max() - around.max()).norm(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, ShapeTest, testing::Range(0, 6), [](const auto& shape) {
  return sampled_shapes()[static_cast<std::size_t>(shape.param)].name;
});

TEST(Obstacle, AsksItsShapeWhereTheShapeIs) {
  Obstacle obstacle{Box{kHalf}, {}, {}, 1, 0};
  obstacle.pose = {Eigen::AngleAxisd(0.8, Vec3(1, 2, -1).normalized()).toRotationMatrix(), Vec3(3, -1, 2)};
  EXPECT_TRUE(obstacle.moves());
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 200; ++i) {
    const Vec3 local(uniform(random), uniform(random), uniform(random)), p = obstacle.pose.apply(local);
    EXPECT_LT((obstacle.pose.undo(p) - local).norm(), 1e-14);
    const Nearest here = nearest(obstacle, p), there = nearest(obstacle.shape, local);
    EXPECT_NEAR(here.distance, there.distance, 1e-14);
    // What rounding moves p by turns the way to the nearest point by as much over its length.
    EXPECT_LT((here.normal - obstacle.pose.R * there.normal).norm(), 1e-14 / std::min(1.0, std::abs(there.distance)));
    EXPECT_LT((here.point - obstacle.pose.apply(there.point)).norm(), 1e-13);
    // It was at the origin, unturned, before: what is at p now was at `local`.
    EXPECT_LT((obstacle.moved(p) - (p - local)).norm(), 1e-14);
  }
}

}  // namespace
}  // namespace rebound::test
