// An iteration of local/global in single precision, part by part as float_local_global.hpp has it: what each visit reads
// and writes, and what it takes. From that, what more cores would give than this machine has.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sim/step/float_local_global.hpp"

namespace rebound::bench {

/// By the layout of the numbers, bytes. A visit is counted as if what it touches stood in a cache from its beginning to
/// its end: each number is read once, and written once if it changes.
struct IterationBytes {
  int leaves = 0;
  double largest_leaf = 0;  ///< what the largest leaf's visit touches
  double moved = 0;         ///< by all visits of an iteration
  double in_two_passes = 0;  ///< the same if down and up were two visits of a leaf
};

/// What an iteration takes by the clock, ms, on so many cores.
struct IterationTimes {
  double one_core = 0, four = 0, eight = 0, sixteen = 0;
};

class Iteration {
 public:
  /// Empty where the solver would be in double precision. The model must outlive what is returned.
  static std::optional<Iteration> of(const sim::Model& model, double coefficient);

  IterationBytes bytes() const;
  /// The critical path over the visits as one thread takes them here, the median of several iterations from x: parts on
  /// one level are taken by cores as they come free, in order, and a level waits for the one before it. What a core
  /// spends on waiting, and on sharing memory with others, is not in it.
  IterationTimes times(const sim::Points& x);

 private:
  Iteration() = default;
  double bytes_down(int part) const;
  double bytes_up(int part) const;
  void go_down(int part);
  void go_up(int part);

  std::unique_ptr<const sim::EliminationPlan> plan_;
  std::unique_ptr<const sim::BlockInverse> inverse_;
  std::vector<std::unique_ptr<sim::FloatBatch>> batches_;
  sim::AlignedBuffer<float> start_, w_, z_, d_, mass_;
};

}  // namespace rebound::bench
