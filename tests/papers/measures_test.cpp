// Measures of runs made by hand.
#include <gtest/gtest.h>

#include <set>

#include "papers/measures.hpp"
#include "papers/plans.hpp"

namespace rebound::test {
namespace {

using Results = papers::Run;

double measured(const Results& run, const char* name) {
  const papers::Measure* measure = papers::find_measure(name);
  EXPECT_NE(measure, nullptr) << name;
  return measure->of(run, {}).value_or(NAN);
}

TEST(Measures, HaveNamesOfTheirOwnAndAKindThatThereIs) {
  std::set<std::string_view> names, kinds;
  for (const papers::PlanKind& kind : papers::plan_kinds()) kinds.insert(kind.name);
  for (const papers::Measure& measure : papers::measures()) {
    EXPECT_TRUE(names.insert(measure.name).second) << measure.name;
    EXPECT_TRUE(kinds.contains(measure.kind)) << measure.name;
    // Of a run that has nothing it finds nothing, and does not fall over.
    EXPECT_FALSE(measure.of(Results{}, 1.0).has_value()) << measure.name;
  }
}

TEST(Measures, OfEnergy) {
  Results run;
  run.columns = {
      {"time", "s", {0, 1, 2}}, {"total", "J", {10, 12, 5}}, {"target", "J", {10, 10, 9}}, {"scale", "J", {10, 10, 8}}};
  EXPECT_DOUBLE_EQ(measured(run, "worst_energy_error"), 0.5);
  EXPECT_DOUBLE_EQ(measured(run, "worst_overshoot"), 0.2);
  EXPECT_DOUBLE_EQ(measured(run, "energy_left"), 0.5);
  EXPECT_DOUBLE_EQ(measured(run, "energy_growth"), 1.2);
  EXPECT_DOUBLE_EQ(measured(run, "rising_frames"), 1);
}

TEST(Measures, OfABounce) {
  Results run;
  run.columns = {{"centre_y", "m", {4, 3, 1, 0, 2, 3, 2.5, 0}}};
  EXPECT_DOUBLE_EQ(measured(run, "height_regained"), 0.75);
}

TEST(Measures, OfMomenta) {
  Results run;
  run.columns = {{"lx", "", {0, 0}}, {"ly", "", {2, 2}}, {"lz", "", {0, 1}}};
  EXPECT_DOUBLE_EQ(measured(run, "angular_momentum_error"), 0.5);
}

TEST(Measures, UntangledIsWhatStaysSo) {
  Results run;
  run.columns = {{"inverted", "", {5, 0, 2, 0, 0}}};
  EXPECT_DOUBLE_EQ(measured(run, "frames_to_untangle"), 3);
  run.columns[0].values.back() = 1;
  EXPECT_TRUE(std::isnan(measured(run, "frames_to_untangle")));
}

}  // namespace
}  // namespace rebound::test
