// The two parts of an iteration of local/global, each by itself, as the library makes them for this model: in single
// precision where the solver would, else in double.
#pragma once

#include <optional>

#include "sim/step/float_local_global.hpp"
#include "sim/step/local_global.hpp"

namespace rebound::bench {

/// The model's elastic forces.
class LocalStep {
 public:
  /// The model must outlive this.
  LocalStep(const sim::Model& model, int threads);

  /// dE(x) (N, n x 3) is made ready. Returns what it took, ms.
  double run(const sim::Points& x);
  /// What the last run gave.
  sim::Points forces() const;
  /// What a run reads and writes, bytes; nothing in double precision.
  std::optional<double> bytes_moved() const;

 private:
  struct Single {
    sim::EliminationPlan plan;
    sim::Partition partition;
    std::vector<std::unique_ptr<sim::FloatBatch>> batches;
    sim::AlignedBuffer<float> x, forces;
  };
  double run_single(const sim::Points& x);

  const sim::Model& model_;
  sim::Workspace work_;
  std::optional<Single> single_;  ///< empty: double precision
  sim::Points forces_;
};

/// The elastic forces in double precision, added to what is in `forces`; returns the energy.
double add_elastic_gradient(const sim::Model& model, const sim::Points& x, sim::Points& forces, sim::Workspace& work);

/// (M + coefficient L)^-1.
class GlobalStep {
 public:
  /// The model must outlive this.
  GlobalStep(const sim::Model& model, double coefficient, int threads);

  /// (M + coefficient L)^-1 b is made ready. Returns what it took, ms.
  double run(const sim::Points& b);
  /// What the last run gave.
  sim::Points solution() const;
  /// What a run reads and writes, bytes; nothing in double precision.
  std::optional<double> bytes_moved() const;

 private:
  struct Single {
    sim::EliminationPlan plan;
    sim::BlockInverse inverse;
    sim::AlignedBuffer<float> right_hand_side;
  };

  sim::Workers workers_;
  std::optional<Single> single_;
  std::optional<sim::SystemCache<sim::SystemMatrix>> systems_;  ///< in double precision
  const sim::SystemMatrix* matrix_ = nullptr;
  sim::Points solution_;
};

/// An iteration of local/global in single precision, part by part on one thread, and what more threads could make of
/// it.
class PartTimes {
 public:
  /// The model must outlive this; its system must be solved in single precision.
  PartTimes(const sim::Model& model, double coefficient);

  /// Times every part at x.
  void run(const sim::Points& x);
  /// Milliseconds from the top's solution to the next one, each part going to the thread that is free first; on one
  /// thread, the sum. The top's share is divided evenly. Memory is as fast as for one thread.
  double longest_way(int threads) const;

 private:
  struct Times {
    double down = 0, local = 0, up = 0;  ///< ms
  };
  void run_once(bool first);

  sim::Workers alone_{1};
  sim::EliminationPlan plan_;
  sim::BlockInverse inverse_;
  sim::Partition partition_;
  std::vector<std::unique_ptr<sim::FloatBatch>> batches_;
  sim::AlignedBuffer<float> x_, d_;
  std::vector<Times> times_;  ///< of the parts, and the top; the shortest of several
};

/// Is the model's system solved in single precision?
bool in_single_precision(const sim::Model& model);

}  // namespace rebound::bench
