// [Dinev18 Sec. 5, Fig. 5]: correcting velocities to the energy budget [Su13] makes midpoint survive longer on the
// spinning cube, and does not save it: the potential energy is out of its reach.
#include <gtest/gtest.h>

#include <map>

#include "sim/integrate/energy_budget.hpp"
#include "support/models.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

/// The first frame whose energy is above twice the first, or `frames`.
int explodes(const char* integrator, const scene::Solver& solver, int frames) {
  scene::Description d = spinning_cube(6);
  d.integrator.type = integrator;
  d.solver = solver;
  session::Session s = open(d, 2);
  for (int frame = 1; frame <= frames; ++frame) {
    if (!s.step() || s.record().measured.total() > 2 * s.record().initial) return frame;
  }
  return frames;
}

TEST(EnergyBudget, OutlivesMidpointAndExplodesInTheEnd) {
  constexpr int kFrames = 5000;
  for (const scene::Solver& solver : {scene::Solver{"local-global", 10, {}}, scene::Solver{"newton", 100, {}}}) {
    const int midpoint = explodes("implicit-midpoint", solver, kFrames);
    const int budget = explodes("energy-budget", solver, kFrames);
    EXPECT_GT(budget, 1.5 * midpoint) << solver.type;
    EXPECT_LT(budget, kFrames) << solver.type;
  }
}

TEST(EnergyBudget, KeepsBothMomentaAndComesNearerToTheEnergyThanMidpoint) {
  std::map<std::string, double> error;
  for (const char* integrator : {"implicit-midpoint", "energy-budget"}) {
    scene::Description d = spinning_cube(4, 1e5);
    d.integrator.type = integrator;
    d.solver = {"newton", 100, {}};
    session::Session s = open(d);
    const sim::Measurement start = s.record().measured;
    for (int frame = 0; frame < 200; ++frame) {
      ASSERT_TRUE(s.step());
      error[integrator] += std::abs(s.record().measured.total() - start.total());
      ASSERT_LT((s.record().measured.l - start.l).norm(), 1e-8 * start.l.norm()) << integrator;
      ASSERT_LT((s.record().measured.p - start.p).norm(), 1e-8 * std::sqrt(start.total() * 1000)) << integrator;
    }
  }
  // Not to zero: at the turning points of a vibration an impulse along the force has no power.
  EXPECT_LT(error["energy-budget"], 0.1 * error["implicit-midpoint"]);
}

TEST(EnergyBudget, CorrectsAsFarAsImpulsesAlongTheForcesGo) {
  Model model = free_vertices(5);
  model.M << 1, 2, 3, 0.5, 1;
  model.fixed[4] = 1;
  const Points dE = random_points(5, 1, 10);
  Points v = random_points(5, 2);
  v.row(4).setZero();
  double work = 0, reach = 0;
  for (int i = 0; i < 4; ++i) {
    work += dE.row(i).dot(v.row(i));
    reach += dE.row(i).squaredNorm() / model.M[i];
  }
  const double K = model.kinetic(v), least = K - 0.5 * work * work / reach;
  for (const double budget : {K, 0.5 * (K + least), 3 * K, 1e6 * K}) {
    Points corrected = v;
    correct_velocities(model, budget, dE, corrected);
    EXPECT_NEAR(model.kinetic(corrected), budget, 1e-10 * budget);
    EXPECT_EQ(corrected.row(4).norm(), 0);
  }
  for (const double budget : {0.999 * least, 0.0, -10.0}) {
    Points corrected = v;
    correct_velocities(model, budget, dE, corrected);
    EXPECT_NEAR(model.kinetic(corrected), least, 1e-10 * K) << "no further";
  }
}

}  // namespace
}  // namespace rebound::test
