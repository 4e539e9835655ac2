// E along a line, from the coefficients that a batch keeps, against E in double at the blended positions.
#include <gtest/gtest.h>

#include "support/split_bodies.hpp"

namespace rebound::test {
namespace {

/// The largest |E_line - E| / E for alpha in [0, 1]. Positions are rounded to floats first: what that does to E is no
/// error of the batch.
double worst_error(const Energy& energy, FloatBatch& batch, const Split& split, const Points& from, const Points& to) {
  Workspace work{1};
  const Quads from4 = split.to_floats(from), to4 = split.to_floats(to);
  const Points x0 = split.to_points(from4), x1 = split.to_points(to4);
  prepare_lines(batch, split.partition, from4, to4);
  double worst = 0;
  for (const double alpha : {0.0, 0.03, 0.25, 0.5, 0.8, 0.999, 1.0}) {
    const double E = energy.value((1 - alpha) * x0 + alpha * x1, work);
    const double error = std::abs(line_value_of(batch, split.partition, alpha) - E) / E;
    if (!(error <= worst)) worst = error;
  }
  return worst;
}

struct Line {
  std::string name;
  double bound;  ///< of the relative error of E
  Points from, to;
};

// From one strained shape to another, by itself and with the whole turning by 0.5 rad on the way. The rest shape is
// rounded to floats: 6e-8 over the strain.
std::vector<Line> lines(const Points& rest) {
  std::vector<Line> list;
  for (const double strain : {1e-4, 1e-3, 1e-2, 1e-1}) {
    const double bound = 1e-6 + 6e-8 / strain;
    Points other = rest;
    other.col(0) += 2 * strain * rest.col(1) - strain * rest.col(2).cwiseAbs2();
    const std::string name = "strain " + std::to_string(strain);
    list.push_back({name, bound, strained(rest, strain), moved(other, 0.7)});
    list.push_back({name + ", turning", bound, strained(rest, strain), moved(other, 1.2)});
  }
  const int n = static_cast<int>(rest.rows());
  list.push_back({"turned inside out", 3e-6, strained(rest, 0.1), -1.1 * rest + random_points(n, 4, 0.05)});
  list.push_back({"randomised", 1e-6, random_points(n, 5, 0.7), random_points(n, 6, 0.7)});
  list.push_back({"large", 3e-6, random_points(n, 5, 1e4), random_points(n, 6, 1e4)});
  return list;
}

TEST(ArapBatch, KnowsItsEnergyAlongALine) {
  const SplitBox body(6);
  for (const sim::FloatKernel* kernel : float_kernels()) {
    ArapBatch batch(body.tets, body.split.place, body.split.partition, *kernel);
    for (const Line& line : lines(body.box.points))
      EXPECT_LT(worst_error(body.tets, batch, body.split, line.from, line.to), line.bound)
          << line.name << ", " << kernel->instruction_set;
  }
}

TEST(SpringBatch, KnowsItsEnergyAlongALine) {
  const SplitCloth cloth(12);
  for (const sim::FloatKernel* kernel : float_kernels()) {
    SpringBatch batch(cloth.springs, cloth.split.place, cloth.split.partition, *kernel);
    for (const Line& line : lines(cloth.rest))
      EXPECT_LT(worst_error(cloth.springs, batch, cloth.split, line.from, line.to), line.bound)
          << line.name << ", " << kernel->instruction_set;
  }
}

// Where all tetrahedra of a body have an ambiguous nearest rotation, roots of the quartic meet and digits are lost.
TEST(ArapBatch, LosesNoMoreThanItSaysWhereTheRotationIsAmbiguous) {
  const SplitBox body(6);
  const Points& rest = body.box.points;
  const int n = static_cast<int>(rest.rows());
  Points mirrored = rest, cancelling = rest, flat = rest, thread = rest;
  mirrored.col(0) *= -1;
  cancelling.col(1) *= 0.6;
  cancelling.col(2) *= -0.6;
  flat.col(0) *= 0;
  thread.leftCols(2) *= 0;
  const std::vector<Line> list{{"two singular values cancel", 1e-3, moved(cancelling, 0.4), moved(cancelling, 0.45)},
                               {"mirrored, then as it was", 2e-2, moved(mirrored, 0.3), moved(1.2 * rest, 0.4)},
                               {"mirrored and turning", 2e-2, moved(mirrored, 0.3), moved(mirrored, 0.8)},
                               {"turned inside out", 2e-2, -rest, 1.2 * rest},
                               {"shrunk", 2e-2, random_points(n, 1, 1e-4), random_points(n, 2, 1e-4)},
                               {"out of a point", 1e-2, 0 * rest, 1.2 * rest},
                               {"out of a thread", 1e-4, thread, 1.2 * rest},
                               {"out of a plane", 1e-5, flat, 1.2 * rest}};
  for (const sim::FloatKernel* kernel : float_kernels()) {
    ArapBatch batch(body.tets, body.split.place, body.split.partition, *kernel);
    for (const Line& line : list)
      EXPECT_LT(worst_error(body.tets, batch, body.split, line.from, line.to), line.bound)
          << line.name << ", " << kernel->instruction_set;
  }
}

// The same law for E from the rotations, whose rounding is as the strain's is, but differs from one element to the
// next.
TEST(FloatBatches, ValueKeepsItsDigitsAtSmallStrain) {
  const SplitBox body(10);
  const SplitCloth cloth(30);
  Workspace work{1};
  const auto error = [&](const Energy& energy, const FloatBatch& batch, const Split& split, const Points& at) {
    const Quads x4 = split.to_floats(at);
    const double E = energy.value(split.to_points(x4), work);
    return std::abs(value_of(batch, split.partition, x4) - E) / E;
  };
  for (const sim::FloatKernel* kernel : float_kernels()) {
    const ArapBatch tets(body.tets, body.split.place, body.split.partition, *kernel);
    const SpringBatch springs(cloth.springs, cloth.split.place, cloth.split.partition, *kernel);
    for (const double strain : {1e-4, 1e-3, 1e-2}) {
      const double bound = 1e-6 + 6e-8 / strain;
      EXPECT_LT(error(body.tets, tets, body.split, strained(body.box.points, strain)), bound) << strain;
      EXPECT_LT(error(cloth.springs, springs, cloth.split, strained(cloth.rest, strain)), bound) << strain;
    }
  }
}

TEST(FloatBatches, ALineIsPreparedAnewInTheSameMemory) {
  const SplitBox body(3);
  ArapBatch batch(body.tets, body.split.place, body.split.partition);
  const Points& rest = body.box.points;
  const double first = worst_error(body.tets, batch, body.split, strained(rest, 0.1), strained(rest, 0.2));
  EXPECT_LT(worst_error(body.tets, batch, body.split, strained(rest, 0.3), strained(rest, 0.05)), 3e-6);
  EXPECT_EQ(worst_error(body.tets, batch, body.split, strained(rest, 0.1), strained(rest, 0.2)), first);
}

}  // namespace
}  // namespace rebound::test
