// Local/global in single precision: the same iteration as local_global.hpp at a tenth of the cost.
//
//   w <- w - (M + c gamma^2 h^2 L)^-1 (M w + c gamma h^2 dE(z))
//
// Where corrections reach the rounding of floats and many more are asked for, gradients are in double precision from
// there on: the inverse only has to be about right, so the minimum is found as exactly as without all this.
//
// Order of an iteration, and what it touches. The blocks of the inverse are what does not fit a cache, so each leaf of
// the plan's tree is visited once:
//   turn     at the top: d = A^-1 dg there, and which combination of steps is taken (Anderson)
//   descend  from the top down, a part after those above it:
//              down   d of the part: H                              (backward substitution)
//                     w -= d, z: 4 to 8 vectors of its vertices
//            and in a leaf at once, while all of this is in the core's own cache,
//              up     dg of its elements: their rest shapes         (local step)
//                     F dg: the same H, and S                       (forward substitution of the next iteration)
//   climb    the parts between leaves and top: up, those below first; in the end the top's dg
// A leaf writes to its own vertices and to its copies of those above it: no thread waits for another before the climb.
// Parts between leaves and top are read twice. The last iteration has no up. The combination must be known before the way
// down, which is why Anderson's products are in the norm of A^-1: dg . A^-1 dg' is a sum over what F leaves in each part.
#pragma once

#include "sim/step/anderson.hpp"
#include "sim/step/float_step.hpp"

namespace rebound::sim {

class FloatLocalGlobal final : public FloatStep {
 public:
  using FloatStep::FloatStep;

  SolveReport minimize(const StepObjective& g, const SolveEffort& effort, const StopRule& stop, Points& x) override;

 private:
  struct Solve;
  /// What a part has found. Threads write them side by side: a line of a cache each.
  struct alignas(64) Found {
    Sums sums;                    ///< of the present iterate
    float size = 0;               ///< of the correction, m
    Anderson::Numbers products{};  ///< of the present gradient with those that are kept, in the norm of A^-1
  };

  void up(Solve& solve, int part);
  void down(Solve& solve, int part);
  void climb(Solve& solve);
  void finish_climb(Solve& solve);
  void turn(Solve& solve);
  void descend(Solve& solve, bool and_climb);
  bool take_back_if_raised(Solve& solve);
  bool likely_last(const Solve& solve, const SolveEffort& effort, int iterations, Eigen::Index vertices) const;
  void multiply(int begin, int end, Anderson::Numbers& products);
  float step_plainly(const float* d, float gamma, int begin, int end);
  float step_combined(const Solve& solve, const float* d, int begin, int end);
  SolveReport refine(const StepObjective& g, FloatSystem& system, const SolveEffort& effort, const StopRule& stop,
                     SolveReport report, Points& x);

  Anderson anderson_;
  /// Of the last iterates: F dg, F being the forward pass before S (see BlockInverse::forward), and w - beta d.
  std::array<AlignedBuffer<float>, Anderson::kKept> forwarded_, steps_;
  AlignedBuffer<float> left_;  ///< corrections, where something is held
  std::vector<Found> found_;   ///< a part
};

}  // namespace rebound::sim
