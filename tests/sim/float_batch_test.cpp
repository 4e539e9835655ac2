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
  const BatchResult result = gradient_of(batch, split.tree, x4, scale, work.workers);
  const Points gradient = split.to_points(result.gradient) / static_cast<double>(scale);
  EXPECT_LT((gradient - expected).norm(), 5e-6 * expected.norm()) << what;
  EXPECT_NEAR(result.energy(), E, 2e-6 * E) << what;
  for (int part = 0; part < split.tree.count(); ++part)
    EXPECT_DOUBLE_EQ(batch.value(part, x4.data()), result.energies[static_cast<std::size_t>(part)]) << what;

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
    const ArapBatch batch(body.tets, body.split.place, body.split.tree, *kernel);
    for (const auto& [name, x] : configurations(body.box.points))
      expect_as_in_double(body.tets, batch, body.split, x, name + std::string(", ") + kernel->instruction_set);
  }
}

TEST(SpringBatch, GivesTheEnergyAndGradientOfSprings) {
  const SplitCloth cloth(9);
  for (const sim::FloatKernel* kernel : float_kernels()) {
    const SpringBatch batch(cloth.springs, cloth.split.place, cloth.split.tree, *kernel);
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
    const ArapBatch tets(body.tets, body.split.place, body.split.tree, *kernel);
    const SpringBatch springs(cloth.springs, cloth.split.place, cloth.split.tree, *kernel);
    expect_as_in_double(body.tets, tets, body.split, collapsed(body.box.points), kernel->instruction_set);
    expect_as_in_double(cloth.springs, springs, cloth.split, collapsed(cloth.rest), kernel->instruction_set);
  }
}

TEST(FloatBatches, APartWritesItsOwnVerticesAndItsCopiesOfTheTop) {
  const SplitBox body(3);
  const PartTree& tree = body.split.tree;
  const ArapBatch batch(body.tets, body.split.place, tree);
  const Quads x4 = body.split.to_floats(strained(body.box.points, 0.2));
  for (int part = 0; part < 2; ++part) {
    Quads gradient(tree.slots());
    batch.add_gradient(part, x4.data(), 1, gradient.data());
    const PartTree::Part& own = tree.part(part);
    const int halo_end = own.halo_slot + static_cast<int>(own.halo.size());
    for (int s = 0; s < tree.slots(); ++s) {
      const bool touched = gradient[s][0] != 0 || gradient[s][1] != 0 || gradient[s][2] != 0;
      EXPECT_EQ(touched, (own.begin <= s && s < own.end) || (own.halo_slot <= s && s < halo_end)) << part << " " << s;
      EXPECT_EQ(gradient[s][3], 0);
    }
  }
}

TEST(FloatBatches, AnyNumberOfThreadsGivesTheSameBytes) {
  const SplitBox body(6);
  const SplitCloth cloth(12);
  const ArapBatch tets(body.tets, body.split.place, body.split.tree);
  const SpringBatch springs(cloth.springs, cloth.split.place, cloth.split.tree);
  Workers one(1), two(2);
  const auto expect_same = [&](const FloatBatch& batch, const Split& split, const Points& rest) {
    const Quads x4 = split.to_floats(rest + random_points(static_cast<int>(rest.rows()), 8, 0.1));
    const BatchResult expected = gradient_of(batch, split.tree, x4, 1, one);
    for (int repeat = 0; repeat < 50; ++repeat) {
      const BatchResult result = gradient_of(batch, split.tree, x4, 1, two);
      ASSERT_EQ(result.energies, expected.energies);
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
    expect_as_in_double(tets, ArapBatch(tets, split.place, split.tree, *kernel), split, x, "tet");
    expect_as_in_double(springs, SpringBatch(springs, split.place, split.tree, *kernel), split, x, "spring");
  }
}

TEST(FloatBatches, NoElementsHaveNoEnergy) {
  const Points rest = Points::Constant(1, 3, -1);
  const Split split(rest);
  const ArapTets tets(rest, std::vector<std::array<int, 4>>{}, std::vector<double>{});
  const Springs springs(rest, std::vector<std::array<int, 2>>{}, std::vector<double>{}, std::vector<double>{});
  ArapBatch tet_batch(tets, split.place, split.tree);
  SpringBatch spring_batch(springs, split.place, split.tree);
  const Quads x4 = split.to_floats(rest);
  for (FloatBatch* batch : {static_cast<FloatBatch*>(&tet_batch), static_cast<FloatBatch*>(&spring_batch)})
    for (int part = 0; part < split.tree.count(); ++part) {
      Quads gradient(split.tree.slots());
      EXPECT_EQ(batch->add_gradient(part, x4.data(), 1, gradient.data()), 0);
      EXPECT_EQ(batch->value(part, x4.data()), 0);
      batch->prepare_line(part, x4.data(), x4.data());
      EXPECT_EQ(batch->line_value(part, 0.5), 0);
      EXPECT_EQ(gradient, Quads(split.tree.slots()));
    }
}

// A state that is no number is a numerical failure: it shows in E, and nothing hangs.
TEST(FloatBatches, ANaNShowsInTheEnergy) {
  const SplitBox body(2);
  Points x = body.box.points;
  x(3, 1) = std::numeric_limits<double>::quiet_NaN();
  const Quads x4 = body.split.to_floats(x);
  for (const sim::FloatKernel* kernel : float_kernels()) {
    const ArapBatch batch(body.tets, body.split.place, body.split.tree, *kernel);
    EXPECT_TRUE(std::isnan(energy_of(batch, body.split.tree, x4)));
  }
}

TEST(ElementsByPart, AnElementIsOfTheLowestPartThatHasOneOfItsVertices) {
  // Two leaves of 0, 1 and 2, 3, a part above both of them with 4, 5, and another leaf with 6; the top is 7, 8.
  const PartTree tree(std::vector<PartTree::Part>{
      {0, 2, 2, {4, 7}}, {2, 4, 2, {5, 8}}, {4, 6, 4, {7, 8}}, {6, 7, 4, {8}}, {7, 9, -1, {}}});
  const std::vector<int> edges{0, 1, 7, 0, 4, 5, 3, 8, 8, 7, 5, 7, 8, 6, 1, 4, 2, 5};
  EXPECT_EQ(elements_by_part(edges, 2, tree), (PartLists{{0, 1, 7}, {8, 3}, {2, 5}, {6}, {4}}));
}

}  // namespace
}  // namespace rebound::test
