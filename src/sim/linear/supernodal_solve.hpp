// L L^T x = b of a supernodal factor for one right-hand side, on all threads: each subtree below the plan's cut by a
// thread, what is above it by all. The same bytes on any number of threads.
#pragma once

#include <vector>

#include "sim/base/workers.hpp"
#include "sim/linear/supernodal_plan.hpp"

namespace rebound::sim {

/// Number: of L and x, double or float.
template <class Number>
class SupernodalSolve {
 public:
  /// With factors of this plan, which must outlive it.
  explicit SupernodalSolve(const SupernodalPlan& plan);

  /// x := (L L^T)^-1 x, in the order of elimination. values: of L. workers: null: this thread alone.
  void run(const Number* values, Number* x, Workers* workers);

 private:
  /// Columns of a supernode that are solved at a time, and rows and columns that are one thread's meanwhile.
  static constexpr int kColumnsAtOnce = 192, kRowsATask = 256, kColumnsATask = 32;
  /// What a subtree, or the top, writes to.
  struct Room {
    std::vector<Number> below;  ///< the rows below the supernode at hand
    std::vector<Number> above;  ///< what a subtree takes from columns above the cut
  };
  void forward(int s, const Number* values, Number* x, Number* below, Workers* workers) const;
  void backward(int s, const Number* values, Number* x, Number* below, Workers* workers) const;

  const SupernodalPlan& plan_;
  std::vector<int> above_columns_;  ///< the columns above the cut
  std::vector<int> place_above_;    ///< of each column: which of these, or -1
  std::vector<Room> subtrees_;
  std::vector<Number> top_below_;
};

extern template class SupernodalSolve<double>;
extern template class SupernodalSolve<float>;

}  // namespace rebound::sim
