#include "sim/linear/elimination_cut.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace rebound::sim {
namespace {

// An entry of the top's inverse is a float where the others are halves.
constexpr double kTopEntryCost = 2.6;
// Computing the inverse of the top takes about top^3 operations: beyond this, seconds.
constexpr int kWidestTop = 4000;
// Separators shrink quickly: within this many, either the rest falls apart or it never will.
constexpr int kMostTaken = 512;
// Below the top are two halves, which are halved three times more: sixteen subtrees.
constexpr int kMostHalvings = 4;
static_assert((2 << kMostHalvings) - 1 <= kMostParts);
// What is cut once more has so much to do that waiting for one another is little beside it.
constexpr double kLeastToCut = 4e5;
// A cut must save so much of the time on two threads.
constexpr double kLeastGain = 0.1;
// A large subtree can be cut further, though not into even shares.
constexpr double kShareOfLargest = 0.75;

struct Subtree {
  double cost;
  int root;
  // By cost, ties by number, so that the cut is a function of the tree.
  bool operator<(const Subtree& other) const { return cost != other.cost ? cost < other.cost : root < other.root; }
};
using Forest = std::vector<Subtree>;

double total_cost(const Forest& forest) {
  return std::accumulate(forest.begin(), forest.end(), 0.0, [](double sum, const Subtree& s) { return sum + s.cost; });
}

/// What two threads need for them.
double shared_time(const Forest& forest) {
  if (forest.empty()) return 0;
  return std::max(total_cost(forest) / 2, kShareOfLargest * std::max_element(forest.begin(), forest.end())->cost);
}

// Heaviest first into whichever half has less.
std::array<Forest, 2> halves(Forest forest) {
  std::sort(forest.rbegin(), forest.rend());
  std::array<Forest, 2> half;
  double load[2] = {0, 0};
  for (const Subtree& subtree : forest) {
    const int to = load[1] < load[0] ? 1 : 0;
    load[to] += subtree.cost;
    half[to].push_back(subtree);
  }
  return half;
}

struct Division {
  std::vector<int> taken;  ///< supernodes whose ancestors in the forest are taken too
  Forest rest;
  double time;
};

class Cutting {
 public:
  explicit Cutting(const EliminationTree& tree)
      : tree_(tree), subtree_cost_(tree.cost), children_(tree.parent.size()), owner_(tree.parent.size(), kNone) {
    for (std::size_t s = 0; s < tree.parent.size(); ++s) {
      const int parent = tree.parent[s];
      if (parent >= 0) {
        subtree_cost_[parent] += subtree_cost_[s];
        children_[parent].push_back(static_cast<int>(s));
      } else {
        roots_.push_back({subtree_cost_[s], static_cast<int>(s)});
      }
    }
  }

  EliminationCut run() {
    double top = 0;
    const Division division = divide(roots_, [&](int s) {
      top += tree_.width[s];
      return top <= kWidestTop ? kTopEntryCost * top * top / 2 : -1;
    });
    for (const int s : division.taken) owner_[s] = kTop;
    for (const Forest& half : halves(division.rest))
      if (!half.empty()) add(half, kTop, kMostHalvings - 1);
    return in_order();
  }

 private:
  static constexpr int kNone = -2, kTop = -1;

  /// Takes the heaviest subtree's root, again and again, and keeps the best moment. time_of(s): what all that are taken
  /// cost, s being the last; negative if s must not be taken.
  template <class TimeOfTaken>
  Division divide(Forest hanging, const TimeOfTaken& time_of) const {
    std::make_heap(hanging.begin(), hanging.end());
    std::vector<int> taken;
    std::size_t best_taken = 0;
    Division best{{}, hanging, shared_time(hanging)};
    while (!hanging.empty() && taken.size() < kMostTaken) {
      const int root = hanging.front().root;
      const double time = time_of(root);
      if (time < 0) break;
      std::pop_heap(hanging.begin(), hanging.end());
      hanging.pop_back();
      taken.push_back(root);
      for (const int child : children_[root]) {
        hanging.push_back({subtree_cost_[child], child});
        std::push_heap(hanging.begin(), hanging.end());
      }
      if (time + shared_time(hanging) < best.time) {
        best.time = time + shared_time(hanging);
        best.rest = hanging;
        best_taken = taken.size();
      }
    }
    best.taken.assign(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(best_taken));
    return best;
  }

