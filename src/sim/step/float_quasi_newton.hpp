// Quasi-Newton in single precision: L-BFGS on the block inverse [Liu17 Sec. 4], at a few times the cost of
// local/global.
//
//   d = -H dg(w),   w <- w + t d,   t = 1, 1/2, ... until g falls
//
// A first guess that is far off (a body that flies apart) may be so wild that a few iterations do not come down to
// where the step began: then they begin there.
//
// As in float_local_global.hpp the end is in double precision where many iterations are asked for.
#pragma once

#include "sim/step/descent.hpp"
#include "sim/step/float_step.hpp"

namespace rebound::sim {

class FloatQuasiNewton final : public FloatStep {
 public:
  explicit FloatQuasiNewton(const Model& model, const Analysis& known = {});

  SolveReport minimize(const StepObjective& g, const SolveEffort& effort, const StopRule& stop, Points& x) override;

 private:
  using Ring = std::array<AlignedBuffer<float>, Lbfgs::kPlaces>;
  /// Products of g with the p's and d's that are kept.
  struct Products {
    Lbfgs::Numbers pg{}, dg{};
  };
  struct Solve;

  void begin(Solve& solve, const Points& x);
  bool descend(Solve& solve, const SolveEffort& effort, const StopRule& stop, Points& x, SolveReport& report);
  void evaluate(Solve& solve, bool gradient);
  bool accept(Solve& solve, bool last);
  void choose_direction(Solve& solve);
  void multiply(int begin, int end, Products& products);
  float combine(const Lbfgs::Direction& direction, int begin, int end);
  double move(const Solve& solve, float by, int begin, int end);
  void move(Solve& solve, float by);
  float shorten(Solve& solve);

  Lbfgs lbfgs_;
  Ring p_, directions_;     ///< H0 dg of the last iterates, and where they went from there, 4 floats a slot
  AlignedBuffer<float> g_;  ///< dg at the present iterate
  bool barrier_ = false;    ///< some element has an energy that is infinite somewhere
  Descent refine_;
};

}  // namespace rebound::sim
