// [Dinev18 App. C]: two springs whose potential is not convex, Fig. 14. Exact steps of backward Euler raise the energy
// now and then, Fig. 15, and never above the bound of Theorem 1.
#include <gtest/gtest.h>

#include "scene/parse.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

scene::Description figure_14() {
  return scene::read_scene(std::string(REBOUND_SOURCE_DIR) + "/assets/scenes/two-springs-of-fig-14.json");
}

/// Eq. 47 and Eq. 48, and steps along the x axis by themselves: backward Euler by bisection, which is enough because
/// m/h^2 exceeds all negative curvature of E.
struct Line {
  double k, m, h, x, v;

  double E() const { return k * std::pow(std::sqrt(x * x + 1) - std::sqrt(2.0), 2); }
  double H() const { return E() + 0.5 * m * v * v; }
  double slope(double at) const {
    const double length = std::sqrt(at * at + 1);
    return 2 * k * (length - std::sqrt(2.0)) * at / length;
  }
  void step() {
    double low = x + h * v - 10, high = x + h * v + 10;
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (low + high);
      const bool beyond = m / (h * h) * (middle - x - h * v) + slope(middle) > 0;
      (beyond ? high : low) = middle;
    }
    v = (0.5 * (low + high) - x) / h;
    x = 0.5 * (low + high);
  }
};

Line line_of(const scene::Description& d) {
  const scene::Body& body = d.bodies[0];
  return {body.material.stiffness, body.masses[1], d.timeStep, std::get<scene::InlineMesh>(body.mesh).vertices[1][0],
          body.velocities[1][0]};
}

TEST(Figure15, BackwardEulerRaisesTheEnergyNowAndThen) {
  const scene::Description d = figure_14();
  ASSERT_EQ(d.integrator.type, "backward-euler") << "the scene shows the paper's figure";
  session::Session s = open(d);
  Line line = line_of(d);
  ASSERT_LT(0.83 * line.k * line.h * line.h, line.m) << "each step has one answer";
  constexpr double kBeta = 2.209;  // Lemma 2
  // m. A line search compares values, whose last digits are lost: a minimum is found to their square root.
  constexpr double kSolved = 1e-9;
  const double H0 = line.H(), barrier = Line{line.k, line.m, line.h, 0, 0}.E();
  const double bound = std::max(H0, barrier + 0.5 * line.m * std::pow((kBeta + 1) / line.h, 2));
  std::vector<double> rises;  // one each time that the energy goes up, as a share of H0
  bool rising = false;
  for (int frame = 1; frame <= 300; ++frame) {
    const double before = s.record().measured.total();
    line.x = s.state().x(1, 0);
    line.v = s.state().v(1, 0);
    ASSERT_TRUE(s.step());
    line.step();
    ASSERT_NEAR(s.state().x(1, 0), line.x, kSolved) << frame;
    ASSERT_NEAR(s.state().v(1, 0), line.v, kSolved / line.h) << frame;
    ASSERT_NEAR(s.record().measured.total(), line.H(), 1e-9 * H0);
    ASSERT_EQ(s.state().x(1, 1), 0) << "it stays on the axis";
    ASSERT_EQ(s.state().x(1, 2), 0);
    ASSERT_LE(s.record().measured.total(), bound);
    const double gained = s.record().measured.total() - before;
    if (gained <= 1e-9 * H0) {
      rising = false;
      continue;
    }
    ASSERT_LE(std::abs(line.x), 1) << "Lemma 1";
    if (!rising) rises.push_back(0);
    rises.back() += gained / H0;
    rising = true;
  }
  EXPECT_GE(std::count_if(rises.begin(), rises.end(), [](double rise) { return rise > 0.015; }), 3);
  EXPECT_LT(s.record().measured.total(), 0.1 * H0) << "and yet it goes down on the whole";
}

TEST(Figure15, TheStepThatEndsOnTheHumpKeepsItsSpeedAndGainsTheClimb) {
  for (const double x0 : {0.1, 0.5, 0.9, 1.05}) {
    scene::Description d = figure_14();
    std::get<scene::InlineMesh>(d.bodies[0].mesh).vertices[1] = {x0, 0, 0};
    d.bodies[0].velocities[1] = {-x0 / d.timeStep, 0, 0};
    Line line = line_of(d);
    session::Session s = open(d);
    const double before = s.record().measured.total();
    ASSERT_TRUE(s.step());
    EXPECT_NEAR(s.state().x(1, 0), 0, 1e-12);
    EXPECT_NEAR(s.state().v(1, 0), -x0 / d.timeStep, 1e-9);
    const double climb = Line{line.k, line.m, line.h, 0, 0}.E() - line.E();
    EXPECT_GT(climb, 0);
    EXPECT_NEAR(s.record().measured.total() - before, climb, 1e-9 * before);
  }
}

}  // namespace
}  // namespace rebound::test
