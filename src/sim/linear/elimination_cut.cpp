#include "sim/linear/elimination_cut.hpp"

#include <algorithm>
#include <numeric>

namespace rebound::sim {
namespace {

constexpr int kAbove = 2;
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

// A cut of the supernodes `members`, ascending, which hold all below each of them. above_time(columns, cost): what
// solving those above the sides takes.
template <class AboveTime>
std::vector<int> cut_members(const EliminationTree& tree, const std::vector<int>& members, const AboveTime& above_time) {
  const auto count = tree.parent.size();
  std::vector<char> is_member(count, 0);
  for (const int s : members) is_member[s] = 1;
  std::vector<double> subtree_cost = tree.cost;
  std::vector<std::vector<int>> children(count);
  std::vector<Subtree> hanging;  // the subtrees below those above, a heap
  for (const int s : members) {
    const int parent = tree.parent[s];
    if (parent >= 0 && is_member[parent]) {
      subtree_cost[parent] += subtree_cost[s];
      children[parent].push_back(s);
    } else {
      hanging.push_back({subtree_cost[s], s});
    }
  }
  std::make_heap(hanging.begin(), hanging.end());

  // Take the heaviest subtree's root above, again and again, and keep the best moment.
  std::vector<int> taken;
  double columns = 0, cost = 0, best_time = pack(hanging, nullptr);
  std::size_t best_taken = 0;
  std::vector<Subtree> best = hanging;
  while (!hanging.empty() && taken.size() < kMostPops && columns + tree.width[hanging.front().root] <= kWidestTop) {
    std::pop_heap(hanging.begin(), hanging.end());
    const int root = hanging.back().root;
    hanging.pop_back();
    taken.push_back(root);
    columns += tree.width[root];
    cost += tree.cost[root];
    for (const int child : children[root]) {
      hanging.push_back({subtree_cost[child], child});
      std::push_heap(hanging.begin(), hanging.end());
    }
    const double time = pack(hanging, nullptr) + above_time(columns, cost);
    if (time < best_time) {
      best_time = time;
      best_taken = taken.size();
      best = hanging;
    }
  }

  std::vector<int> side(count, -1);
  pack(best, &side);
  for (std::size_t i = 0; i < best_taken; ++i) side[taken[i]] = kAbove;
  for (auto s = members.rbegin(); s != members.rend(); ++s)
    if (side[*s] < 0) side[*s] = side[tree.parent[*s]];
  return side;
}

double dense_time(double columns, double) { return kTopEntryCost * columns * columns / 2; }
// Blocks as all others, on one thread.
double blocks_time(double, double cost) { return cost; }

class Cutter {
 public:
  Cutter(const EliminationTree& tree, double leaf_cost) : tree_(tree), leaf_cost_(leaf_cost) {
    cut_.part.assign(tree.parent.size(), -1);
  }

  TreeCut run() {
    std::vector<int> all(tree_.parent.size());
    std::iota(all.begin(), all.end(), 0);
    const auto [sides, above] = parted(all, cut_members(tree_, all, dense_time));
    std::vector<int> hanging;
    for (const auto& side : sides) cut(side, hanging);
    add_part(above, hanging);
    return std::move(cut_);
  }

 private:
  struct Parted {
    std::vector<int> sides[2], above;
  };
  static Parted parted(const std::vector<int>& members, const std::vector<int>& side) {
    Parted result;
    for (const int s : members) (side[s] == kAbove ? result.above : result.sides[side[s]]).push_back(s);
    return result;
  }

  // The parts of some supernodes; those that hang from nothing yet are appended to `hanging`.
  void cut(const std::vector<int>& members, std::vector<int>& hanging) {
    if (members.empty()) return;
    double cost = 0;
    for (const int s : members) cost += tree_.cost[s];
    if (cost > leaf_cost_) {
      const auto [sides, above] = parted(members, cut_members(tree_, members, blocks_time));
      if (!sides[0].empty() && !sides[1].empty()) {
        std::vector<int> below;
        for (const auto& side : sides) cut(side, below);
        if (above.empty()) {
          hanging.insert(hanging.end(), below.begin(), below.end());
        } else {
          hanging.push_back(add_part(above, below));
        }
        return;
      }
    }
    hanging.push_back(add_part(members, {}));
  }

  int add_part(const std::vector<int>& members, const std::vector<int>& below) {
    const int number = static_cast<int>(cut_.above.size());
    for (const int s : members) cut_.part[s] = number;
    for (const int part : below) cut_.above[part] = number;
    cut_.above.push_back(-1);
    return number;
  }

  const EliminationTree& tree_;
  const double leaf_cost_;
  TreeCut cut_;
};

}  // namespace

std::vector<int> cut_for_two(const EliminationTree& tree) {
  std::vector<int> all(tree.parent.size());
  std::iota(all.begin(), all.end(), 0);
  return cut_members(tree, all, dense_time);
}

TreeCut cut_into_parts(const EliminationTree& tree, double leaf_cost) { return Cutter(tree, leaf_cost).run(); }

}  // namespace rebound::sim
