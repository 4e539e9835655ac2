// The order of elimination: a permutation, cut so that threads never meet, and as evenly as the body allows.
#include "sim/linear/elimination_plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sim/linear/elimination_cut.hpp"
#include "systems.hpp"

namespace rebound::test {
namespace {

/// The part of a solver index; part_count() for the top.
int part_of(const EliminationPlan& plan, int index) {
  for (int p = 0; p < plan.part_count(); ++p)
    if (index < plan.part(p).end) return p;
  return plan.part_count();
}

/// Is part `a`, or the top, above part p?
bool is_above(const EliminationPlan& plan, int a, int p) {
  if (a == plan.part_count()) return true;
  while (p >= 0 && p != a) p = plan.part(p).parent;
  return p == a;
}

TEST(EliminationPlan, OrderIsAPermutationThatPartsAndSupernodesCover) {
  for (const auto& [name, A] : systems()) {
    SCOPED_TRACE(name);
    const EliminationPlan plan(A);
    ASSERT_EQ(plan.vertices(), A.rows());
    EXPECT_EQ(std::set<int>(plan.order().begin(), plan.order().end()).size(), plan.order().size());
    for (int i = 0; i < plan.vertices(); ++i) EXPECT_EQ(plan.position()[plan.order()[i]], i);
    int next = 0;
    const auto expect_covered = [&](const EliminationPlan::Part& part) {
      EXPECT_EQ(part.begin, next);
      for (const Supernode& node : part.supernodes) {
        EXPECT_EQ(node.first, next);
        EXPECT_GT(node.width, 0);
        next += node.width;
      }
      EXPECT_EQ(part.end, next);
    };
    for (const EliminationPlan::Part& part : plan.parts()) expect_covered(part);
    expect_covered(plan.top());
    EXPECT_EQ(next, plan.vertices());
    EXPECT_LE(plan.part_count(), kMostParts);
  }
}

TEST(EliminationPlan, AnEntryConnectsAPartToItselfOrToWhatIsAboveIt) {
  for (const auto& [name, A] : systems()) {
    SCOPED_TRACE(name);
    const EliminationPlan plan(A);
    for (int column = 0; column < A.outerSize(); ++column)
      for (SparseMatrix::InnerIterator it(A, column); it; ++it) {
        const auto [low, high] = std::minmax({plan.position()[it.row()], plan.position()[column]});
        ASSERT_TRUE(is_above(plan, part_of(plan, high), part_of(plan, low))) << it.row() << " " << column;
      }
  }
}

TEST(EliminationPlan, APartIsOfALaterStageThanThoseBelowIt) {
  for (const auto& [name, A] : systems()) {
    SCOPED_TRACE(name);
    const EliminationPlan plan(A);
    for (int p = 0; p < plan.part_count(); ++p) {
      const EliminationPlan::Part& part = plan.part(p);
      EXPECT_GE(part.stage, plan.part(std::max(0, p - 1)).stage);
      for (const int child : part.children) {
        EXPECT_LT(plan.part(child).stage, part.stage);
        EXPECT_EQ(plan.part(child).parent, p);
      }
    }
  }
}

// Fill included: what a supernode writes lies in its own part, behind it, or in the area, whose slots lead to the
// parent.
TEST(EliminationPlan, RowsOfASupernodeAreAscendingAndHaveASlot) {
  for (const auto& [name, A] : systems()) {
    SCOPED_TRACE(name);
    const EliminationPlan plan(A);
    int next_area = plan.vertices();
    for (const EliminationPlan::Part& part : plan.parts()) {
      EXPECT_EQ(part.area, next_area);
      next_area += part.area_size();
      for (const Supernode& node : part.supernodes) {
        int before = node.first + node.width - 1;
        for (int i = 0; i < node.row_count; ++i) {
          const int row = plan.rows()[node.row_begin + i];
          EXPECT_GT(row, before);
          if (row >= part.end) {
            EXPECT_EQ(part.above[part.slot(row) - part.area], row);
          }
          before = row;
        }
      }
      const EliminationPlan::Part& parent = part.parent < 0 ? plan.top() : plan.part(part.parent);
      for (int i = 0; i < part.area_size(); ++i) {
        const int slot = part.up[i], vertex = part.above[i];
        EXPECT_EQ(slot < plan.vertices() ? slot : parent.above[slot - parent.area], vertex);
      }
    }
    EXPECT_EQ(next_area, plan.slots());
  }
}

TEST(EliminationPlan, TheTopIsSmallAndEightThreadsHaveSomethingToDo) {
  for (const SparseMatrix& A : {cube_system(20), cloth_system(150)}) {
    const EliminationPlan plan(A);
    const auto speed_up = [&](int threads) {
      return critical_path(plan.tree(), plan.cut(), 1) / critical_path(plan.tree(), plan.cut(), threads);
    };
    EXPECT_LT(plan.top().size(), plan.vertices() / 8);
    EXPECT_GT(speed_up(2), 1.85);
    EXPECT_GT(speed_up(8), 4.5);
  }
}

TEST(EliminationCut, AForestOfEqualTreesNeedsNoTop) {
  // Two pairs of a leaf and its root.
  const EliminationTree tree{{1, -1, 3, -1}, {10, 10, 10, 10}, {900, 100, 900, 100}};
  const EliminationCut found = cut(tree);
  ASSERT_EQ(found.parts.size(), 2u);
  EXPECT_EQ(found.owner[0], found.owner[1]);
  EXPECT_EQ(found.owner[2], found.owner[3]);
  EXPECT_EQ(found.owner[0] + found.owner[2], 1);
}

TEST(EliminationCut, TakesTheSeparatorIntoTheTop) {
  // A root of 10 columns over two equal subtrees.
  const EliminationTree tree{{2, 2, -1}, {500, 500, 10}, {1e6, 1e6, 1e4}};
  const EliminationCut found = cut(tree);
  ASSERT_EQ(found.parts.size(), 2u);
  EXPECT_EQ(found.owner[2], 2);
  EXPECT_EQ(found.owner[0] + found.owner[1], 1);
}

TEST(EliminationCut, CutsLargeSubtreesOnceMore) {
  // A root over two separators over two subtrees each; one of the four is small.
  const EliminationTree tree{
      {2, 2, 6, 5, 5, 6, -1}, {2000, 2000, 300, 2000, 2000, 300, 10}, {1e6, 1e6, 1e4, 1e6, 5e5, 1e4, 1e4}};
  const EliminationCut found = cut(tree);
  ASSERT_EQ(found.parts.size(), 6u);
  EXPECT_EQ(found.owner[6], 6);
  EXPECT_EQ(found.owner[4], 3) << "the cheapest of its stage comes last";
  for (const int separator : {2, 5}) {
    EXPECT_EQ(found.parts[found.owner[separator]].stage, 1);
    EXPECT_EQ(found.parts[found.owner[separator]].parent, -1);
  }
  EXPECT_EQ(found.parts[found.owner[4]].parent, found.owner[5]);
  // Four threads: a subtree, a separator, and a quarter of the top's square.
  EXPECT_NEAR(critical_path(tree, found, 4), 1e6 + 1e4, 1e3);
}

TEST(EliminationCut, LeavesAChainWhole) {
  const EliminationTree tree{{1, 2, -1}, {400, 400, 400}, {1e5, 1e5, 1e5}};
  const EliminationCut found = cut(tree);
  EXPECT_EQ(found.parts.size(), 1u);
  EXPECT_EQ(found.owner, (std::vector<int>{0, 0, 0}));
}

}  // namespace
}  // namespace rebound::test
