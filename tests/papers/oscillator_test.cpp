// Eigenvalues of a step, fitted on this program's own steps, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "papers/row_support.hpp"

namespace rebound::test {
namespace {

double measured(const std::string& integrator, double z, const char* measure, const std::string& more = {}) {
  const papers::Row row = read_row_text(
      R"({ "row": 1, "paper": "Chen20", "place": "p", "title": "t", "class": "A", "seconds": 1, "claim": "c", "look": "l",
      "runs": [ { "name": "one", "kind": "oscillator", "integrator": ")" +
      integrator + "\", \"z\": [" + std::to_string(z) + "]" + more + " } ] }");
  const auto experiment = row.runs[0]->begin({});
  while (experiment->advance()) {
  }
  return papers::find_measure(measure)->of(experiment->take(), z).value_or(NAN);
}

class Oscillator : public testing::TestWithParam<double> {};

TEST_P(Oscillator, IsDampedAsTheFormulasSay) {
  const double z = GetParam();
  using C = std::complex<double>;
  const C root = std::sqrt(C(1, 2 * z));
  const double bdf2 = std::max(std::abs((2.0 + root) / C(3, -2 * z)), std::abs((2.0 - root) / C(3, -2 * z)));
  EXPECT_NEAR(measured("backward-euler", z, "artificial_damping"), std::log(1 + z * z) / z, 1e-7);
  EXPECT_NEAR(measured("bdf2", z, "artificial_damping"), -2 / z * std::log(bdf2), 1e-6);
  EXPECT_NEAR(measured("implicit-midpoint", z, "growth"), 1, 1e-9);
  EXPECT_NEAR(measured("implicit-midpoint", z, "frequency_ratio"), 2 * std::atan(z / 2) / z, 1e-8);
  EXPECT_NEAR(measured("a1", z, "growth"), 1, 1e-8);
  EXPECT_NEAR(measured("a-search", z, "determinant", ", \"alpha\": 0.5"), 1 - 0.5 * z * z / (1 + z * z), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Steps, Oscillator, testing::Values(0.1, 0.5, 1.0, 2.0, 5.0, 10.0));

}  // namespace
}  // namespace rebound::test
