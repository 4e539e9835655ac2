// The signed distance from closed surfaces of triangles.
#include "sim/collide/surface_distance.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "solids.hpp"

namespace rebound::test {
namespace {

std::shared_ptr<const SurfaceDistance> made(const Surface& s) {
  std::string reason;
  auto distance = SurfaceDistance::make(s.points, s.triangles, reason);
  EXPECT_NE(distance, nullptr) << reason;
  EXPECT_EQ(reason, "");
  return distance;
}

// Points where signs go wrong if they do: next to corners, edges and faces, at all scales, and anywhere in the box.
std::vector<Vec3> telling_points(const Surface& s, int count, unsigned seed = 5) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::normal_distribution<double> normal;
  const Vec3 low = s.points.colwise().minCoeff().transpose(), size = s.points.colwise().maxCoeff().transpose() - low;
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const std::size_t t = random() % s.triangles.size();
    const int c = static_cast<int>(random() % 3);
    const double along = uniform(random), across = uniform(random) * (1 - along);
    const Vec3 a = corner(s, t, c), b = corner(s, t, c + 1), tip = corner(s, t, c + 2);
    const Vec3 off =
        size.norm() * std::pow(10, -6 * uniform(random)) * Vec3(normal(random), normal(random), normal(random));
    switch (i % 4) {
      case 0:
        points.push_back(a + off);
        break;
      case 1:
        points.push_back(a + along * (b - a) + off);
        break;
      case 2:
        points.push_back(a + along * (b - a) + across * (tip - a) + off);
        break;
      default:
        points.push_back(low - 0.2 * size +
                         1.4 * size.cwiseProduct(Vec3(uniform(random), uniform(random), uniform(random))));
    }
  }
  return points;
}

class SurfaceDistanceTest : public testing::TestWithParam<int> {
 protected:
  SurfaceDistanceTest() : SurfaceDistanceTest(solids()[static_cast<std::size_t>(GetParam())]) {}
  explicit SurfaceDistanceTest(const Solid& solid)
      : name_(solid.name), surface_(solid.surface()), distance_(made(surface_)) {}
  double d(const Vec3& p) const { return distance_->nearest(p).distance; }

  std::string name_;
  Surface surface_;
  std::shared_ptr<const SurfaceDistance> distance_;
};

TEST_P(SurfaceDistanceTest, IsThatOfTheNearestTriangle) {
  for (const Vec3& p : telling_points(surface_, 1500))
    EXPECT_NEAR(std::abs(d(p)), brute_distance(surface_, p), 1e-11) << p.transpose();
}

TEST_P(SurfaceDistanceTest, IsNegativeWhereTheSurfaceGoesRound) {
  int inside = 0;
  for (const Vec3& p : telling_points(surface_, 4000)) {
    const double distance = d(p);
    // Nearer than that rounding decides on which side a point is.
    if (std::abs(distance) < 1e-8) continue;
    const double times = winding(surface_, p);
    ASSERT_NEAR(times, std::round(times), 1e-4);
    EXPECT_EQ(distance<0, times> 0.5) << p.transpose() << ", distance " << distance << ", winding number " << times;
    inside += times > 0.5;
  }
  EXPECT_GT(inside, name_ == "plate" || name_ == "needle" ? 50 : 300);
}

TEST_P(SurfaceDistanceTest, TheNormalIsItsGradient) {
  int kinks = 0, checked = 0;
  for (const Vec3& p : telling_points(surface_, 2000)) {
    const Nearest at = distance_->nearest(p);
    EXPECT_NEAR(at.normal.norm(), 1, 1e-14);
    EXPECT_LT((at.point + at.distance * at.normal - p).norm(), 1e-11);
    if (std::abs(at.distance) < 1e-3) continue;
    constexpr double kStep = 1e-6;
    Vec3 gradient;
    for (int c = 0; c < 3; ++c)
      gradient[c] = (d(p + kStep * Vec3::Unit(c)) - d(p - kStep * Vec3::Unit(c))) / (2 * kStep);
    ++checked;
    if (std::abs(gradient.norm() - 1) > 1e-6) {
      ++kinks;
    } else {
      EXPECT_LT((at.normal - gradient).norm(), 2e-4) << p.transpose();
    }
  }
  EXPECT_LT(kinks, 0.01 * checked);
}

