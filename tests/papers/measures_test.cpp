// Measures of runs made by hand.
#include <gtest/gtest.h>

#include <cmath>
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
  EXPECT_DOUBLE_EQ(measured(run, "bounces"), 1);
  run.columns = {{"centre_y", "m", {4, 3, 1, 0, 2, 3, 2.5, 0.2, 0.6, 0.9, 0.5, 0.1, 0.4, 0.45, 0.1}}};
  EXPECT_DOUBLE_EQ(measured(run, "bounces"), 2) << "the last is too low";
  run.columns = {{"centre_y", "m", {4, 3, 1, 0}}};
  EXPECT_DOUBLE_EQ(measured(run, "bounces"), 0);
}

Results searched() {
  Results run;
  // What touches, what is at a bound and what is free: 10 J wanted.
  run.columns = {{"time", "s", {0, 1, 2, 3, 4, 5}},         {"total", "J", {10, 6, 7, 9.9, 10, 9}},
                 {"target", "J", {10, 10, 10, 10, 10, 10}}, {"scale", "J", {10, 10, 10, 10, 10, 10}},
                 {"contact", "J", {0, 1, 0, 0, 0, 0}},      {"alpha", "", {NAN, 0.9, 1.1, 0.8, 0, 0}}};
  run.facts = {{"alpha_min", 0}, {"alpha_max", 1.1}};
  return run;
}

TEST(Measures, OfASearchForAlpha) {
  Results run = searched();
  EXPECT_NEAR(measured(run, "energy_error_in_reach"), 0.01, 1e-12);
  EXPECT_DOUBLE_EQ(measured(run, "share_on_target"), 0.5);
  EXPECT_DOUBLE_EQ(measured(run, "share_in_reach"), 0.4);
  EXPECT_DOUBLE_EQ(measured(run, "alpha_least_from"), 4);
  EXPECT_DOUBLE_EQ(measured(run, "late_energy_left"), 0.95);
  run.columns.back().values.back() = 1;
  EXPECT_TRUE(std::isnan(measured(run, "alpha_least_from")));
}

TEST(Measures, OfAlphaBeforeAndLate) {
  Results run = searched();
  // The first step touches; without it two steps are free before one that does.
  EXPECT_TRUE(std::isnan(measured(run, "alpha_before_contact")));
  run.columns[4].values = {0, 0, 0, 1, 0, 0};
  EXPECT_DOUBLE_EQ(measured(run, "alpha_before_contact"), 1);
  EXPECT_DOUBLE_EQ(measured(run, "median_alpha"), 0.8);
  EXPECT_DOUBLE_EQ(measured(run, "late_share_of_least_alpha"), 1);
  run.columns[5].values.back() = 1;
  EXPECT_DOUBLE_EQ(measured(run, "late_share_of_least_alpha"), 0.5);
}

TEST(Measures, OfAStruckDrum) {
  Results run;
  run.columns = {{"time", "s", {0, 0.4, 0.8, 1.2}}, {"mode_kinetic", "J", {4, 3.9, 2, 1}}};
  EXPECT_DOUBLE_EQ(measured(run, "mode_kept"), 0.5);
}

TEST(Measures, OfASearchAskForItsBounds) {
  Results run = searched();
  run.facts.clear();
  EXPECT_TRUE(std::isnan(measured(run, "energy_error_in_reach")));
  EXPECT_TRUE(std::isnan(measured(run, "share_in_reach")));
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
