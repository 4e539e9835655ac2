// Where ways enter named_shapes: against a walk in small steps that asks for the distance alone.
#include "sim/collide/sweep.hpp"

#include <gtest/gtest.h>

#include "sim/collide/surface_distance.hpp"
#include "solids.hpp"

namespace rebound::test {
namespace {

// A recipe, as a solid is.
struct Named {
  std::string name;
  std::function<Shape()> shape;
};

// One or more of every kind; those that are thin are a hundredth of their size.
const std::vector<Named>& named_shapes() {
  static const std::vector<Named> all = [] {
    std::vector<Named> made{{"plane", [] { return Plane{}; }},
                            {"sphere", [] { return Sphere{0.7}; }},
                            {"box",
                             [] {
                               return Box{{0.5, 0.3, 0.8}};
                             }},
                            {"wall",
                             [] {
                               return Box{{0.9, 0.01, 0.7}};
                             }},
                            {"capsule",
                             [] {
                               return Capsule{0.4, 0.5};
                             }},
                            {"rod",
                             [] {
                               return Capsule{0.01, 0.8};
                             }},
                            {"torus",
                             [] {
                               return Torus{0.8, 0.3};
                             }},
                            {"ring", [] {
                               return Torus{0.8, 0.01};
                             }}};
    for (const Solid& solid : solids())
      made.push_back({"mesh_" + solid.name, [&solid] {
                        const Surface surface = solid.surface();
                        std::string reason;
                        Shape shape = TriangleSolid{SurfaceDistance::make(surface.points, surface.triangles, reason)};
                        EXPECT_EQ(reason, "") << solid.name;
                        return shape;
                      }});
    return made;
  }();
  return all;
}

class SweepTest : public testing::TestWithParam<int> {
 protected:
  const Shape shape_ = named_shapes()[static_cast<std::size_t>(GetParam())].shape();
  std::mt19937 random_{11};

