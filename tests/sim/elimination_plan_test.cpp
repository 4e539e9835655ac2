// The order of elimination: a permutation, cut so that two threads never meet, and as evenly as the body allows.
#include "sim/linear/elimination_plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sim/linear/elimination_cut.hpp"
#include "systems.hpp"

namespace rebound::test {
namespace {

int part_of(const EliminationPlan& plan, int index) {
  if (index >= plan.top().begin) return 2;
  return index >= plan.part(1).begin ? 1 : 0;
}

TEST(EliminationPlan, OrderIsAPermutationThatPartsAndSupernodesCover) {
  for (const auto& [name, A] : systems()) {
    SCOPED_TRACE(name);
    const EliminationPlan plan(A);
    ASSERT_EQ(plan.vertices(), A.rows());
    EXPECT_EQ(std::set<int>(plan.order().begin(), plan.order().end()).size(), plan.order().size());
    for (int i = 0; i < plan.vertices(); ++i) EXPECT_EQ(plan.position()[plan.order()[i]], i);
    int next = 0;
    for (const auto* part : {&plan.part(0), &plan.part(1), &plan.top()}) {
      EXPECT_EQ(part->begin, next);
      for (const Supernode& node : part->supernodes) {
        EXPECT_EQ(node.first, next);
        EXPECT_GT(node.width, 0);
        next += node.width;
      }
      EXPECT_EQ(part->end, next);
    }
    EXPECT_EQ(next, plan.vertices());
  }
}

TEST(EliminationPlan, NothingConnectsThePartsNotEvenAZero) {
  for (const auto& [name, A] : systems()) {
    SCOPED_TRACE(name);
    const EliminationPlan plan(A);
    for (int column = 0; column < A.outerSize(); ++column)
      for (SparseMatrix::InnerIterator it(A, column); it; ++it) {
        const int a = part_of(plan, plan.position()[it.row()]), b = part_of(plan, plan.position()[column]);
        ASSERT_FALSE((a == 0 && b == 1) || (a == 1 && b == 0)) << it.row() << " " << column;
      }
  }
}

// Fill included: what a supernode writes lies in its own part or the top, and behind it.
TEST(EliminationPlan, RowsOfASupernodeAreAscendingAncestorsOfTheSamePartOrTheTop) {
  for (const auto& [name, A] : systems()) {
    SCOPED_TRACE(name);
    const EliminationPlan plan(A);
    for (int p = 0; p < 2; ++p)
      for (const Supernode& node : plan.part(p).supernodes) {
        int before = node.first + node.width - 1;
        for (int i = 0; i < node.row_count; ++i) {
          const int row = plan.rows()[node.row_begin + i];
          EXPECT_GT(row, before);
          EXPECT_TRUE(part_of(plan, row) == p || part_of(plan, row) == 2);
          before = row;
        }
      }
  }
}

TEST(EliminationPlan, PartsAreEvenAndTheTopIsSmall) {
  for (const SparseMatrix& A : {cube_system(14), cloth_system(60)}) {
    const EliminationPlan plan(A);
    const auto entries = [&](int p) {
      double sum = 0;
      for (const Supernode& node : plan.part(p).supernodes) sum += double(node.width) * (node.width + node.row_count);
      return sum;
    };
    EXPECT_LT(std::max(entries(0), entries(1)), 1.25 * std::min(entries(0), entries(1)));
    EXPECT_LT(plan.top().size(), plan.vertices() / 5);
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
