// [Dinev18 Sec. 2, Fig. 1]: a falling cloth whose energy is held by a Lagrange multiplier [Hughes78]. The energy is
// perfect, and the motion gets stuck: the elements oscillate in place where the true cloth swings.
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

struct Swing {
  double worst_energy = 0;     ///< |H - target| / scale
  double highest = -INFINITY;  ///< gravity potential after the first swing, J
  double lowest = INFINITY;    ///< J
  double start = 0;
  double jerk = 0;  ///< mean |v_{n+1} + v_n| / |v_n|: 2 where it moves on, 0 where it goes to and fro
};

Swing swing_of(const char* integrator, int substeps) {
  scene::Description d = hanging_cloth(14, 400);
  d.integrator.type = integrator;
  d.substeps = substeps;
  d.solver.iterations = 30;
  session::Session s = open(d, 2);
  Swing swing;
  swing.start = s.record().measured.gravity;
  int counted = 0;
  for (int frame = 0; frame < 120; ++frame) {
    const sim::Points v = s.state().v;
    EXPECT_TRUE(s.step()) << s.failure();
    swing.worst_energy = std::max(swing.worst_energy, std::abs(energy_error(s)));
    if (frame < 60) continue;
    const double gravity = s.record().measured.gravity;
    swing.highest = std::max(swing.highest, gravity);
    swing.lowest = std::min(swing.lowest, gravity);
    swing.jerk += (s.state().v + v).norm() / v.norm();
    ++counted;
  }
  swing.jerk /= counted;
  return swing;
}

TEST(EnergyConstrained, HoldsTheEnergyPerfectlyAndGetsStuck) {
  const Swing truth = swing_of("implicit-midpoint", 20), stuck = swing_of("energy-constrained", 1);
  EXPECT_LT(stuck.worst_energy, 1e-6);
  // The true cloth swings up and down by most of its first swing; the stuck one hardly moves as a whole.
  const double fallen = truth.start - truth.lowest;
  EXPECT_GT(truth.highest - truth.lowest, 0.4 * fallen);
  EXPECT_LT(stuck.highest - stuck.lowest, 0.25 * (truth.highest - truth.lowest));
  // Yet its energy is all there: it is in elements that go to and fro.
  EXPECT_LT(stuck.jerk, 0.5 * truth.jerk);
}

TEST(EnergyConstrained, IsTheTrapezoidRuleWhereThatHoldsTheEnergy) {
  // A linear oscillator: the trapezoid rule conserves its energy, and nothing has to be corrected.
  Model model = free_vertices(1);
  model.attachments.items.push_back({BodyPoint::at_vertex(0), 900, Vec3::Zero()});
  Stepper constrained(model, "energy-constrained", 0.033, 20), newmark(model, "newmark", 0.033, 20);
  State start{Points::Zero(1, 3), Points::Zero(1, 3)};
  start.x << 1, 0, 0;
  start.v << 0, 5, 0;
  constrained.start(start);
  newmark.start(start);
  for (int i = 0; i < 100; ++i) {
    constrained.step();
    newmark.step();
    ASSERT_LT((constrained.history.now.x - newmark.history.now.x).norm(), 1e-9) << i;
  }
}

TEST(EnergyConstrained, MeetsTheStationarityOfTheMultiplierProblem) {
  // dg + lambda dC = 0 for one lambda: dg and dC are parallel, whatever the solver.
  Points rest;
  const Model model = arap_cube(2, 3e5, rest);
  const int n = static_cast<int>(rest.rows());
  for (const char* solver : {"local-global", "newton"}) {
    Stepper stepper(model, "energy-constrained", 0.033, 2000, solver);
    stepper.start({rest + random_points(n, 1, 0.03), random_points(n, 2)});
    const History before = stepper.history;
    stepper.step();
    const State& next = stepper.history.now;
    EXPECT_NEAR(stepper.H(), stepper.ledger.target(), 1e-6 * stepper.ledger.scale());

    StepBuffers buffers;
    const StepObjective g(model, kNewmark, 0.033, before, buffers, stepper.work);
    Points dg, dC;
    g.gradient(next.x, dg);
    model.gradient(next.x, dC, stepper.work);
    for (int i = 0; i < n; ++i) dC.row(i) += 2 / 0.033 * model.M[i] * next.v.row(i);
    const double cosine = dg.cwiseProduct(dC).sum() / (dg.norm() * dC.norm());
    EXPECT_GT(std::abs(cosine), 1 - 1e-9) << solver;
    EXPECT_GT(dg.norm() / (model.M[0] * 0.033), 1e-3) << "the plain trapezoid rule was not the answer: " << solver;
  }
}

}  // namespace
}  // namespace rebound::test
