// The integrator may be changed in mid-motion, from any to any: nothing jumps, and nothing that the old one kept or
// that the new one did not see makes a difference.
#include <gtest/gtest.h>

#include "scene/method_settings.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

scene::Description moving_cube(std::string_view integrator, const scene::Solver& solver) {
  auto d = spinning_cube(2, 1e5);
  d.integrator.type = integrator;
  d.integrator.tolerance = 0;  // the blend blends in every frame, so that it is not midpoint here
  d.solver = solver;
  d.bodies[0].start = scene::StretchedStart{{1.2, 1, 0.9}};
  return d;
}

// The step that `integrator` makes in a world set up anew, of which it is given two states of the past and the ledger.
sim::State fresh_step(const Session& world, std::string_view integrator, const sim::History& history) {
  const scene::Description& d = world.description();
  const sim::Model model = scene::build_model(world.world());
  const auto minimizer = sim::find_solver(d.solver.type)->make(model);
  sim::Workspace work(1);
  sim::State next;
  const auto report = sim::find_integrator(integrator)
                          ->make()
                          ->step({model,
                                  *minimizer,
                                  work,
                                  history,
                                  world.ledger(),
                                  d.timeStep,
                                  scene::solver_settings(d),
                                  {d.integrator.tolerance, d.integrator.forwardBlend}},
                                 next);
  EXPECT_EQ(report.outcome, sim::Outcome::done);
  return next;
}

