// What two equations of [Dinev18] do as they are printed, in closed form.
#include <gtest/gtest.h>

#include <cmath>

#include "papers/row_support.hpp"

namespace rebound::test {
namespace {

double printed(const std::string& settings, const char* measure) {
  const papers::Row row = read_row_text(
      R"({ "row": 1, "paper": "Dinev18", "place": "p", "title": "t", "class": "A", "seconds": 1, "claim": "c", "look": "l",
      "runs": [ { "name": "one", "kind": "printed", )" +
      settings + " } ] }");
  const auto experiment = row.runs[0]->begin({});
  while (experiment->advance()) {
  }
  return papers::find_measure(measure)->of(experiment->take(), {}).value_or(NAN);
}

TEST(Printed, Equation32TakesASpinTwice) {
  EXPECT_NEAR(printed(R"("equation": 32, "coefficient": 0.08)", "spin_left"), std::pow(1 - 2 * 0.08, 60), 1e-15);
}

TEST(Printed, Equation39StopsNothingAndShootsUphill) {
  EXPECT_EQ(printed(R"("equation": 39, "coefficient": 0.8)", "speed_along_ground"), 1);
  EXPECT_NEAR(printed(R"("equation": 39, "coefficient": 0.8, "slope": 30)", "speed_along_ground"),
              1 + 60 * 9.81 * 0.5 * (0.033 - 0.8), 1e-10);
}

TEST(Printed, OtherEquationsAreRefused) {
  EXPECT_ANY_THROW(printed(R"("equation": 33, "coefficient": 0.5)", "spin_left"));
  EXPECT_ANY_THROW(printed(R"("equation": 32)", "spin_left"));
}

}  // namespace
}  // namespace rebound::test
