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

}  // namespace rebound::bench
