// Closed forms that a scene file can be held against: free fall, a mass on a spring, a body that nothing touches.
#include <gtest/gtest.h>

#include "support/worlds.hpp"

namespace rebound::test {
namespace {

TEST(ClosedForm, FreeFallOfAnUndeformedBodyUnderMidpointIsTheParabola) {
  auto d = spinning_cube(2, 1e5);
  d.gravity = {0, -9.81, 0};
  d.integrator.type = "implicit-midpoint";
  d.bodies[0].angularVelocity = {0, 0, 0};
  d.bodies[0].velocity = {1, 5, -2};
  session::Session s = open(d);
  const sim::Points start = s.state().x;
  for (int frame = 1; frame <= 60; ++frame) {
    ASSERT_TRUE(s.step());
    const double t = frame * 0.033;
    const Eigen::RowVector3d moved(t, 5 * t - 0.5 * 9.81 * t * t, -2 * t);
    ASSERT_LT((s.state().x - (start.rowwise() + moved)).cwiseAbs().maxCoeff(), 1e-11) << frame;
    ASSERT_NEAR(s.record().measured.total(), s.record().target, 1e-9 * std::abs(s.record().scale));
  }
}

TEST(ClosedForm, BackwardEulerFallsHalfAStepFurther) {
  auto d = spinning_cube(1, 1e5);
  d.gravity = {0, -9.81, 0};
  d.integrator.type = "backward-euler";
  d.bodies[0].angularVelocity = {0, 0, 0};
  session::Session s = open(d);
  const double start = s.state().x(0, 1), h = 0.033;
  for (int n = 1; n <= 50; ++n) {
    ASSERT_TRUE(s.step());
    ASSERT_NEAR(s.state().x(0, 1), start - 9.81 * h * h * n * (n + 1) / 2, 1e-11);
  }
}

// Two equal masses on a spring, pulled apart along it: each is a linear oscillator of w = h^2 2k/m.
TEST(ClosedForm, ATwoMassOscillatorTurnsByTheMidpointAngle) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.integrator.type = "implicit-midpoint";
  d.solver.iterations = 50;
  scene::Body body;
  body.mesh = scene::InlineMesh{{{0, 0, 0}, {1.3, 0, 0}}, {{0, 1}}, {}};
  body.material.model = "springs";
  body.material.stiffness = 500;
  body.material.restLengths = {1.0};
  body.masses = {2, 2};
  d.bodies.push_back(body);
  session::Session s = open(d);
  const double w = 0.033 * 0.033 * 2 * 500 / 2, angle = 2 * std::atan(std::sqrt(w) / 2);
  for (int n = 1; n <= 200; ++n) {
    ASSERT_TRUE(s.step());
    const double stretch = (s.state().x.row(1) - s.state().x.row(0)).norm() - 1;
    ASSERT_NEAR(stretch, 0.3 * std::cos(n * angle), 1e-10) << n;
  }
}

}  // namespace
}  // namespace rebound::test
