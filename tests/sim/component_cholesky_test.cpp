// Factors of a matrix that falls apart: what of it is chosen, on any number of threads, and what of it fails.
#include "sim/linear/component_cholesky.hpp"

#include <gtest/gtest.h>

#include "sim/linear/hessian.hpp"
#include "support/material_cube.hpp"

namespace rebound::test {
namespace {

using namespace sim;

/// Three bodies that do not touch, of different sizes, side by side in one matrix.
struct ThreeBodies {
  SparseMatrix A, vertices;
  std::vector<int> begin{0};

  ThreeBodies() {
    Triplets entries, graph;
    for (const int cells : {9, 6, 7}) {
      const MaterialCube cube("stable-neo-hookean", 1e5, 0.4, cells);
      Workspace work(1);
      HessianBlocks H(cube.model.laplacian());
      cube.model.add_hessian(cube.rest, Curvature::exact, H, work);
      H.scale_and_add(1e-3, cube.model.M, cube.model.fixed, work.workers);
      const auto append = [](const SparseMatrix& from, int first, Triplets& to) {
        for (int j = 0; j < from.outerSize(); ++j)
          for (SparseMatrix::InnerIterator it(from, j); it; ++it)
            to.emplace_back(first + static_cast<int>(it.row()), first + j, it.value());
      };
      append(H.matrix(), 3 * begin.back(), entries);
      append(H.pattern(), begin.back(), graph);
      begin.push_back(begin.back() + cube.model.vertices());
    }
    A.resize(3 * begin.back(), 3 * begin.back());
    A.setFromTriplets(entries.begin(), entries.end());
    vertices.resize(begin.back(), begin.back());
    vertices.setFromTriplets(graph.begin(), graph.end());
  }
  auto of(int body, const Vector& b) const {
    return b.segment(3 * begin[static_cast<std::size_t>(body)],
                     3 * (begin[static_cast<std::size_t>(body) + 1] - begin[static_cast<std::size_t>(body)]));
  }
};

TEST(ComponentCholesky, SolvesWhatIsChosenToTheSameBitsOnAnyNumberOfThreads) {
  const ThreeBodies bodies;
  const auto analysis = std::make_shared<const ComponentAnalysis>(bodies.A, bodies.vertices);
  ASSERT_EQ(analysis->components(), 3);
  const std::vector<int> component_of = analysis->component_of();
  const Vector b = Vector::LinSpaced(bodies.A.rows(), -1, 2);
  Vector all;
  for (const int threads : {1, 2, 3}) {
    Workers workers(threads);
    ComponentCholesky factors(analysis);
    ASSERT_TRUE(factors.factor(bodies.A, workers));
    Vector x = b;
    factors.solve(x, workers);
    if (threads == 1) all = x;
    EXPECT_EQ(x, all);
    EXPECT_LT((bodies.A.selfadjointView<Eigen::Lower>() * x - b).norm(), 1e-11 * b.norm());
    for (int body = 0; body < 3; ++body) {
      ComponentCholesky::Choice chosen(3, 0);
      const int component = component_of[static_cast<std::size_t>(bodies.begin[static_cast<std::size_t>(body)])];
      chosen[static_cast<std::size_t>(component)] = 1;
      ComponentCholesky alone(analysis);
      ASSERT_TRUE(alone.factor(bodies.A, workers, chosen));
      Vector y = b;
      alone.solve(y, workers, chosen);
      for (int other = 0; other < 3; ++other) {
        if (other == body)
          EXPECT_EQ(bodies.of(other, y), bodies.of(other, all));
        else
          EXPECT_TRUE(bodies.of(other, y).isZero(0));
      }
    }
  }
}

TEST(ComponentCholesky, WhatIsNotPositiveDefiniteIsFactoredAgainByItself) {
  const ThreeBodies bodies;
  const auto analysis = std::make_shared<const ComponentAnalysis>(bodies.A, bodies.vertices);
  Workers workers(2);
  const Vector b = Vector::LinSpaced(bodies.A.rows(), -1, 2);
  ComponentCholesky factors(analysis);
  ASSERT_TRUE(factors.factor(bodies.A, workers));
  Vector all = b;
  factors.solve(all, workers);

  SparseMatrix indefinite = bodies.A;
  const int row = 3 * bodies.begin[1] + 5;
  indefinite.coeffRef(row, row) *= -1;
  EXPECT_FALSE(factors.factor(indefinite, workers));
  const auto failed = static_cast<std::size_t>(analysis->component_of()[static_cast<std::size_t>(bodies.begin[1])]);
  ComponentCholesky::Choice open(3, 0);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(factors.factored()[k] == 0, k == failed);
    open[k] = factors.factored()[k] == 0;
  }
  // Only of the one that has failed are the numbers looked at.
  SparseMatrix mended = bodies.A;
  for (const int body : {0, 2})
    mended.coeffRef(3 * bodies.begin[static_cast<std::size_t>(body)],
                    3 * bodies.begin[static_cast<std::size_t>(body)]) = -1;
  ASSERT_TRUE(factors.factor(mended, workers, open));
  Vector x = b;
  factors.solve(x, workers);
  EXPECT_EQ(x, all);
}

// A few vertices of two bodies touch: the order of each body does, and costs little more than one of their own.
TEST(ComponentCholesky, BodiesThatTouchKeepTheirOrders) {
  const ThreeBodies bodies;
  const ComponentAnalysis apart(bodies.A, bodies.vertices);
  SparseMatrix A = bodies.A, vertices = bodies.vertices;
  ComponentAnalysis::Linked linked{apart, std::vector<std::uint8_t>(static_cast<std::size_t>(vertices.cols()))};
  Triplets entries, graph;
  for (int k = 0; k < 6; ++k) {
    const int i = bodies.begin[0] + 7 * k, j = bodies.begin[1] + 5 * k;
    graph.emplace_back(j, i, 1);
    linked.last[static_cast<std::size_t>(j)] = 1;
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) entries.emplace_back(3 * j + r, 3 * i + c, r == c ? -1e-3 : 0);
  }
  SparseMatrix more(A.rows(), A.cols()), more_graph(vertices.rows(), vertices.cols());
  more.setFromTriplets(entries.begin(), entries.end());
  more_graph.setFromTriplets(graph.begin(), graph.end());
  A += more;
  vertices += more_graph;