// Runs `from` for some frames, then one of `to`, with what they should be around it.
void switch_over(std::string_view from, std::string_view to, const scene::Solver& solver) {
  SCOPED_TRACE(std::string(from) + " to " + std::string(to) + " with " + solver.type);
  Session s = open(moving_cube(from, solver)), kept = open(moving_cube(from, solver));
  sim::History history;
  for (int i = 0; i < 4; ++i) {
    history.before = s.state();
    ASSERT_TRUE(s.step() && kept.step());
  }
  history.now = s.state();
  history.has_before = true;
  s.apply(SetIntegrator{std::string(to)});
  ASSERT_EQ(s.state().x, history.now.x);
  ASSERT_EQ(s.state().v, history.now.v);

  const sim::State expected = fresh_step(s, to, history);
  ASSERT_TRUE(s.step() && kept.step());
  // SIERE begins its search for modes with those of the step before, and an exponential step looks first where that had
  // enough directions: part of their past, which a fresh one has not.
  if (from == to && from == "exponential") {
    EXPECT_LT((s.state().x - expected.x).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LT((s.state().v - expected.v).cwiseAbs().maxCoeff(), 1e-8);
  } else if (from != to || from != "siere") {
    EXPECT_EQ(s.state().x, expected.x);
    EXPECT_EQ(s.state().v, expected.v);
  }
  const bool same = s.state().x == kept.state().x && s.state().v == kept.state().v;
  EXPECT_EQ(same, from == to) << "another method makes another step, the same the same";
}

TEST(Switching, AnyIntegratorToAnyOtherIsTheStepOfAFreshOneWithThatPast) {
  for (const auto& solver : sim::solvers())
    for (const auto& from : sim::integrators())
      for (const auto& to : sim::integrators()) switch_over(from.id, to.id, {std::string(solver.id), 10, {}});
}

// BDF2's formula on the two states before, whoever made them:
//   3/2 x_{n+1} - 2 x_n + 1/2 x_{n-1} = h v_{n+1},   M (3/2 v_{n+1} - 2 v_n + 1/2 v_{n-1}) = -h dE(x_{n+1})
TEST(Switching, Bdf2LooksBackAtOnceWhoeverCameBefore) {
  for (const auto& from : sim::integrators()) {
    SCOPED_TRACE(from.id);
    Session s = open(moving_cube(from.id, {"newton", 100, {}}));
    sim::State before;
    for (int i = 0; i < 4; ++i) {
      before = s.state();
      ASSERT_TRUE(s.step());
    }
    const sim::State now = s.state();
    s.apply(SetIntegrator{std::string(sim::kBdf2.id)});
    ASSERT_TRUE(s.step());
    const sim::State& next = s.state();
    const double h = s.description().timeStep;
    sim::Workspace work(1);
    sim::Points dE;
    s.model().gradient(next.x, dE, work);
    const sim::Points moved = 1.5 * next.x - 2 * now.x + 0.5 * before.x;
    const sim::Points pushed = 1.5 * next.v - 2 * now.v + 0.5 * before.v;
    EXPECT_LT((moved - h * next.v).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((s.model().M.asDiagonal() * pushed + h * dE).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_GT((next.x - now.x - h * next.v).cwiseAbs().maxCoeff(), 1e-3) << "a backward Euler step";
  }
}

// ---- what the old method has left ----

double left(const Session& s) { return s.record().left; }

/// Of a cube that backward Euler takes the energy of.
scene::Description tiring_cube() {
  auto d = spinning_cube(3, 1e5);
  d.integrator.type = "backward-euler";
  return d;
}

void tire(Session& s) {
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(s.step());
}

TEST(Switching, TakesWhatIsThereAsItsTargetWhereItIsAskedTo) {
  Session s = open(tiring_cube());
  tire(s);
  const double initial = s.record().target, there = s.record().measured.total(), scale = s.record().scale;
  ASSERT_LT(there, 0.9 * initial);
  s.apply(SetIntegrator{"stabilized", true});
  EXPECT_NEAR(s.record().target, there, 1e-9 * initial);
  EXPECT_NEAR(left(s), there - initial, 1e-9 * initial);
  EXPECT_EQ(s.left_by(), "backward-euler");
  for (int i = 0; i < 30; ++i) {
    ASSERT_TRUE(s.step());
    EXPECT_NEAR(s.record().measured.total(), there, 0.05 * scale) << "nothing is put back at frame " << i;
  }
  // The old target, on demand.
  s.apply(SetIntegrator{"stabilized", false});
  EXPECT_NEAR(s.record().target, initial, 1e-9 * initial);
  EXPECT_EQ(left(s), 0);
  EXPECT_EQ(s.left_by(), "");
}

TEST(Switching, KeepsTheTargetWhereNothingElseIsAsked) {
  Session s = open(tiring_cube());
  tire(s);
  const double target = s.record().target;
  s.apply(SetIntegrator{"stabilized"});
  EXPECT_EQ(s.record().target, target);
  EXPECT_EQ(left(s), 0);
}

TEST(Switching, IsUndoneWithItsTarget) {
  Session s = open(tiring_cube());
  tire(s);
  const double target = s.record().target;
  const auto back = s.inverse(SetIntegrator{"stabilized", true});
  s.apply(SetIntegrator{"stabilized", true});
  ASSERT_TRUE(back);
  s.apply(*back);
  EXPECT_EQ(s.description().integrator.type, "backward-euler");
  EXPECT_NEAR(s.record().target, target, 1e-9 * target);
}

TEST(Switching, TakesNoRunawayAsItsTarget) {
  auto d = spinning_cube(5, 1e6);
  d.integrator.type = "forward-euler";
  Session s = open(d);
  while (s.record().times_its_target() < 10 && s.step()) {
  }
  const double target = s.record().target;
  s.apply(SetIntegrator{"stabilized", true});
  EXPECT_EQ(s.record().target, target);
  EXPECT_EQ(left(s), 0);
}

TEST(Switching, BooksNothingWithinTheTolerance) {
  auto d = spinning_cube(3, 1e5);
  Session s = open(d);
  for (int i = 0; i < 20; ++i) s.step();
  const double target = s.record().target;
  ASSERT_LE(std::abs(s.record().measured.total() - target), d.integrator.tolerance * s.record().scale);
  s.apply(SetIntegrator{"backward-euler", true});
  EXPECT_EQ(s.record().target, target);
}

}  // namespace
}  // namespace rebound::test
