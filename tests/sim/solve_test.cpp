// Factors: what must be refused, and that a grab through Woodbury is the grab in the matrix.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "sim/model/stiffness.hpp"
#include "sim/step/system_cache.hpp"
#include "support/models.hpp"

namespace rebound::test {
namespace {

SparseMatrix diagonal(std::initializer_list<double> values) {
  Triplets entries;
  int i = 0;
  for (const double value : values) {
    entries.emplace_back(i, i, value);
    ++i;
  }
  SparseMatrix A(i, i);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// The cache of the double-precision solver, on this thread alone.
struct Factors {
  explicit Factors(const Model& model) : cache(model, nullptr) {}
  SystemMatrix* find(double coefficient) { return cache.find(coefficient, workers); }
  void held_changed() { cache.held_changed(workers); }

  Workers workers{1};
  SystemCache<SystemMatrix> cache;
};

TEST(Cholesky, RefusesWhatCholmodTakes) {
  const CholeskyAnalysis analysis(diagonal({1, 1, 1}));
  EXPECT_TRUE(Cholesky(analysis, diagonal({1, 2, 3})).ok());
  EXPECT_FALSE(Cholesky(analysis, diagonal({1, NAN, 3})).ok());
  EXPECT_FALSE(Cholesky(analysis, diagonal({1, INFINITY, 3})).ok());
  EXPECT_FALSE(Cholesky(analysis, diagonal({1, -2, 3})).ok());
  EXPECT_FALSE(Cholesky(analysis, diagonal({1, 0, 3})).ok());
}

TEST(Cholesky, RefusesAMatrixTooIllConditionedToSolve) {
  // A free body at h^2 k/m = 1e17: CHOLMOD says success and misses by more than the answer.
  Points rest;
  Model model = arap_cube(3, 1e5, rest);
  const SparseMatrix L = model.laplacian();
  const auto at = [&](double factor) {
    SparseMatrix A = factor * L;
    for (int i = 0; i < A.rows(); ++i) A.coeffRef(i, i) += model.M[i];
    return A;
  };
  const CholeskyAnalysis analysis(L);
  EXPECT_TRUE(Cholesky(analysis, at(1e-3)).ok());
  EXPECT_FALSE(Cholesky(analysis, at(1e14)).ok());
}

TEST(Factors, FixedVerticesDoNotMoveAndDoNotCouple) {
  Points rest;
  Model model = arap_cube(2, 1e5, rest);
  model.fixed[0] = model.fixed[5] = 1;
  Factors factors(model);
  const SystemMatrix* system = factors.find(1e-3);
  ASSERT_NE(system, nullptr);
  Points b = random_points(model.vertices(), 1);
  model.clear_fixed(b);
  const Points right_hand_side = b;
  system->solve(b);
  EXPECT_EQ(b.row(0).norm(), 0);
  EXPECT_EQ(b.row(5).norm(), 0);
  // On the free vertices it solves the free block.
  Eigen::MatrixXd A = 1e-3 * dense_laplacian(model);
  A += Eigen::MatrixXd(model.M.asDiagonal());
  Points residual = A * b - right_hand_side;
  model.clear_fixed(residual);
  EXPECT_LT(residual.cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Factors, AGrabByWoodburyIsTheGrabInTheMatrix) {
  Points rest;
  Model by_woodbury = arap_cube(2, 1e5, rest), in_matrix = arap_cube(2, 1e5, rest);
  by_woodbury.fixed[3] = in_matrix.fixed[3] = 1;
  const Attachment grab{{{3, 4, 7, 9}, {0.4, 0.3, 0.2, 0.1}}, 2e4, Vec3::Zero()};
  const Attachment second{BodyPoint::at_vertex(12), 5e4, Vec3::Zero()};
  in_matrix.attachments.items = {grab, second};
  Factors factors(by_woodbury), expected_factors(in_matrix);
  factors.find(1e-3);
  by_woodbury.grabs.items = {grab};
  factors.held_changed();
  by_woodbury.grabs.items = {grab, second};  // one after the other: the first column is kept
  factors.held_changed();
  Points b = random_points(27, 1), expected = b;
  by_woodbury.clear_fixed(b);
  in_matrix.clear_fixed(expected);
  factors.find(1e-3)->solve(b);
  expected_factors.find(1e-3)->solve(expected);
  EXPECT_LT((b - expected).cwiseAbs().maxCoeff(), 1e-12);

  by_woodbury.grabs.items.clear();
  factors.held_changed();
  Points released = random_points(27, 1), plain = released;
  by_woodbury.clear_fixed(released);
  plain = released;
  factors.find(1e-3)->solve(released);
  Factors(by_woodbury).find(1e-3)->solve(plain);
  EXPECT_EQ(released, plain);
}

TEST(Factors, TheStiffestFrequencyOfTwoMassesOnASpring) {
  Model model = free_vertices(2);
  Points rest(2, 3);
  rest << 0, 0, 0, 1, 0, 0;
  const std::vector<std::array<int, 2>> edges{{0, 1}};
  model.energies.push_back(std::make_unique<Springs>(rest, edges, std::vector{1.0}, std::vector{50.0}));
  model.M << 1, 4;
  EXPECT_NEAR(stiffest(model, model.laplacian(), Workers(1)), 50 * (1 + 0.25), 1e-6);  // k (1/m1 + 1/m2)
}

}  // namespace
}  // namespace rebound::test
