// The wide kernels of sheets and hinges against the same in double precision.
#include <gtest/gtest.h>

#include <cmath>

#include "support/sheets.hpp"
#include "support/split_bodies.hpp"

namespace rebound::test {
namespace {

/// A cloth whose two middle columns are the top, as a hinge reaches over two triangles.
struct SplitSheet {
  static constexpr double kYoung = 1e6;

  explicit SplitSheet(const char* law, double folded = 0)
      : surface(flat_grid(1.37, 0.731, 13, 7)),
        sheet(bent(surface, folded), law, values()),
        split(middle_to_zero(surface)) {}

  static MaterialValues values() {
    MaterialValues values;
    values.young = kYoung;
    values.thickness = 0.01;
    values.pretension = 0.03;
    return values;
  }
  static Points middle_to_zero(const mesh::Surface& surface) {
    Points x = surface.points;
    for (Eigen::Index v = 0; v < x.rows(); ++v)
      if (std::abs(x(v, 0)) < 0.6 * 1.37 / 13) x(v, 0) = 0;
    return x;
  }
  static mesh::Surface bent(mesh::Surface surface, double folded) {
    for (Eigen::Index v = 0; v < surface.points.rows(); ++v)
      surface.points(v, 1) += folded * std::sin(9 * surface.points(v, 0)) * std::cos(7 * surface.points(v, 2));
    return surface;
  }

  mesh::Surface surface;
  Sheet sheet;
  Split split;
};

class SheetBatchTest : public testing::TestWithParam<const char*> {};

TEST_P(SheetBatchTest, HasTheEnergyAndGradientOfItsLaw) {
  for (const double folded : {0.0, 0.05}) {
    const SplitSheet of(GetParam(), folded);
    const Points& rest = of.sheet.rest;
    const int n = static_cast<int>(rest.rows());
    Points crumpled = rest + random_points(n, 3, 0.03), folded_up = rest;
    for (Eigen::Index v = 0; v < n; ++v)
      if (rest(v, 2) > 0) folded_up.row(v) << rest(v, 0), rest(v, 1) + 0.9 * rest(v, 2), -0.5 * rest(v, 2);
    for (const sim::FloatKernel* kernel : float_kernels())
      for (const auto& [what, at] :
           std::vector<std::pair<const char*, Points>>{{"a small strain", strained(rest, 1e-3)},
                                                       {"strained", strained(rest, 0.1)},
                                                       {"crumpled", crumpled},
                                                       {"folded", folded_up},
                                                       {"random", random_points(n, 4, 0.7)}})
        for (const auto& energy : of.sheet.model.energies) {
          SCOPED_TRACE(std::string(what) + ", " + kernel->instruction_set);
          const auto floats = energy->float_batch(of.split.place, of.split.partition, *kernel);
          ASSERT_NE(floats, nullptr);
          Workspace work{1};
          const Quads x4 = of.split.to_floats(at);
          const Points x = of.split.to_points(x4);
          Points expected = Points::Zero(n, 3);
          const double E = energy->add_gradient(x, expected, work);
          ASSERT_TRUE(std::isfinite(E));
          const BatchResult result = gradient_of(*floats, of.split.partition, x4, 0.37f, work.workers);
          const Points gradient = of.split.to_points(result.gradient) / static_cast<double>(0.37f);
          // The stress of a strain of 1e-6, over an edge and the thickness.
          const double noise = 1e-6 * SplitSheet::kYoung * 0.1 * 0.01;
          EXPECT_LT((gradient - expected).norm(), 3e-5 * expected.norm() + noise * std::sqrt(n));
          EXPECT_NEAR(result.total_energy(), E, 2e-4 * E + 1e-12);
          EXPECT_DOUBLE_EQ(floats->value(0, x4.data()), result.energy[0]);
        }
  }
}

TEST_P(SheetBatchTest, BoundsAStepAsTheLawDoes) {
  const SplitSheet of(GetParam());
  const Points& rest = of.sheet.rest;
  const int n = static_cast<int>(rest.rows());
  const Quads from4 = of.split.to_floats(strained(rest, 0.05));
  const Points from = of.split.to_points(from4);
  Workspace work{1};
  for (const sim::FloatKernel* kernel : float_kernels())
    for (const auto& energy : of.sheet.model.energies) {
      const auto floats = energy->float_batch(of.split.place, of.split.partition, *kernel);
      EXPECT_EQ(floats->has_barrier(), energy->has_barrier());
      for (const double size : {0.001, 0.05, 0.3, 3.0}) {
        const Quads d4 = of.split.to_floats(random_points(n, 5, size));
        const double whole = energy->largest_step(from, of.split.to_points(d4), work) / 0.9;
        const double found = largest_step_of(*floats, of.split.partition, from4, d4);
        if (whole >= 1) {
          EXPECT_GE(found, 1) << size;
        } else {
          EXPECT_NEAR(found, whole, 1e-4 * whole) << size;
        }
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Laws, SheetBatchTest, testing::Values("stvk", "neo-hookean"),
                         [](const auto& of) { return std::string(of.param[0] == 's' ? "stvk" : "neo_hookean"); });

}  // namespace
}  // namespace rebound::test