TEST_P(SurfaceDistanceTest, DiffersNoMoreThanPointsAreApart) {
  const auto points = telling_points(surface_, 3000);
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_LE(std::abs(d(points[i]) - d(points[i - 1])), (points[i] - points[i - 1]).norm() + 1e-11);
    const Vec3 next = points[i] + 1e-3 * points[i - 1];
    EXPECT_LE(std::abs(d(points[i]) - d(next)), (points[i] - next).norm() + 1e-11);
  }
}

TEST_P(SurfaceDistanceTest, WhatIsClearlyOutsideIsOutside) {
  for (const Vec3& p : telling_points(surface_, 20000))
    if (distance_->clearly_outside(p)) {
      EXPECT_GT(d(p), 0) << p.transpose();
    }
  EXPECT_TRUE(distance_->clearly_outside(distance_->bounds().max() + Vec3(0, 0, 1e-9)));
}

TEST_P(SurfaceDistanceTest, IsDefinedAtCornersAndMiddles) {
  const Surface& s = surface_;
  for (std::size_t t = 0; t < s.triangles.size(); ++t)
    for (const Vec3& p : {corner(s, t, 0), Vec3(0.5 * (corner(s, t, 1) + corner(s, t, 2))),
                          Vec3((corner(s, t, 0) + corner(s, t, 1) + corner(s, t, 2)) / 3), Vec3(Vec3::Zero())}) {
      const Nearest at = distance_->nearest(p);
      EXPECT_NEAR(at.normal.norm(), 1, 1e-14);
      EXPECT_LT((at.point + at.distance * at.normal - p).norm(), 1e-11);
    }
}

TEST_P(SurfaceDistanceTest, DoesNotDependOnTheOrderOfTheTriangles) {
  Surface shuffled = surface_;
  std::shuffle(shuffled.triangles.begin(), shuffled.triangles.end(), std::mt19937(9));
  const auto other = made(shuffled);
  for (const Vec3& p : telling_points(surface_, 1000))
    EXPECT_EQ(std::abs(d(p)), std::abs(other->nearest(p).distance)) << p.transpose();
}

INSTANTIATE_TEST_SUITE_P(Solids, SurfaceDistanceTest, testing::Range(0, static_cast<int>(solids().size())),
                         [](const auto& solid) { return solids()[static_cast<std::size_t>(solid.param)].name; });

// ---- against shapes whose distance is known ----

TEST(SurfaceDistance, OfABoxIsTheBoxes) {
  for (const int divisions : {1, 2, 7}) {
    const Surface s = box_surface({1, 2, 0.5}, divisions);
    const auto distance = made(s);
    const Shape box = Box{{0.5, 1, 0.25}};
    for (const Vec3& p : telling_points(s, 3000))
      EXPECT_NEAR(distance->nearest(p).distance, nearest(box, p).distance, 1e-14) << p.transpose();
  }
}

TEST(SurfaceDistance, OfABallIsTheSpheresButForTheCutsBelowItsFaces) {
  for (const int divisions : {4, 8, 16, 32}) {
    const Surface s = ball_surface(0.8, divisions);
    double deepest = 0;  // every point of a face is within this of the sphere, and every point of the sphere of a face
    for (std::size_t t = 0; t < s.triangles.size(); ++t) {
      const Vec3 n = (corner(s, t, 1) - corner(s, t, 0)).cross(corner(s, t, 2) - corner(s, t, 0)).normalized();
      deepest = std::max(deepest, 0.8 - n.dot(corner(s, t, 0)));
    }
    EXPECT_LT(deepest, 2.5 / (divisions * divisions));
    const auto distance = made(s);
    double worst = 0;
    for (const Vec3& p : telling_points(s, 3000)) {
      const double error = distance->nearest(p).distance - nearest(Shape(Sphere{0.8}), p).distance;
      EXPECT_GT(error, -1e-14) << "the ball is within the sphere";
      worst = std::max(worst, error);
    }
    EXPECT_LE(worst, deepest + 1e-14);
    EXPECT_GT(worst, 0.3 * deepest) << "a bound that says something";
  }
}

TEST(SurfaceDistance, OfATorusIsTheTorusesButForItsFaces) {
  for (const int n : {12, 24, 48}) {
    const Surface s = torus_surface(3 * n, n);
    // Linear interpolation of X(u, v) on a right triangle with the sides du, dv.
    const double du = 2 * kPi / (3 * n), dv = 2 * kPi / n;
    const double bound = 0.25 * (du * du * (kRing + kTube) + 2 * du * dv * kTube + dv * dv * kTube);
    const auto distance = made(s);
    for (const Vec3& p : telling_points(s, 3000))
      EXPECT_NEAR(distance->nearest(p).distance, nearest(Shape(Torus{kRing, kTube}), p).distance, bound);
  }
}

