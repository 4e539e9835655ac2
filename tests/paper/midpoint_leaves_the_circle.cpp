// [Dinev18 Fig. 2, Fig. 3]: one stiff spring. Exact steps of the midpoint rule leave the circle of the spring's first
// length and gain energy without bound, while they keep the angular momentum; at a hundredth of the step they do not.
#include <gtest/gtest.h>

#include "scene/parse.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using sim::Vec3;

scene::Description figure_2(const char* integrator, double h) {
  auto d = scene::read_scene(std::string(REBOUND_SOURCE_DIR) + "/assets/scenes/spring-of-fig-2.json");
  EXPECT_EQ(d.integrator.type, "implicit-midpoint") << "the scene shows the paper's figure";
  EXPECT_EQ(d.timeStep, 0.033);
  d.integrator.type = integrator;
  d.timeStep = h;
  return d;
}

/// The path of the free end, a row a state, and the energies.
struct Motion {
  std::vector<Vec3> x, v;
  std::vector<double> H, l;
};

Motion run(const scene::Description& d, int frames) {
  session::Session s = open(d);
  Motion motion;
  for (int frame = 0; frame <= frames; ++frame) {
    motion.x.emplace_back(s.state().x.row(1).transpose());
    motion.v.emplace_back(s.state().v.row(1).transpose());
    motion.H.push_back(s.record().measured.total());
    motion.l.push_back(s.record().measured.l.z());
    EXPECT_EQ(s.traces().at(0).points.back(), motion.x.back()) << "what is drawn is what was computed";
    EXPECT_TRUE(s.step()) << s.failure();
  }
  return motion;
}

constexpr double kFirstLength = 1.5, k = 1e5, m = 0.5;

/// Eq. 7 and its slope
double E(const Vec3& x) { return 0.5 * k * std::pow(x.squaredNorm() - 1, 2); }
Vec3 dE(const Vec3& x) { return 2 * k * (x.squaredNorm() - 1) * x; }

TEST(Figure2, LargeMidpointStepsFlyOutOfTheCircleThoughEachIsExact) {
  const double h = 0.033;
  const Motion midpoint = run(figure_2("implicit-midpoint", h), 300);
  EXPECT_NEAR(midpoint.H[0], E(midpoint.x[0]) + 0.5 * m * 100, 1e-9);
  double farthest = 0;
  for (std::size_t n = 0; n + 1 < midpoint.x.size(); ++n) {
    // Eq. 5 and Eq. 6
    const Vec3 &x = midpoint.x[n], &v = midpoint.v[n], &x1 = midpoint.x[n + 1], &v1 = midpoint.v[n + 1];
    ASSERT_LT((x1 - x - h / 2 * (v + v1)).norm(), 1e-9 * (x.norm() + x1.norm())) << n;
    ASSERT_LT((m * (v1 - v) + h * dE((x + x1) / 2)).norm(), 1e-9 * m * (v.norm() + v1.norm())) << n;
    ASSERT_NEAR(midpoint.l[n + 1], m * kFirstLength * 10, 1e-8);
    if (n < 5) farthest = std::max(farthest, x1.norm());
  }
  EXPECT_GT(farthest, 2 * kFirstLength) << "in the first few steps";
  EXPECT_GT(*std::max_element(midpoint.H.begin(), midpoint.H.end()), 1000 * midpoint.H[0]);
}

TEST(Figure2, SmallMidpointStepsStayWithin) {
  const Motion midpoint = run(figure_2("implicit-midpoint", 0.00033), 3000);
  double nearest = kFirstLength;
  for (std::size_t n = 0; n < midpoint.x.size(); ++n) {
    ASSERT_LT(midpoint.x[n].norm(), kFirstLength * 1.005) << n;
    ASSERT_NEAR(midpoint.H[n], midpoint.H[0], 0.03 * midpoint.H[0]) << n;
    nearest = std::min(nearest, midpoint.x[n].norm());
  }
  EXPECT_LT(nearest, 1) << "the spring contracts as it should";
}

TEST(Figure2, TheBlendStaysWithinAtTheLargeStep) {
  const Motion stabilized = run(figure_2("stabilized", 0.033), 300);
  for (std::size_t n = 0; n < stabilized.x.size(); ++n) {
    ASSERT_LT(stabilized.x[n].norm(), kFirstLength * 1.005) << n;
    ASSERT_NEAR(stabilized.H[n], stabilized.H[0], 0.01 * stabilized.H[0]) << n;
  }
}

}  // namespace
}  // namespace rebound::test
