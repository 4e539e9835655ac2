// The order of elimination: a permutation, cut so that two threads never meet, and as evenly as the body allows.
#include "sim/linear/elimination_plan.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "sim/linear/elimination_cut.hpp"
#include "systems.hpp"

namespace rebound::test {
namespace {

/// What tests ask for, cut as usual and into many parts.
std::vector<std::pair<std::string, EliminationPlan>> plans() {
  std::vector<std::pair<std::string, EliminationPlan>> list;
  for (const auto& [name, A] : systems())
    for (const std::optional<double> leaf_cost : {std::optional<double>(), std::optional(20'000.0)})
      list.emplace_back(name + (leaf_cost ? ", many leaves" : ""), EliminationPlan(A, nullptr, leaf_cost));
  return list;
}

bool is_above(const PartTree& tree, int above, int part) {
  while (part >= 0 && part != above) part = tree.part(part).above;
  return part == above;
}

TEST(EliminationPlan, OrderIsAPermutationThatPartsAndSupernodesCover) {
  for (const auto& [name, plan] : plans()) {
    SCOPED_TRACE(name);
    EXPECT_EQ(std::set<int>(plan.order().begin(), plan.order().end()).size(), plan.order().size());
    for (int i = 0; i < plan.vertices(); ++i) EXPECT_EQ(plan.position()[plan.order()[i]], i);
    int next = 0;
    for (int p = 0; p < plan.tree().count(); ++p) {
      EXPECT_EQ(plan.tree().part(p).begin, next);
      for (const Supernode& node : plan.supernodes(p)) {
        EXPECT_EQ(node.first, next);
        EXPECT_GT(node.width, 0);
        next += node.width;
      }
      EXPECT_EQ(plan.tree().part(p).end, next);
    }
    EXPECT_EQ(next, plan.vertices());
  }
}

TEST(EliminationPlan, NothingConnectsPartsSideBySideNotEvenAZero) {
  for (const auto& [name, A] : systems())
    for (const std::optional<double> leaf_cost : {std::optional<double>(), std::optional(20'000.0)}) {
      SCOPED_TRACE(name);
      const EliminationPlan plan(A, nullptr, leaf_cost);
      ASSERT_EQ(plan.vertices(), A.rows());
      for (int column = 0; column < A.outerSize(); ++column)
        for (SparseMatrix::InnerIterator it(A, column); it; ++it) {
          const int a = plan.position()[it.row()], b = plan.position()[column];
          ASSERT_TRUE(plan.tree().sees(plan.tree().owner(std::min(a, b)), std::max(a, b))) << it.row() << " " << column;
        }
    }
}

// Fill included: what a supernode writes lies in its own part or one above, and behind it.
TEST(EliminationPlan, RowsOfASupernodeAreAscendingAncestorsThatItsPartSees) {
  for (const auto& [name, plan] : plans()) {
    SCOPED_TRACE(name);
    for (int p = 0; p < plan.tree().count(); ++p)
      for (const Supernode& node : plan.supernodes(p)) {
        int before = node.first + node.width - 1;
        for (int i = 0; i < node.row_count; ++i) {
          const int row = plan.rows()[node.row_begin + i];
          EXPECT_GT(row, before);
          EXPECT_TRUE(plan.tree().sees(p, row) && is_above(plan.tree(), plan.tree().owner(row), p));
          before = row;
        }
      }
  }
}

double cost(const EliminationPlan& plan, int part) {
  double sum = 0;
  for (const Supernode& node : plan.supernodes(part)) sum += double(node.width) * (node.width + 2 * node.row_count);
  return sum;
}

TEST(EliminationPlan, SmallBodiesHaveTwoEvenLeavesUnderASmallTop) {
  for (const SparseMatrix& A : {cube_system(14), cloth_system(60)}) {
    const EliminationPlan plan(A);
    ASSERT_EQ(plan.tree().count(), 3);
    EXPECT_LT(std::max(cost(plan, 0), cost(plan, 1)), 1.25 * std::min(cost(plan, 0), cost(plan, 1)));
    EXPECT_LT(plan.top().size(), plan.vertices() / 5);
  }
}

TEST(EliminationPlan, LeavesCostNoMoreThanIsAsked) {
  for (const SparseMatrix& A : {cube_system(14), cloth_system(60)})
    for (const double leaf_cost : {40'000.0, 160'000.0}) {
      const EliminationPlan plan(A, nullptr, leaf_cost);
      double largest = 0;
      for (const int leaf : plan.tree().leaves()) largest = std::max(largest, cost(plan, leaf));
      EXPECT_LT(largest, leaf_cost);
      EXPECT_GE(plan.tree().leaves().size(), 4);
    }
}

// A vertex's own number plus those of its copies: everybody's own, once, wherever it was written.
TEST(PartTree, CollectsWhatPartsAddToThoseAbove) {
  const EliminationPlan plan(cube_system(9), nullptr, 20'000);
  const PartTree& tree = plan.tree();
  ASSERT_GT(tree.count(), 5);
  AlignedBuffer<float> vector(4 * static_cast<std::size_t>(tree.slots()));
  std::vector<float> expected(static_cast<std::size_t>(tree.vertices()));
  for (int p = 0; p < tree.count(); ++p) {
    const PartTree::Part& part = tree.part(p);
    for (int v = part.begin; v < part.end; ++v) expected[v] += vector[4 * tree.slot(p, v)] = 1;
    for (const int v : part.halo) {
      ASSERT_GE(v, part.end);
      ASSERT_EQ(tree.vertex(p, tree.slot(p, v)), v);
      expected[v] += vector[4 * tree.slot(p, v)] = static_cast<float>(p + 2);
    }
  }
  std::vector<std::atomic<int>> met(static_cast<std::size_t>(tree.count()));
  Workers workers(3);
  tree.upward(workers, [&](int p) {
    for (int q = 0; q < tree.count(); ++q)
      if (q != p && is_above(tree, p, q)) {
        EXPECT_EQ(met[q], 1) << "those below come first";
      }
    tree.collect(p, vector.data());
    ++met[p];
  });
  tree.collect(tree.top_index(), vector.data());
  for (int v = 0; v < tree.vertices(); ++v) EXPECT_EQ(vector[4 * v], expected[v]);
  for (int p = 0; p < tree.count(); ++p) {
    tree.take(p, vector.data());
    for (const int v : tree.part(p).halo) EXPECT_EQ(vector[4 * tree.slot(p, v)], expected[v]);
  }
}

TEST(EliminationCut, AForestOfEqualTreesNeedsNoTop) {
  // Two pairs of a leaf and its root.
  const EliminationTree tree{{1, -1, 3, -1}, {10, 10, 10, 10}, {900, 100, 900, 100}};
  const std::vector<int> owner = cut_for_two(tree);
  EXPECT_EQ(owner[0], owner[1]);
  EXPECT_EQ(owner[2], owner[3]);
  EXPECT_EQ(owner[0] + owner[2], 1);
}

TEST(EliminationCut, TakesTheSeparatorIntoTheTop) {
  // A root of 10 columns over two equal subtrees.
  const EliminationTree tree{{2, 2, -1}, {500, 500, 10}, {1e6, 1e6, 1e4}};
  const std::vector<int> owner = cut_for_two(tree);
  EXPECT_EQ(owner[2], 2);
  EXPECT_EQ(owner[0] + owner[1], 1);
}

TEST(EliminationCut, LeavesAChainWhole) {
  const EliminationTree tree{{1, 2, -1}, {400, 400, 400}, {1e5, 1e5, 1e5}};
  const std::vector<int> owner = cut_for_two(tree);
  EXPECT_EQ(owner, (std::vector<int>{0, 0, 0}));
}

}  // namespace
}  // namespace rebound::test
