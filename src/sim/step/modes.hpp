// The slowest ways in which a body swings about where it is now: K w = lambda M w, K the exact Hessian at x.
#pragma once

#include "sim/linear/followed_pairs.hpp"
#include "sim/model/state.hpp"
#include "sim/step/linearized_system.hpp"

namespace rebound::sim {

struct Modes {
  Vector lambda;      ///< 1/s^2, ascending, the first `count` are answers; below 0 where K is indefinite
  Eigen::MatrixXd X;  ///< 3n x lambda.size(), M^1/2 w: orthonormal columns. Those beyond `count` guard the answers
  int wanted = 0;
  /// At least as many as were wanted, or all there are. Equal frequencies are not cut apart, so it may be more.
  int count = 0;
  double residual = 0;  ///< the largest |S~ x - theta x| / |theta|, of linearized_system.hpp
  double turn = 0;      ///< by the last sweep, about what may be wrong with X: LowestPairs::turn
  int sweeps = 0;
  bool converged = false;
  PairsRest rest;  ///< of many modes, which follow the body

  auto answers() const { return X.leftCols(count); }
};

/// Keeps its memory from step to step.
class ModeSearch {
 public:
  /// The `wanted` lowest modes of a system that is assembled, without drag, and factored for modes. before: those of a
  /// step before, or null; with them a few sweeps are made, without as many as it takes. They are not those that are
  /// found.
  void run(LinearizedSystem& system, int wanted, const Modes* before, Modes& found);

 private:
  PairFollower follower_;
  LowestPairs pairs_;
};

/// The same once.
Modes lowest_modes(LinearizedSystem& system, int wanted, const Modes* before);

/// Hz; of a mode that grows instead of swinging, minus the rate at which it grows, over 2 pi.
double frequency(double lambda);

/// What a mode holds, J: 1/2 (w^T M v)^2, and how far x is from where the linearised force is zero,
/// 1/2 (w^T f)^2 / lambda. Of a mode without a place to swing about (lambda <= 0 to rounding) the first alone.
struct ModeEnergy {
  double kinetic = 0, potential = 0;
  double total() const { return kinetic + potential; }
};

/// The modes of a world as it stands, by any integrator: for plots and tables. Steps of a world that goes on are cheap,
/// as it starts from the last answer.
class ModalAnalysis {
 public:
  /// The model must outlive this.
  explicit ModalAnalysis(const Model& model, std::shared_ptr<const ComponentAnalysis> known = nullptr)
      : model_(model), system_(model, std::move(known)) {}

  /// h: s, of the steps that it is looked at in; the shift is -1/h^2. False if K cannot be factored there.
  bool look(const State& state, double h, int wanted, Workspace& work);
  const Modes& modes() const { return modes_; }
  /// One per mode.
  const std::vector<ModeEnergy>& energies() const { return energies_; }
  /// w of a mode, n x 3, kg^-1/2.
  Points shape(int mode) const { return system_.motion(modes_.X.col(mode)); }

 private:
  const Model& model_;
  LinearizedSystem system_;
  Modes modes_;
  std::vector<ModeEnergy> energies_;
  Points gradient_;
};

}  // namespace rebound::sim