  const auto own = std::make_shared<const ComponentAnalysis>(A, vertices);
  const auto kept = std::make_shared<const ComponentAnalysis>(A, vertices, linked, nullptr);
  ASSERT_EQ(kept->components(), 2);
  Workers workers(2);
  ComponentCholesky searched(own), factors(kept);
  ASSERT_TRUE(searched.factor(A, workers));
  ASSERT_TRUE(factors.factor(A, workers));
  EXPECT_LT(factors.nonzeros(), 1.2 * searched.nonzeros());
  const Vector b = Vector::LinSpaced(A.rows(), -1, 2);
  const auto expect_solved = [&](ComponentCholesky& by) {
    Vector x = b;
    by.solve(x, workers);
    EXPECT_LT((A.selfadjointView<Eigen::Lower>() * x - b).norm(), 1e-11 * b.norm());
    return x;
  };
  const Vector x = expect_solved(factors);
  // Another pattern's memory makes no difference.
  ComponentCholesky again(kept, std::move(searched));
  ASSERT_TRUE(again.factor(A, workers));
  EXPECT_EQ(expect_solved(again), x);
  ComponentCholesky taken(kept, std::move(again));
  ASSERT_TRUE(taken.factor(A, workers));
  EXPECT_EQ(expect_solved(taken), x);
}

TEST(HessianBlocks, OfALargerPatternKnowTheSameElements) {
  const MaterialCube cube("stable-neo-hookean", 1e5, 0.4, 4);
  Workspace work(1);
  HessianBlocks known(cube.model.laplacian());
  cube.model.add_hessian(cube.rest, Curvature::exact, known, work);
  SparseMatrix extended = known.pattern();
  Triplets links{{20, 3, 1.0}, {100, 0, 1.0}, {101, 100, 1.0}, {124, 1, 1.0}};
  SparseMatrix more(extended.rows(), extended.cols());
  more.setFromTriplets(links.begin(), links.end());
  extended += more;
  HessianBlocks fresh(extended), copied(extended, known);
  for (HessianBlocks* H : {&fresh, &copied}) {
    cube.model.add_hessian(cube.rest, Curvature::exact, *H, work);
    EXPECT_EQ(Eigen::MatrixXd(H->matrix()), Eigen::MatrixXd(fresh.matrix()));
    EXPECT_EQ(Eigen::MatrixXd(H->matrix()), Eigen::MatrixXd(known.matrix()));
  }
}

}  // namespace
}  // namespace rebound::test