// ---- scales ----

TEST(SurfaceDistance, HoldsFarAwayFromTheSurface) {
  const Surface s = spiky(10);
  const auto distance = made(s);
  std::mt19937 random(2);
  std::normal_distribution<double> normal;
  for (const double away : {1e1, 1e3, 1e4, 1e6, 1e12})
    for (int i = 0; i < 20; ++i) {
      const Vec3 p = away * Vec3(normal(random), normal(random), normal(random));
      EXPECT_NEAR(distance->nearest(p).distance, brute_distance(s, p), 1e-15 * away) << away;
    }
}

TEST(SurfaceDistance, IsTheSameForSurfacesOfAnySizeAndPlace) {
  const Surface s = spiky(8);
  const auto plain = made(s);
  for (const double scale : {1e-9, 1e-3, 1e6}) {
    for (const double offset : {0.0, 1e5}) {
      Surface other = s;
      other.points *= scale;
      other.points.col(1).array() += offset * scale;
      const auto distance = made(other);
      for (const Vec3& p : telling_points(s, 300))
        EXPECT_NEAR(distance->nearest(scale * (p + Vec3(0, offset, 0))).distance / scale, plain->nearest(p).distance,
                    1e-9);
    }
  }
}

TEST(SurfaceDistance, FindsMostOfWhatIsOutside) {
  for (const Surface& s : {ball_surface(0.8, 24), torus_surface(96, 48)}) {
    const auto distance = made(s);
    int outside = 0, clear = 0;
    for (const Vec3& p : telling_points(s, 40000)) {
      if (!distance->bounds().contains(p) || distance->nearest(p).distance < 0.08) continue;
      ++outside;
      clear += distance->clearly_outside(p);
    }
    ASSERT_GT(outside, 1000);
    EXPECT_EQ(clear, outside) << "no two points of a cell are that far apart";
  }
}

TEST(SurfaceDistance, MayBeAskedFromSeveralThreads) {
  const Surface s = spiky(20);
  const auto distance = made(s);
  const auto points = telling_points(s, 20000);
  const auto all = [&] {
    std::vector<double> found;
    for (const Vec3& p : points) {
      const Nearest at = distance->nearest(p);
      found.insert(found.end(), {at.distance, at.normal.x(), at.normal.y(), at.normal.z(), at.point.x()});
    }
    return found;
  };
  const std::vector<double> alone = all();
  std::vector<std::vector<double>> together(3);
  std::vector<std::thread> threads;
  for (auto& found : together) threads.emplace_back([&] { found = all(); });
  for (auto& thread : threads) thread.join();
  for (const auto& found : together) EXPECT_EQ(found, alone);
}

// ---- what encloses nothing ----

std::string reason_of(const Surface& s) {
  std::string reason;
  EXPECT_EQ(SurfaceDistance::make(s.points, s.triangles, reason), nullptr);
  return reason;
}

TEST(SurfaceDistance, SaysWhatIsWrongWithASurface) {
  const Surface box = box_surface({1, 1, 1}, 2);
  Surface bad = box;
  bad.triangles.clear();
  EXPECT_EQ(reason_of(bad), "it has no triangles");

  bad = box;
  bad.triangles.pop_back();
  EXPECT_EQ(reason_of(bad), "it has an open edge");

  bad = box;
  std::swap(bad.triangles[3][0], bad.triangles[3][1]);
  EXPECT_EQ(reason_of(bad), "two of its triangles run the same way along an edge");

  bad = box;
  bad.triangles.push_back(bad.triangles[5]);
  EXPECT_EQ(reason_of(bad), "two of its triangles run the same way along an edge");

  bad = box;
  for (auto& t : bad.triangles) std::swap(t[0], t[1]);
  EXPECT_EQ(reason_of(bad), "its triangles face inwards");

  bad = box;
  bad.points.col(2).setZero();
  EXPECT_EQ(reason_of(bad), "it encloses no volume");

  bad = box;
  bad.points.setConstant(3);
  EXPECT_EQ(reason_of(bad), "it encloses no volume");
}

}  // namespace
}  // namespace rebound::test
