// What the stabilised step looks at first makes no difference to where it goes, and the energy that it reports is that
// of the state it returns.
#include <gtest/gtest.h>

#include <functional>

#include "support/models.hpp"

namespace rebound::test {
namespace {

struct CubeRun {
  std::vector<StepReport> reports;
  State end;
};

// A cube that spins, stretched, so that frames are blended to either side or not at all.
CubeRun spin(int divisions, int frames, const std::function<bool(const StepReport&)>& held) {
  Points rest;
  const Model model = arap_cube(divisions, 3e5, rest);
  Stepper stepper(model, "stabilized", 0.033);
  Points v(rest.rows(), 3);
  for (Eigen::Index i = 0; i < rest.rows(); ++i)
    v.row(i) = Vec3(0, 8, 0).cross(Vec3(rest.row(i).transpose())).transpose();
  Points x = rest;
  x.col(0) *= 1.2;
  stepper.start({x, v});
  CubeRun run;
  for (int frame = 0; frame < frames; ++frame) {
    const StepInput input{model,           *stepper.minimizer, stepper.work,
                          stepper.history, stepper.ledger,     stepper.h,
                          stepper.solver,  stepper.blend,      Unresolved::moving,
                          stepper.alpha,   stepper.rho,        stepper.modes, {frame > 0 && held(run.reports.back())}};
    run.reports.push_back(stepper.integrator->step(input, stepper.next));
    EXPECT_EQ(run.reports.back().outcome, Outcome::done);
    if (const auto& E = run.reports.back().energy) {
      EXPECT_EQ(*E, model.energy_by_kind(stepper.next.x, stepper.work)) << "frame " << frame;
    }
    std::swap(stepper.history.now, stepper.next);
    stepper.ledger.observe(measure(model, stepper.history.now, stepper.work));
  }
  run.end = stepper.history.now;
  return run;
}

// With a tolerance this loose Newton's method finds every step solved where it begins, backward Euler's in a brake as well.
// What such a step does comes from where the world is, and not from what the integrator did before.
TEST(Brake, HasItsVelocityWhereTheSolverFindsNothingLeftToDo) {
  for (const char* integrator : {"stabilized", "rebound"}) {
    SCOPED_TRACE(integrator);
    Points rest;
    const Model model = arap_cube(3, 3e5, rest);
    const auto stepper_at = [&](const State& state) {
      auto stepper = std::make_unique<Stepper>(model, integrator, 0.033, 100, "newton");
      stepper->solver.tolerance = 1e6;
      stepper->blend.tolerance = 1e-9;
      stepper->start(state);
      return stepper;
    };
    // It swells and nothing holds it back: its energy grows, until the brake is asked for.
    auto goes_on = stepper_at({rest, 2 * rest});
    int braked = 0;
    for (int frame = 0; frame < 8; ++frame) {
      const auto begins = stepper_at(goes_on->history.now);
      begins->history = goes_on->history;
      begins->ledger = goes_on->ledger;
      begins->memory = goes_on->memory;
      const StepReport report = goes_on->step();
      ASSERT_EQ(begins->step().outcome, report.outcome);
      if (report.outcome != Outcome::done) break;
      ASSERT_EQ(begins->history.now.v, goes_on->history.now.v) << frame;
      braked += report.blend.value_or(0) > 0;
    }
    EXPECT_GT(braked, 0);
  }
}

TEST(Stabilized, AHintWhatToLookAtFirstChangesNoMoreThanRounding) {
  // In double precision, and in single.
  for (const int divisions : {4, 12}) {
    SCOPED_TRACE(divisions);
    constexpr int kFrames = 12;
    const CubeRun never = spin(divisions, kFrames, [](const StepReport&) { return false; });
    const CubeRun always = spin(divisions, kFrames, [](const StepReport&) { return true; });
    const CubeRun as_found = spin(divisions, kFrames, [](const StepReport& last) { return last.blend == 0.0; });
    int midpoint = 0, backward = 0, known = 0;
    for (const StepReport& report : never.reports) {
      midpoint += report.blend == 0.0;
      backward += *report.blend > 0;
      EXPECT_FALSE(report.energy);
    }
    for (const StepReport& report : always.reports) known += report.energy.has_value();
    ASSERT_GE(midpoint, 2);
    ASSERT_GT(backward, 0);
    EXPECT_GE(known, midpoint - 1) << "midpoint is measured once, not twice";
    const double rounding = divisions == 4 ? 1e-9 : 1e-3;
    for (const CubeRun* run : {&always, &as_found}) {
      EXPECT_LT((run->end.x - never.end.x).cwiseAbs().maxCoeff(), rounding);
      for (int frame = 0; frame < kFrames; ++frame)
        EXPECT_NEAR(*run->reports[frame].blend, *never.reports[frame].blend, 10 * rounding) << frame;
    }
  }
}

}  // namespace
}  // namespace rebound::test