  Vec3 anywhere(double reach) {
    std::uniform_real_distribution<double> uniform(-reach, reach);
    return {uniform(random_), uniform(random_), uniform(random_)};
  }
  double d(const Vec3& p) const { return nearest(shape_, p).distance; }
  /// A point of the surface, or next to it.
  Vec3 on_it() { return nearest(shape_, anywhere(1.2)).point; }
};

TEST_P(SweepTest, FindsWhatSmallStepsFind) {
  constexpr int kSteps = 1000;
  constexpr double kSure = 1e-6;
  int entered = 0, passed = 0, left = 0;
  for (int i = 0; i < 150; ++i) {
    const Vec3 from = 2 * anywhere(1), through = i % 3 ? on_it() : anywhere(1);
    const Vec3 to = through + (i % 2 ? 1.0 : 0.1) * (through - from), step = (to - from) / kSteps;
    if (d(from) <= kSure) continue;
    // The first stretch that is well inside, and whether it is all.
    int in = kSteps + 1;
    double least = INFINITY;
    bool leaves = false;
    for (int s = 0; s <= kSteps; ++s) {
      const double at = d(from + s * step);
      least = std::min(least, at);
      if (at < -kSure) in = std::min(in, s);
      leaves = leaves || (in < s && at > kSure);
    }
    const auto entry = first_entry(shape_, from, to);
    passed += !entry;
    if (in > kSteps) {
      // Steps may miss a corner, never by more than a step.
      EXPECT_TRUE(!entry || least < step.norm()) << i;
      continue;
    }
    ASSERT_TRUE(entry) << i << ": steps find it " << -least << " deep";
    ++entered;
    left += entry->leaves.has_value();
    if (entry->leaves) {
      EXPECT_GE(entry->leaves->normal.dot(to - from), 0) << i;
      EXPECT_NEAR(d(entry->leaves->point), 0, 1e-7) << i;
    }
    const double share = (entry->at.point - from).dot(to - from) / (to - from).squaredNorm();
    EXPECT_LE(share, static_cast<double>(in) / kSteps + 1e-9) << i;
    EXPECT_LT((from + share * (to - from) - entry->at.point).norm(), 1e-9) << i;
    EXPECT_NEAR(d(entry->at.point), 0, 1e-7) << i << ": slivers leave gaps";
    EXPECT_EQ(entry->at.distance, 0);
    EXPECT_NEAR(entry->at.normal.norm(), 1, 1e-12);
    EXPECT_LE(entry->at.normal.dot(to - from), 0) << i;
    EXPECT_TRUE(entry->leaves || !leaves) << i;
  }
  EXPECT_GT(entered, 0);
  EXPECT_GT(passed, 1);
  if (!std::holds_alternative<Plane>(shape_)) {
    EXPECT_GT(left, 0);
  }
}

TEST_P(SweepTest, WhatBeginsInsideOrDoesNotGetThereIsNotMet) {
  int inside = 0;
  for (int i = 0; i < 3000; ++i) {
    const Nearest at = nearest(shape_, anywhere(1));
    const Vec3 from = i % 2 ? anywhere(1) : Vec3(at.point - 1e-6 * at.normal), to = 2 * anywhere(1);
    const double distance = d(from);
    if (distance < -1e-9) {
      ++inside;
      EXPECT_FALSE(first_entry(shape_, from, to)) << i;
    } else if (distance > 0) {
      EXPECT_FALSE(first_entry(shape_, from, from + 0.9 * distance * to.normalized())) << i;
    }
  }
  EXPECT_GT(inside, 500);
}

TEST_P(SweepTest, WhatPassesNearbyIsNotTouched) {
  constexpr double kOff = 1e-4;
  int looked = 0;
  for (int i = 0; i < 60; ++i) {
    const Nearest at = nearest(shape_, 2 * anywhere(1));
    const Vec3 side = at.normal.cross(anywhere(1)).normalized(), middle = at.point + kOff * at.normal;
    // Along the surface, as far as nothing is nearer than a fifth of that: balls around where it was asked tell.
    const auto way_free = [&](const Vec3& direction) {
      double way = 0;
      while (way < 0.5) {
        const double free = d(middle + way * direction);
        if (free < 0.2 * kOff) return 0.9 * way;
        way += 0.8 * free;
      }
      return 0.5;
    };
    const Vec3 from = middle - way_free(-side) * side, to = middle + way_free(side) * side;
    if ((to - from).norm() < kOff) continue;
    ++looked;
    EXPECT_FALSE(first_entry(shape_, from, to)) << i;
  }
  EXPECT_GT(looked, 20);
}

INSTANTIATE_TEST_SUITE_P(All, SweepTest, testing::Range(0, 21),
                         [](const auto& shape) { return named_shapes()[static_cast<std::size_t>(shape.param)].name; });

TEST(Sweep, IsTestedWithEveryShape) {
  std::vector<bool> seen(std::variant_size_v<Shape>, false);
  for (const Named& named : named_shapes()) seen[named.shape().index()] = true;
  EXPECT_EQ(seen, std::vector<bool>(std::variant_size_v<Shape>, true));
  EXPECT_EQ(named_shapes().size(), 21u);
}

// What slides along an edge on which it lies, or steps off it, is not held up by the faces that it has left.
TEST(Sweep, AScratchOfACornerIsNone) {
  const Shape box = Box{{0.5, 0.5, 0.5}};
  const Vec3 edge(0.5, 0.5, 0.1), corner(0.5, 0.5, 0.5);
  for (const Vec3& at : {edge, corner})
    for (const Vec3& way :
         {Vec3(-1, 1, 0), Vec3(1, -1, 0), Vec3(0, 0, 1), Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(-1, 1, 1)}) {
      EXPECT_FALSE(first_entry(box, at, at + way)) << at.transpose() << " and " << way.transpose();
      EXPECT_FALSE(first_entry(box, at - way, at + 1e-12 * way)) << at.transpose() << " and " << way.transpose();
    }
  EXPECT_TRUE(first_entry(box, edge, edge + Vec3(-0.1, -2, 0)));
}

TEST(Sweep, GoesInWhereTheDistanceFallsToZero) {
  const auto entry = first_entry(Box{{1, 0.001, 1}}, {0.2, 3, 0.1}, {0.2, -5, 0.1});
  ASSERT_TRUE(entry);
  EXPECT_TRUE(entry->leaves);
  EXPECT_LT((entry->at.point - Vec3(0.2, 0.001, 0.1)).norm(), 1e-12);
  EXPECT_EQ(entry->at.normal, Vec3::UnitY());
  // The near side of a ring, from within it.
  const auto ring = first_entry(Torus{1, 0.1}, {0.1, 0, 0}, {9, 0, 0});
  ASSERT_TRUE(ring);
  EXPECT_LT((ring->at.point - Vec3(0.9, 0, 0)).norm(), 1e-12);
  EXPECT_LT((ring->at.normal + Vec3::UnitX()).norm(), 1e-12);
  const auto plane = first_entry(Plane{}, {0, 1, 0}, {4, -1, 0});
  ASSERT_TRUE(plane);
  EXPECT_FALSE(plane->leaves);
  EXPECT_EQ(plane->at.point, Vec3(2, 0, 0));
  EXPECT_FALSE(first_entry(Plane{}, {0, 1, 0}, {4, -INFINITY, 0}));
}

}  // namespace
}  // namespace rebound::test
