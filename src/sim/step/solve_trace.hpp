// How solves got there, iteration by iteration, for people who look. Solvers that look at g write it while one is asked
// for; else it costs nothing.
#pragma once

#include <optional>
#include <vector>

#include "sim/base/types.hpp"

namespace rebound::sim {

/// One iterate of a solve, and the step that led to it.
struct SolveIterate {
  int solve = 0;         ///< of the trace's, from 0
  int iteration = 0;     ///< 0: where it began
  double objective = 0;  ///< g(x) / h^2, J
  double gradient = 0;   ///< |dg(x)| / h^2 of all vertices together, N
  double alpha = 0;      ///< how far along the direction, 0 where it began
  int cg = 0;            ///< products with the Hessian for the direction; 0 of a solver that factors it
};

/// Where iterates were: all of them, or, where they are more than are kept, every second, every fourth and so on, as an
/// even sample of however many come. The last one is always there.
class IteratePlaces {
 public:
  struct Place {
    std::size_t iterate = 0;  ///< of all that were added, from 0
    Points x;                 ///< n x 3, m
  };

  /// most >= 2: how many are kept.
  explicit IteratePlaces(std::size_t most) : most_(most) {}

  void add(const Points& x);
  void clear();
  /// In their order; valid until the next add() or clear().
  std::vector<const Place*> all() const;
  /// How many iterates apart they are, the last one aside.
  std::size_t every() const { return every_; }

 private:
  std::size_t most_, count_ = 0, every_ = 1;
  std::vector<Place> kept_;
  Place last_;
};

struct SolveTrace {
  std::vector<SolveIterate> iterates;
  std::optional<IteratePlaces> places;  ///< of the iterates, where somebody asks for them

  /// An iterate numbered 0 begins another solve. x: n x 3, m.
  void add(SolveIterate iterate, const Points& x) {
    const int last = iterates.empty() ? -1 : iterates.back().solve;
    iterate.solve = iterate.iteration == 0 ? last + 1 : last;
    iterates.push_back(iterate);
    if (places) places->add(x);
  }
  void clear() {
    iterates.clear();
    if (places) places->clear();
  }
};

}  // namespace rebound::sim
