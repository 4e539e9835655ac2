#include "sim/linear/elimination_cut.hpp"

#include <algorithm>

namespace rebound::sim {
namespace {

constexpr int kTop = 2;
// An entry of the top's inverse is a float where the others are halves, and is shared by two threads.
constexpr double kTopEntryCost = 2.6;
// Computing the inverse of the top takes about top^3 operations: beyond this, seconds.
constexpr int kWidestTop = 4000;
// Separators shrink quickly: within this many, either the parts are balanced or they never will be.
constexpr int kMostPops = 256;

struct Subtree {
  double cost;
  int root;
  // By cost, ties by number, so that the cut is a function of the tree.
  bool operator<(const Subtree& other) const { return cost != other.cost ? cost < other.cost : root < other.root; }
};

// Heaviest first into whichever part has less: the load of the fuller part, and who went where.
double pack(std::vector<Subtree> subtrees, std::vector<int>* part_of_root) {
  std::sort(subtrees.rbegin(), subtrees.rend());
  double load[2] = {0, 0};
  for (const Subtree& subtree : subtrees) {
    const int part = load[1] < load[0] ? 1 : 0;
    load[part] += subtree.cost;
    if (part_of_root != nullptr) (*part_of_root)[subtree.root] = part;
  }
  return std::max(load[0], load[1]);
}

}  // namespace

std::vector<int> cut_for_two(const EliminationTree& tree) {
  const int count = static_cast<int>(tree.parent.size());
  std::vector<double> subtree_cost = tree.cost;
  std::vector<std::vector<int>> children(count);
  std::vector<Subtree> hanging;  // the subtrees below the top, a heap
  for (int s = 0; s < count; ++s) {
    if (tree.parent[s] >= 0) {
      subtree_cost[tree.parent[s]] += subtree_cost[s];
      children[tree.parent[s]].push_back(s);
    } else {
      hanging.push_back({subtree_cost[s], s});
    }
  }
  std::make_heap(hanging.begin(), hanging.end());

  // Take the heaviest subtree's root into the top, again and again, and keep the best moment.
  std::vector<int> taken;
  double top = 0, best_time = pack(hanging, nullptr);
  std::size_t best_taken = 0;
  std::vector<Subtree> best = hanging;
  while (!hanging.empty() && taken.size() < kMostPops && top + tree.width[hanging.front().root] <= kWidestTop) {
    std::pop_heap(hanging.begin(), hanging.end());
    const int root = hanging.back().root;
    hanging.pop_back();
    taken.push_back(root);
    top += tree.width[root];
    for (const int child : children[root]) {
      hanging.push_back({subtree_cost[child], child});
      std::push_heap(hanging.begin(), hanging.end());
    }
    const double time = pack(hanging, nullptr) + kTopEntryCost * top * top / 2;
    if (time < best_time) {
      best_time = time;
      best_taken = taken.size();
      best = hanging;
    }
  }

  std::vector<int> owner(count, -1);
  pack(best, &owner);
  for (std::size_t i = 0; i < best_taken; ++i) owner[taken[i]] = kTop;
  for (int s = count - 1; s >= 0; --s)
    if (owner[s] < 0) owner[s] = owner[tree.parent[s]];
  return owner;
}

}  // namespace rebound::sim
