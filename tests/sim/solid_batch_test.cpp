// The wide kernels of every material of tetrahedra against the same law in double precision.
#include "sim/energy/solid_batch.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/split_bodies.hpp"

namespace rebound::test {
namespace {

struct LawCase {
  const MaterialInfo* info;
  double poisson;
};

std::vector<LawCase> law_cases() {
  std::vector<LawCase> list;
  for (const MaterialInfo& info : materials()) {
    if (info.kind != ElementKind::tetrahedra || info.id == "arap") continue;
    for (const double poisson : {0.0, 0.3, 0.49})
      if (!info.is_whole || poisson == 0) list.push_back({&info, poisson});
  }
  return list;
}

void PrintTo(const LawCase& c, std::ostream* out) { *out << c.info->id << ", Poisson's ratio " << c.poisson; }

class SolidBatchTest : public testing::TestWithParam<LawCase> {
 protected:
  static constexpr double kYoung = 1e5;

  SolidBatchTest() : body(5) {
    MaterialValues values;
    values.young = kYoung;
    values.poisson = GetParam().poisson;
    values.rigidity = kYoung / 8;  // where it counts, mu is 4 kappa
    const std::vector<MaterialValues> all(body.box.tetrahedra.size(), values);
    const std::vector<double> fill(body.box.tetrahedra.size(), 1.0);
    energy =
        std::move(GetParam().info->laws.front().make({body.box.points, body.box.tetrahedra, all, fill, {}}).front());
  }

  std::unique_ptr<FloatBatch> batch(const sim::FloatKernel& kernel) const {
    return energy->float_batch(body.split.place, body.split.partition, kernel);
  }
  bool admits(const Points& x) {
    Workspace work{1};
    return std::isfinite(energy->value(x, work));
  }

  SplitBox body;
  std::unique_ptr<Energy> energy;
};

// The error that floats leave in a force is about that of the stress of a strain of 1e-7, by the stiffest modulus.
TEST_P(SolidBatchTest, HasTheEnergyAndGradientOfTheLaw) {
  const Points& rest = body.box.points;
  const int n = static_cast<int>(rest.rows());
  Points stretched = rest, flipped = rest;
  stretched.col(0) *= 1.4;
  stretched.col(1) *= 0.8;
  flipped.col(2) *= -0.9;
  const std::vector<std::pair<const char*, Points>> states = {{"a small strain", strained(rest, 1e-3)},
                                                              {"strained", strained(rest, 0.1)},
                                                              {"stretched", stretched},
                                                              {"rough", rest + random_points(n, 2, 0.02)},
                                                              {"inside out", flipped + random_points(n, 3, 0.01)},
                                                              {"random", random_points(n, 4, 0.7)}};
  const double nu = GetParam().poisson, modulus = kYoung * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
  for (const sim::FloatKernel* kernel : float_kernels()) {
    const auto floats = batch(*kernel);
    for (const auto& [what, at] : states) {
      SCOPED_TRACE(std::string(what) + ", " + kernel->instruction_set);
      Workspace work{1};
      const Quads x4 = body.split.to_floats(at);
      const Points x = body.split.to_points(x4);
      if (!admits(x)) {
        EXPECT_EQ(value_of(*floats, body.split.partition, x4), INFINITY);
        continue;
      }
      Points expected = Points::Zero(n, 3);
      const double E = energy->add_gradient(x, expected, work);
      const BatchResult result = gradient_of(*floats, body.split.partition, x4, 0.37f, work.workers);
      const Points gradient = body.split.to_points(result.gradient) / static_cast<double>(0.37f);
      const double face = 0.2 * 0.2;  // m^2, of an element
      EXPECT_LT((gradient - expected).norm(), 1e-5 * expected.norm() + 3e-7 * modulus * face * std::sqrt(n));
      EXPECT_NEAR(result.total_energy(), E, 1e-4 * E);
      EXPECT_DOUBLE_EQ(floats->value(0, x4.data()), result.energy[0]);
    }
  }
}

// A whole step, or as far as double precision would go.
TEST_P(SolidBatchTest, BoundsAStepAsTheLawDoes) {
  const Points& rest = body.box.points;
  const int n = static_cast<int>(rest.rows());
  Workspace work{1};
  for (const sim::FloatKernel* kernel : float_kernels()) {
    const auto floats = batch(*kernel);
    for (const double size : {0.001, 0.05, 0.3, 3.0}) {
      const Quads x4 = body.split.to_floats(strained(rest, 0.05));
      const Quads d4 = body.split.to_floats(random_points(n, 5, size));
      const double whole = energy->largest_step(body.split.to_points(x4), body.split.to_points(d4), work) / 0.9;
      const double found = largest_step_of(*floats, body.split.partition, x4, d4);
      if (whole >= 1) {
        EXPECT_GE(found, 1) << size;
      } else {
        EXPECT_NEAR(found, whole, 1e-4 * whole) << size;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Laws, SolidBatchTest, testing::ValuesIn(law_cases()));

}  // namespace
}  // namespace rebound::test
