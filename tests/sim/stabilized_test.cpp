// What the stabilised step looks at first makes no difference to where it goes, and the energy that it reports is that
// of the state it returns.
#include <gtest/gtest.h>

#include <functional>

#include "support/material_cube.hpp"

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
    const StepInput input{model,
                          *stepper.minimizer,
                          stepper.work,
                          stepper.history,
                          stepper.ledger,
                          stepper.h,
                          stepper.solver,
                          stepper.blend,
                          Unresolved::moving,
                          stepper.alpha,
                          stepper.rho,
                          stepper.modes,
                          {frame > 0 && held(run.reports.back())}};
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

// With a tolerance this loose Newton's method makes one correction and finds every step solved, backward Euler's in a
// brake as well. What such a step does comes from where the world is, and not from what the integrator did before.
TEST(Brake, HasItsVelocityWhereTheSolverFindsLittleLeftToDo) {
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
    auto goes_on = stepper_at({rest, 30 * rest});
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
      EXPECT_EQ(report.energy.has_value(), report.blend != 0.0) << "a blend has it anyway";
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

// How far the energy, in double precision, is from the target after a step, over what the blend allows: at most 1 in
// size, unless all of backward Euler was not enough, and for methods that may fall behind the target.
struct Misses {
  double above = 0, below = 0;
  int blends = 0;
};

// Stretched and spinning: midpoint goes astray again and again, and its solver begins anew from where the step began.
Misses spin_stretched(const char* material, const char* solver, const char* integrator, int divisions, int frames,
                      double young, double spin, std::optional<int> stabilizer_iterations = {}) {
  MaterialCube cube(material, young, 0.45, divisions);
  Stepper stepper(cube.model, integrator, 0.033, 10, solver);
  stepper.solver.stabilizer_iterations = stabilizer_iterations;
  State start{cube.rest, Points(cube.rest.rows(), 3)};
  start.x.col(0) *= 1.2;
  start.x.rightCols(2) *= 0.9;
  for (Eigen::Index i = 0; i < start.x.rows(); ++i)
    start.v.row(i) = Vec3(0, spin, 0).cross(Vec3(start.x.row(i).transpose())).transpose();
  stepper.start(start);
  Misses misses;
  for (int frame = 0; frame < frames; ++frame) {
    const StepReport report = stepper.step();
    EXPECT_EQ(report.outcome, Outcome::done) << frame;
    if (report.outcome != Outcome::done) break;
    const double e = (stepper.H() - stepper.ledger.target()) / (stepper.blend.tolerance * stepper.ledger.scale());
    const double blend = report.blend.value_or(0);
    misses.blends += blend != 0;
    if (blend < 1) misses.above = std::max(misses.above, e);
    misses.below = std::max(misses.below, -e);
  }
  return misses;
}

struct StretchedSpin {
  int divisions, frames;
  double young, spin;
};

class StabilizedMaterialTest : public testing::TestWithParam<const char*> {};

// In double precision, and in single. Towards a barrier the way ends before the root, and energy may be lost.
TEST_P(StabilizedMaterialTest, TheStateHasTheEnergyThatTheBlendWasToFind) {
  for (const auto& [divisions, frames, young, spin] :
       {StretchedSpin{4, 60, 1e6, 4}, {6, 60, 1e6, 15}, {6, 40, 1e5, 4}, {11, 25, 1e6, 4}, {11, 25, 1e5, 10}}) {
    SCOPED_TRACE(std::to_string(divisions) + ", " + std::to_string(young));
    const Misses misses = spin_stretched(GetParam(), "quasi-newton", "stabilized", divisions, frames, young, spin);
    EXPECT_GT(misses.blends, 0);
    EXPECT_LE(misses.above, 1.01);
    if (GetParam() != std::string("neo-hookean")) {
      EXPECT_LE(misses.below, 1.01);
    }
  }
}

TEST_P(StabilizedMaterialTest, TheBrakeOfReboundHoldsInSinglePrecision) {
  for (const auto& [divisions, frames, young, spin] : {StretchedSpin{11, 25, 1e6, 4}, {11, 25, 1e5, 10}}) {
    const Misses misses = spin_stretched(GetParam(), "quasi-newton", "rebound", divisions, frames, young, spin);
    EXPECT_LE(misses.above, 1.01) << young;
  }
}

INSTANTIATE_TEST_SUITE_P(Materials, StabilizedMaterialTest, testing::ValuesIn(solid_materials()),
                         [](const auto& of) { return test_name(of.param); });

// Backward Euler's iterates are asked about before each of them: what is known of midpoint is not to be theirs.
TEST(Stabilized, AnyNumberOfStabilizerIterationsHoldsTheEnergy) {
  for (const char* solver : {"local-global", "quasi-newton", "newton"})
    for (const int divisions : {4, 11})
      for (const int iterations : {1, 2, 4}) {
        if (solver == std::string("newton") && divisions > 4) continue;
        SCOPED_TRACE(std::string(solver) + ", " + std::to_string(divisions) + ", " + std::to_string(iterations));
        const Misses misses = spin_stretched("arap", solver, "stabilized", divisions, 30, 1e6, 15, iterations);
        EXPECT_GT(misses.blends, 0);
        EXPECT_LE(misses.above, 1.01);
      }
}

}  // namespace
}  // namespace rebound::test
