// Batches of elements in single precision against the same energies in double.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/split_bodies.hpp"

namespace rebound::test {
namespace {

std::vector<std::pair<std::string, Points>> configurations(const Points& rest) {
  Points stretched = rest, inverted = rest, flat = rest;
  stretched.col(0) *= 1.3;
  stretched.col(1) *= 0.8;
  inverted.col(2) *= -0.8;
  flat.col(0) *= 1.2;
  flat.col(1) *= 0;
  const int n = static_cast<int>(rest.rows());
  return {{"strained", strained(rest, 0.1)},
          {"stretched", stretched + random_points(n, 1, 0.01)},
          {"inverted", inverted + random_points(n, 2, 0.01)},
          {"flat", flat},
          {"randomised", random_points(n, 3, 0.7)}};
}

// Energy and gradient, in parts and with a scale, against those in double at the same rounded positions.
void expect_as_in_double(const Energy& energy, const FloatBatch& batch, const Split& split, const Points& at,
                         const std::string& what) {
  Workspace work{1};
  const float scale = 0.37f;
  const Quads x4 = split.to_floats(at);
  const Points x = split.to_points(x4);
  Points expected = Points::Zero(x.rows(), 3);
  const double E = energy.add_gradient(x, expected, work);
  const BatchResult result = gradient_of(batch, split.partition, x4, scale, work.workers);
  const Points gradient = split.to_points(result.gradient) / static_cast<double>(scale);
  EXPECT_LT((gradient - expected).norm(), 5e-6 * expected.norm()) << what;
  EXPECT_NEAR(result.total_energy(), E, 2e-6 * E) << what;
  for (int part = 0; part < split.partition.count(); ++part)
    EXPECT_DOUBLE_EQ(batch.value(part, x4.data()), result.energy[part]) << what;

  // No net force and no net torque.
  const Vec3 force = gradient.colwise().sum();
  Vec3 torque = Vec3::Zero();
  for (int v = 0; v < x.rows(); ++v) torque += x.row(v).transpose().cross(gradient.row(v).transpose());
  const double size = gradient.rowwise().norm().sum();
  EXPECT_LT(force.norm(), 1e-6 * size) << what;
  EXPECT_LT(torque.norm(), 1e-6 * size * x.rowwise().norm().maxCoeff()) << what;
}

TEST(ArapBatch, GivesTheEnergyAndGradientOfArapTets) {
  const SplitBox body(5);
  for (const sim::FloatKernel* kernel : float_kernels()) {
    const ArapBatch batch(body.tets, body.split.place, body.split.partition, *kernel);
    for (const auto& [name, x] : configurations(body.box.points))
      expect_as_in_double(body.tets, batch, body.split, x, name + std::string(", ") + kernel->instruction_set);
  }
}

TEST(SpringBatch, GivesTheEnergyAndGradientOfSprings) {
  const SplitCloth cloth(9);
  for (const sim::FloatKernel* kernel : float_kernels()) {
    const SpringBatch batch(cloth.springs, cloth.split.place, cloth.split.partition, *kernel);
    for (const auto& [name, x] : configurations(cloth.rest))
      expect_as_in_double(cloth.springs, batch, cloth.split, x, name + std::string(", ") + kernel->instruction_set);
  }
}

// Every vertex in one place: F = 0, all lengths 0.
TEST(FloatBatches, HoldAgainstABodyCollapsedToAPoint) {
  const SplitBox body(2);
  const SplitCloth cloth(3);
  const auto collapsed = [](const Points& rest) { return Points(Points::Constant(rest.rows(), 3, 0.25)); };
  for (const sim::FloatKernel* kernel : float_kernels()) {
    const ArapBatch tets(body.tets, body.split.place, body.split.partition, *kernel);
    const SpringBatch springs(cloth.springs, cloth.split.place, cloth.split.partition, *kernel);
    expect_as_in_double(body.tets, tets, body.split, collapsed(body.box.points), kernel->instruction_set);
    expect_as_in_double(cloth.springs, springs, cloth.split, collapsed(cloth.rest), kernel->instruction_set);
  }
}

TEST(FloatBatches, APartWritesItsOwnVerticesAndItsArea) {
  const SplitBox body(3);
  const Split& split = body.split;
  const ArapBatch batch(body.tets, split.place, split.partition);
  const Quads x4 = split.to_floats(strained(body.box.points, 0.2));
  for (int p = 0; p < 2; ++p) {
    const Partition::Part& part = split.partition.parts[p];
    Quads gradient(split.partition.slots);
    batch.add_gradient(p, x4.data(), 1, gradient.data());
    for (int slot = 0; slot < split.partition.slots; ++slot) {
      const bool touched = gradient[slot][0] != 0 || gradient[slot][1] != 0 || gradient[slot][2] != 0;
      const bool in_area = part.area <= slot && slot < part.area + static_cast<int>(part.above.size());
      EXPECT_EQ(touched, split.in_part(p, slot) || in_area) << p << " " << slot;
      EXPECT_EQ(gradient[slot][3], 0);
    }
  }
}

TEST(FloatBatches, AnyNumberOfThreadsGivesTheSameBytes) {
  const SplitBox body(6);
  const SplitCloth cloth(12);
  const ArapBatch tets(body.tets, body.split.place, body.split.partition);
  const SpringBatch springs(cloth.springs, cloth.split.place, cloth.split.partition);
  Workers one(1), two(2);
  const auto expect_same = [&](const FloatBatch& batch, const Split& split, const Points& rest) {
    const Quads x4 = split.to_floats(rest + random_points(static_cast<int>(rest.rows()), 8, 0.1));
    const BatchResult expected = gradient_of(batch, split.partition, x4, 1, one);
    for (int repeat = 0; repeat < 50; ++repeat) {
      const BatchResult result = gradient_of(batch, split.partition, x4, 1, two);
      ASSERT_EQ(result.energy, expected.energy);
      ASSERT_EQ(result.gradient, expected.gradient);
    }
  };
  expect_same(tets, body.split, body.box.points);
  expect_same(springs, cloth.split, cloth.rest);
}

// One tet in a group of sixteen, one spring likewise: were the idle lanes to count, E would be sixteen times as large.
TEST(FloatBatches, UnusedLanesContributeNothing) {
  const mesh::TetMesh box = mesh::box({1, 1, 1}, {1, 1, 1}, 6);
  const std::vector<std::array<int, 4>> tet{box.tetrahedra[0]};
  const std::vector<std::array<int, 2>> edge{{0, 7}};
  const ArapTets tets(box.points, tet, std::vector<double>{500.0});
  const Springs springs(box.points, edge, std::vector<double>{1.0}, std::vector<double>{40.0});
  const Split split(box.points.array() - 1);  // all of it left of the plane
  const Points x = strained(box.points, 0.3);
  for (const sim::FloatKernel* kernel : float_kernels()) {
    expect_as_in_double(tets, ArapBatch(tets, split.place, split.partition, *kernel), split, x, "tet");
    expect_as_in_double(springs, SpringBatch(springs, split.place, split.partition, *kernel), split, x, "spring");
  }
}

// The rounding of the rest shape is as the strain's is, but differs from one element to the next.
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

TEST(FloatBatches, NoElementsHaveNoEnergy) {
  const Points rest = Points::Constant(1, 3, -1);
  const Split split(rest);
  const ArapTets tets(rest, std::vector<std::array<int, 4>>{}, std::vector<double>{});
  const Springs springs(rest, std::vector<std::array<int, 2>>{}, std::vector<double>{}, std::vector<double>{});
  ArapBatch tet_batch(tets, split.place, split.partition);
  SpringBatch spring_batch(springs, split.place, split.partition);
  const Quads x4 = split.to_floats(rest);
  for (FloatBatch* batch : {static_cast<FloatBatch*>(&tet_batch), static_cast<FloatBatch*>(&spring_batch)})
    for (int part = 0; part < split.partition.count(); ++part) {
      Quads gradient(split.partition.slots);
      EXPECT_EQ(batch->add_gradient(part, x4.data(), 1, gradient.data()), 0);
      EXPECT_EQ(batch->value(part, x4.data()), 0);
      EXPECT_EQ(gradient, Quads(split.partition.slots));
    }
}

// A state that is no number is a numerical failure: it shows in E, and nothing hangs.
TEST(FloatBatches, ANaNShowsInTheEnergy) {
  const SplitBox body(2);
  Points x = body.box.points;
  x(3, 1) = std::numeric_limits<double>::quiet_NaN();
  const Quads x4 = body.split.to_floats(x);
  for (const sim::FloatKernel* kernel : float_kernels()) {
    const ArapBatch batch(body.tets, body.split.place, body.split.partition, *kernel);
    EXPECT_TRUE(std::isnan(value_of(batch, body.split.partition, x4)));
  }
}

TEST(ElementsByPart, AnElementIsOfThePartOfItsFirstVertex) {
  const Partition p{{{0, 2, {5, 7}, 9}, {2, 5, {8}, 11}, {5, 9}}, 9, 12};
  const std::vector<int> edges{0, 1, 5, 0, 7, 1, 3, 8, 5, 6, 6, 7, 4, 3};
  const auto elements = elements_by_part(edges, 2, p);
  EXPECT_EQ(elements[0], (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(elements[1], (std::vector<int>{3, 6}));
  EXPECT_EQ(elements[2], (std::vector<int>{4, 5}));
  EXPECT_EQ(p.parts[0].slot(1), 1);
  EXPECT_EQ(p.parts[0].slot(7), 10);
  EXPECT_EQ(p.parts[0].slot(6), -1);
  EXPECT_EQ(p.parts[0].slot(8), -1);
}

}  // namespace
}  // namespace rebound::test