  /// Makes parts of a forest, cut up to so many times; returns the stage of the highest.
  int add(const Forest& forest, int parent, int cuts) {
    const double all = total_cost(forest);
    if (cuts > 0 && all > kLeastToCut) {
      double taken = 0;
      const Division division = divide(forest, [&](int s) { return taken += tree_.cost[s]; });
      const std::array<Forest, 2> half = halves(division.rest);
      if (division.time < (1 - kLeastGain) * all && !half[0].empty() && !half[1].empty()) {
        if (division.taken.empty()) return std::max(add(half[0], parent, cuts - 1), add(half[1], parent, cuts - 1));
        const int part = new_part(parent, taken_cost(division.taken));
        for (const int s : division.taken) owner_[s] = part;
        const int below = std::max(add(half[0], part, cuts - 1), add(half[1], part, cuts - 1));
        return parts_[part].stage = below + 1;
      }
    }
    const int part = new_part(parent, all);
    for (const Subtree& subtree : forest) owner_[subtree.root] = part;
    return 0;
  }

  double taken_cost(const std::vector<int>& taken) const {
    return std::accumulate(taken.begin(), taken.end(), 0.0, [&](double sum, int s) { return sum + tree_.cost[s]; });
  }
  int new_part(int parent, double cost) {
    parts_.push_back({parent, 0});
    cost_.push_back(cost);
    return static_cast<int>(parts_.size()) - 1;
  }

  EliminationCut in_order() {
    std::vector<int> order(parts_.size()), place(parts_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return parts_[a].stage != parts_[b].stage ? parts_[a].stage < parts_[b].stage : cost_[a] > cost_[b];
    });
    EliminationCut cut;
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
    for (const int part : order) {
      cut.parts.push_back(parts_[part]);
      int& parent = cut.parts.back().parent;
      if (parent >= 0) parent = place[parent];
    }
    cut.owner.resize(owner_.size());
    for (std::size_t s = owner_.size(); s-- > 0;) {
      if (owner_[s] == kNone) owner_[s] = owner_[tree_.parent[s]];
      cut.owner[s] = owner_[s] == kTop ? static_cast<int>(parts_.size()) : place[owner_[s]];
    }
    return cut;
  }

  const EliminationTree& tree_;
  std::vector<double> subtree_cost_;
  std::vector<std::vector<int>> children_;
  Forest roots_;
  std::vector<int> owner_;
  std::vector<CutPart> parts_;
  std::vector<double> cost_;
};

}  // namespace

EliminationCut cut(const EliminationTree& tree) { return Cutting(tree).run(); }

double critical_path(const EliminationTree& tree, const EliminationCut& cut, int threads) {
  std::vector<double> cost(cut.parts.size(), 0);
  double top = 0, time = 0;
  for (std::size_t s = 0; s < cut.owner.size(); ++s) {
    if (cut.owner[s] < static_cast<int>(cost.size())) {
      cost[cut.owner[s]] += tree.cost[s];
    } else {
      top += tree.width[s];
    }
  }
  for (std::size_t first = 0; first < cost.size();) {
    std::vector<double> busy(static_cast<std::size_t>(threads), 0);
    std::size_t part = first;
    for (; part < cost.size() && cut.parts[part].stage == cut.parts[first].stage; ++part)
      *std::min_element(busy.begin(), busy.end()) += cost[part];
    time += *std::max_element(busy.begin(), busy.end());
    first = part;
  }
  return time + kTopEntryCost * top * top / threads;
}

}  // namespace rebound::sim
