// The numbers of a supernodal Cholesky factor on all threads, where CHOLMOD has found the order and the supernodes. The
// same bytes on any number of threads.
#pragma once

#include <mutex>
#include <vector>

#include "sim/base/workers.hpp"
#include "sim/linear/supernodal_plan.hpp"
#include "sim/linear/supernode_kernel.hpp"

namespace rebound::sim {

/// Number: of L, double or float.
template <class Number>
class SupernodalFactoring {
 public:
  /// Of matrices of this pattern.
  explicit SupernodalFactoring(const SupernodalPlan& plan);
  const SupernodalPlan& plan() const { return plan_; }

  /// values := L of A, which is finite and of the plan's pattern. False if A is not positive definite. workers: null:
  /// this thread alone.
  bool run(const SparseMatrix& A, Number* values, Workers* workers);

 private:
  /// What a thread needs for the supernode at hand.
  struct Scratch {
    std::vector<Number> product;
    std::vector<int> local;  ///< of each row of A: which of the supernode's
    std::vector<RowRun> runs;
  };
  class Lease;

  std::size_t size_of(int s) const { return static_cast<std::size_t>(plan_.row_count(s)) * plan_.columns(s); }
  void clear_top(Number* values);
  void read(int s, const double* A, Number* values) const;
  bool factor_subtree(const std::vector<int>& supernodes, const double* A, Number* values);
  bool factor_top(int s, Number* values, Workers* workers);
  void update(int s, int first_row, int last_row, const int* local, Number* values, Scratch& scratch) const;
  bool factor_own(int s, int strip, Number* values, Workers* workers) const;

  /// Between two pieces of work: those of large supernodes are long.
  void pause() const {
    if (workers_ != nullptr) workers_->pause();
  }

  const SupernodalPlan& plan_;
  Workers* workers_ = nullptr;  ///< of the run under way
  /// Numbers of the top that are set to zero by one task.
  struct Stretch {
    std::size_t begin, count;
  };
  std::vector<Stretch> top_;
  std::vector<int> local_;  ///< of the supernode of the top that is at hand
  std::mutex mutex_;
  std::vector<Scratch> scratch_;
  std::vector<std::size_t> free_;
};

extern template class SupernodalFactoring<double>;
extern template class SupernodalFactoring<float>;

}  // namespace rebound::sim
