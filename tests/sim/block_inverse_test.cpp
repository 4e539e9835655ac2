// The block inverse against CHOLMOD's double-precision substitution, whatever the structure, the threads and the
// instruction set.
#include "sim/linear/block_inverse.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <thread>

#include "sim/linear/cholesky.hpp"
#include "sim/linear/numeric_factor.hpp"
#include "support/kernels.hpp"
#include "systems.hpp"

namespace rebound::test {
namespace {

using Stored = BlockInverse::Precision;

AlignedBuffer<float> to_slots(const EliminationPlan& plan, const BlockInverse& inverse, const Points& b) {
  AlignedBuffer<float> slots(std::size_t(kQuad) * inverse.slots());
  for (int i = 0; i < plan.vertices(); ++i)
    for (int k = 0; k < 3; ++k) slots[kQuad * i + k] = static_cast<float>(b(plan.order()[i], k));
  return slots;
}

Points from_slots(const EliminationPlan& plan, const AlignedBuffer<float>& slots) {
  Points x(plan.vertices(), 3);
  for (int i = 0; i < plan.vertices(); ++i)
    for (int k = 0; k < 3; ++k) x(plan.order()[i], k) = slots[kQuad * i + k];
  return x;
}

Points solve(const EliminationPlan& plan, const BlockInverse& inverse, const Points& b, int threads = 2) {
  Workers workers(threads);
  AlignedBuffer<float> slots = to_slots(plan, inverse, b);
  inverse.solve(slots.data(), workers);
  return from_slots(plan, slots);
}

Points solve_exactly(const SparseMatrix& A, const Points& b) {
  const CholeskyAnalysis analysis(A);
  Points x = b;
  Cholesky(analysis, A).solve(x);
  return x;
}

double relative_error(const Points& x, const Points& expected) { return (x - expected).norm() / expected.norm(); }

TEST(BlockInverse, SolvesWhatSubstitutionSolves) {
  for (const auto& [name, A] : systems()) {
    SCOPED_TRACE(name);
    const EliminationPlan plan(A);
    const Points b = random_points(plan.vertices(), 5), expected = solve_exactly(A, b);
    const BlockInverse automatic(plan, A), single(plan, A, nullptr, Stored::single);
    ASSERT_TRUE(automatic.ok());
    ASSERT_TRUE(single.ok());
    EXPECT_EQ(automatic.half(), inverse_kernel().half.forward != nullptr);
    EXPECT_FALSE(single.half());
    EXPECT_LT(relative_error(solve(plan, automatic, b), expected), 1e-3);
    EXPECT_LT(relative_error(solve(plan, single, b), expected), 2e-5);
  }
}

TEST(BlockInverse, ReportsTheErrorThatItMakes) {
  const SparseMatrix A = cube_system(8);
  const EliminationPlan plan(A);
  Points b(plan.vertices(), 3);
  for (int i = 0; i < plan.vertices(); ++i) b.row(i).setConstant(std::sqrt(A.coeff(i, i)) * std::sin(0.37 * (i + 1)));
  const Points expected = solve_exactly(A, b);
  const Vector weight = A.diagonal().cwiseSqrt();
  for (const Stored precision : {Stored::automatic, Stored::single}) {
    const BlockInverse inverse(plan, A, nullptr, precision);
    const Points x = solve(plan, inverse, b);
    const double error = relative_error(weight.asDiagonal() * x, weight.asDiagonal() * expected);
    EXPECT_NEAR(inverse.error(), error, 0.02 * error + 1e-7);
  }
}

double energy_norm(const SparseMatrix& A, const Points& x) {
  const Points Ax = A.selfadjointView<Eigen::Lower>() * x;
  return std::sqrt(x.cwiseProduct(Ax).sum());
}

// In the norm of A, in which the approximate inverse, being symmetric, contracts in every iteration alike.
TEST(BlockInverse, RefinementReachesDoublePrecision) {
  for (const auto& [name, A] : systems()) {
    SCOPED_TRACE(name);
    const EliminationPlan plan(A);
    const Points b = random_points(plan.vertices(), 6), exact = solve_exactly(A, b);
    const BlockInverse inverse(plan, A);
    // Pieces of the sparse net hang on single weak springs. Such a piece is nearly a body of its own, and what moves it
    // as a whole is stored in halves.
    const double contraction = name == "a sparse random net" ? 100 : 500;
    Points x = Points::Zero(plan.vertices(), 3);
    double before = 1;
    for (int iteration = 0; iteration < 7 && before > 1e-13; ++iteration) {
      const Points residual = b - A.selfadjointView<Eigen::Lower>() * x;
      x += solve(plan, inverse, residual);
      const double error = energy_norm(A, x - exact) / energy_norm(A, exact);
      EXPECT_LT(error, std::max(before / contraction, 1e-13)) << "iteration " << iteration;
      before = error;
    }
    EXPECT_LE(before, 1e-13);
  }
}

TEST(BlockInverse, AnyNumberOfThreadsGivesTheSameBytes) {
  const SparseMatrix A = side_by_side(cube_system(13), cloth_system(30));
  const EliminationPlan plan(A);
  const Points b = random_points(plan.vertices(), 7);
  for (const Stored precision : {Stored::automatic, Stored::single}) {
    const BlockInverse made_alone(plan, A, nullptr, precision);
    const Points expected = solve(plan, made_alone, b, 1);
    for (const int threads : {1, 2, 3}) {
      Workers workers(threads);
      const BlockInverse inverse(plan, A, &workers, precision);
      EXPECT_EQ(solve(plan, inverse, b, threads), expected) << threads;
    }
  }
}

TEST(BlockInverse, InstructionSetsAgree) {
  for (const auto& [name, A] : systems()) {
    const EliminationPlan plan(A);
    const Points b = random_points(plan.vertices(), 8);
    for (const Stored precision : {Stored::single, Stored::automatic}) {
      Points fused;
      for (const InverseKernel* kernel : REBOUND_USABLE_KERNELS(inverse_kernel(), kInverseKernel)) {
        SCOPED_TRACE(name + ", " + kernel->instruction_set);
        const BlockInverse inverse(plan, A, nullptr, precision, *kernel);
        ASSERT_TRUE(inverse.ok());
        const Points x = solve(plan, inverse, b);
        if (kernel == &kInverseKernelBaseline) {
          EXPECT_FALSE(inverse.half());
          EXPECT_LT(relative_error(x, solve_exactly(A, b)), 2e-5);
        } else if (fused.size() == 0) {
          EXPECT_EQ(inverse.half(), precision == Stored::automatic);
          fused = x;
        } else {
          EXPECT_EQ(x, fused);  // the same order of the same operations
        }
      }
    }
  }
}

TEST(BlockInverse, RefusesWhatCannotBeSolved) {
  SparseMatrix A = cube_system(4);
  const EliminationPlan plan(A);
  ASSERT_TRUE(BlockInverse(plan, A).ok());
  for (const double bad : {double(NAN), double(INFINITY), -1.0, 0.0}) {
    SparseMatrix broken = A;
    broken.coeffRef(17, 17) = bad;
    EXPECT_FALSE(BlockInverse(plan, broken).ok()) << bad;
  }
  // A free body at h^2 k/m = 1e17: even double precision misses by more than the answer.
  EXPECT_FALSE(BlockInverse(plan, cube_system(4, 1e14)).ok());
  EXPECT_FALSE(BlockInverse(EliminationPlan(spring_system({1.0}, {}, 1)), spring_system({-1.0}, {}, 1)).ok());
}

TEST(BlockInverse, LargeCouplingIsStoredInFloats) {
  // A hub is eliminated after its 500 leaves: H = -A21 / A11 = -1e5.
  Triplets entries{{0, 0, 10.0}};
  for (int i = 1; i <= 500; ++i) {
    entries.emplace_back(i, i, 1e-12);
    entries.emplace_back(i, 0, 1e-7);
  }
  SparseMatrix A(501, 501);
  A.setFromTriplets(entries.begin(), entries.end());
  const EliminationPlan plan(A);
  const BlockInverse inverse(plan, A);
  ASSERT_TRUE(inverse.ok());
  EXPECT_FALSE(inverse.half());
  Points b = random_points(501, 9);
  b.bottomRows(500) *= 1e-7;
  EXPECT_LT(relative_error(solve(plan, inverse, b), solve_exactly(A, b)), 2e-5);
}

TEST(BlockInverse, LightAndHeavyBodiesAreSolvedAlike) {
  const SparseMatrix heavy = 1e4 * cube_system(8), light = 1e-5 * cloth_system(30);
  const SparseMatrix A = side_by_side(heavy, light);
  const EliminationPlan plan(A);
  const BlockInverse inverse(plan, A);
  ASSERT_TRUE(inverse.ok());
  const Points b = random_points(plan.vertices(), 10), expected = solve_exactly(A, b), x = solve(plan, inverse, b);
  EXPECT_LT(relative_error(x.topRows(heavy.rows()), expected.topRows(heavy.rows())), 1e-3);
  EXPECT_LT(relative_error(x.bottomRows(light.rows()), expected.bottomRows(light.rows())), 1e-3);
}

// The sum of the momenta that a body is given moves it as a whole, however stiff it is: sum m_i x_i = sum b_i.
TEST(BlockInverse, AStiffBodyMovesAsAWhole) {
  for (const double young : {1e6, 1e8, 1e9}) {
    const SparseMatrix A = cube_system(10, 1e-3, young);
    const EliminationPlan plan(A);
    const BlockInverse inverse(plan, A);
    ASSERT_TRUE(inverse.ok());
    Points b = random_points(plan.vertices(), 11);
    const Eigen::RowVector3d mean = b.colwise().mean();
    b.rowwise() -= mean;  // no momentum: no motion as a whole
    const double mass = 1000.0 / plan.vertices();
    const Points x = solve(plan, inverse, b), expected = solve_exactly(A, b);
    EXPECT_LT((mass * x.colwise().sum()).norm(), 2e-5 * b.norm() * std::sqrt(plan.vertices())) << young;
    EXPECT_LT(relative_error(x, expected), 5e-2 * young / 1e9 + 1e-3) << young;
  }
}

TEST(BlockInverse, FixedVerticesStayExactlyWhereTheyAre) {
  std::vector<int> pinned;
  for (int i = 0; i < 41; i += 2) pinned.push_back(i);
  const SparseMatrix A = cloth_system(40, pinned);
  const EliminationPlan plan(A);
  const BlockInverse inverse(plan, A);
  Points b = random_points(plan.vertices(), 12);
  for (const int v : pinned) b.row(v).setZero();
  const Points x = solve(plan, inverse, b);
  for (const int v : pinned) EXPECT_EQ(x.row(v).norm(), 0) << v;
}

TEST(BlockInverse, TheFourthFloatOfASlotIsNotRead) {
  const SparseMatrix A = cube_system(9);
  const EliminationPlan plan(A);
  const BlockInverse inverse(plan, A);
  const Points b = random_points(plan.vertices(), 13);
  Workers workers(1);
  AlignedBuffer<float> slots = to_slots(plan, inverse, b);
  for (int i = 0; i < plan.vertices(); ++i) slots[kQuad * i + 3] = NAN;
  inverse.solve(slots.data(), workers);
  EXPECT_EQ(from_slots(plan, slots), solve(plan, inverse, b));
}

// What a caller adds to the area of a part counts as if it had added it to the vertices themselves.
TEST(BlockInverse, PhasesTakeTheSharesOfTheParts) {
  const SparseMatrix A = cube_system(20);
  const EliminationPlan plan(A);
  const BlockInverse inverse(plan, A);
  ASSERT_GT(plan.top().size(), 0);
  ASSERT_GT(plan.parts().back().stage, 0);
  ASSERT_EQ(inverse.slots(), plan.slots());
  const Points b = random_points(plan.vertices(), 14);
  AlignedBuffer<float> slots = to_slots(plan, inverse, b);
  Points sum = b;
  for (const EliminationPlan::Part& part : plan.parts()) {
    const Points share = random_points(part.area_size(), 15);
    for (int i = 0; i < part.area_size(); ++i)
      for (int k = 0; k < 3; ++k) {
        slots[kQuad * (part.area + i) + k] = static_cast<float>(share(i, k));
        sum(plan.order()[part.above[i]], k) += share(i, k);
      }
  }
  Workers workers(2);
  inverse.forward(slots.data(), workers);
  inverse.solve_top(slots.data(), workers);
  inverse.backward(slots.data(), workers);
  EXPECT_LT(relative_error(from_slots(plan, slots), solve_exactly(A, sum)), 1e-3);
}

// By the blocks on the way from a few vertices to the top: what they do to one another, and nothing left behind.
TEST(BlockInverse, PathsAloneSolveBetweenAFewVertices) {
  const SparseMatrix A = cube_system(20);
  const EliminationPlan plan(A);
  const BlockInverse inverse(plan, A);
  Workers workers(2), alone(1);
  std::vector<int> at;
  for (int i = 3; i < plan.vertices(); i += plan.vertices() / 7) at.push_back(i);
  const InversePaths paths = inverse.paths(at);
  Points b = Points::Zero(plan.vertices(), 3);
  for (const int i : at) b.row(plan.order()[i]) = Vec3(1, -2, 0.01 * i).transpose();
  const auto solved = [&](Workers& by) {
    AlignedBuffer<float> solution = to_slots(plan, inverse, b);
    inverse.forward(paths, solution.data(), by);
    inverse.solve_top(solution.data(), by);
    inverse.backward(paths, solution.data(), by);
    return solution;
  };
  AlignedBuffer<float> slots = solved(workers);
  EXPECT_GT(paths.stages.size(), 1u);
  EXPECT_TRUE(std::ranges::equal(slots.span(), solved(alone).span()));
  const Points expected = solve(plan, inverse, b);
  for (const int i : at)
    for (int k = 0; k < 3; ++k)
      EXPECT_NEAR(slots[kQuad * i + k], expected(plan.order()[i], k), 1e-5 * expected.cwiseAbs().maxCoeff());
  EXPECT_LT(paths.entries, inverse.nonzeros());
  for (const auto& [begin, end] : paths.ranges)
    std::fill(&slots[kQuad * begin], &slots[kQuad * begin] + kQuad * (end - begin), 0.0f);
  for (const float left : slots.span()) EXPECT_EQ(left, 0);
}

TEST(BlockInverse, OnePlanServesSeveralThreadsAtOnce) {
  const SparseMatrix A = cube_system(8);
  const EliminationPlan plan(A);
  const Points b = random_points(plan.vertices(), 16);
  const std::vector<double> coefficients{1e-3, 2.5e-4, 4e-3, 1e-4};
  std::vector<Points> expected, found(coefficients.size());
  for (const double c : coefficients) expected.push_back(solve(plan, BlockInverse(plan, cube_system(8, c)), b));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    threads.emplace_back([&, i] { found[i] = solve(plan, BlockInverse(plan, cube_system(8, coefficients[i])), b, 1); });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < coefficients.size(); ++i) EXPECT_EQ(found[i], expected[i]) << coefficients[i];
}

// L as its blocks have it, and what it solves; the same bytes on any number of threads.
TEST(NumericFactor, IsOfTheMatrixAndOfNoOtherPattern) {
  for (const auto& [name, A] : systems()) {
    SCOPED_TRACE(name);
    const EliminationPlan plan(A);
    Workers workers(3);
    const NumericFactor L(plan, A, nullptr), by_three(plan, A, &workers);
    ASSERT_TRUE(L.ok());
    const Vector b = random_points(plan.vertices(), 3).col(0);
    const Points columns = b * Eigen::RowVector3d(1, 0, 0);
    EXPECT_LT((L.solve(b, nullptr) - solve_exactly(A, columns).col(0)).norm(), 1e-11 * L.solve(b, nullptr).norm());
    // b^T A b = |L^T b|^2, piece by piece.
    double squared = 0;
    const auto add_pieces = [&](const EliminationPlan::Part& part) {
      for (const Supernode& node : part.supernodes) {
        const auto at = [&](int position) { return b[plan.order()[static_cast<std::size_t>(position)]]; };
        Vector own(node.width), below(node.row_count);
        for (int k = 0; k < node.width; ++k) own[k] = at(node.first + k);
        for (int r = 0; r < node.row_count; ++r)
          below[r] = at(plan.rows()[static_cast<std::size_t>(node.row_begin + r)]);
        const Vector product = L.diagonal(node).transpose().triangularView<Eigen::Upper>() * own;
        squared += (product + L.below(node).transpose() * below).squaredNorm();
        EXPECT_EQ(L.below(node), by_three.below(node));
      }
    };
    for (const EliminationPlan::Part& part : plan.parts()) add_pieces(part);
    add_pieces(plan.top());
    const double expected = b.dot(A.selfadjointView<Eigen::Lower>() * b);
    EXPECT_NEAR(squared, expected, 1e-12 * expected);
    SparseMatrix other(A.rows(), A.cols());
    other.setIdentity();
    if (other.nonZeros() != A.nonZeros()) {
      EXPECT_THROW(NumericFactor(plan, other, nullptr), std::invalid_argument);
    }
  }
}

}  // namespace
}  // namespace rebound::test
