// Quasi-Newton in single precision: L-BFGS on the block inverse [Liu17 Sec. 4], at a few times the cost of local/global.
//
//   d = -H dg(w),   w <- w + t d,   t = 1, 1/2, ... until g falls
//
// As in float_local_global.hpp the end is in double precision where many iterations are asked for.
#pragma once

#include "sim/step/descent.hpp"
#include "sim/step/float_step.hpp"

namespace rebound::sim {

class FloatQuasiNewton final : public FloatStep {
 public:
  FloatQuasiNewton(const Model& model, std::shared_ptr<const EliminationPlan> plan, FactorCache* cache);

  SolveReport minimize(const StepObjective& g, const SolveEffort& effort, const StopRule& stop, Points& x) override;

 private:
  using Ring = std::array<AlignedBuffer<float>, Lbfgs::kKept>;
  /// Products with g, with p = H0 g and with the latest pair.
  struct Products {
    double gp = 0;
    Lbfgs::Numbers sg{}, yp{};
    Lbfgs::PairProducts pair;

    void add(const Products& other);
  };
  struct Solve;

  void begin(Solve& solve, const Points& x);
  void evaluate(Solve& solve);
  bool accept(Solve& solve);
  void choose_direction(Solve& solve);
  float combine(const Lbfgs::Direction& direction, int begin, int end);
  void multiply(int place, bool has_pair, int begin, int end, Products& products);
  void move(Solve& solve, float by);

  Lbfgs lbfgs_;
  Ring s_, y_, t_;                           ///< steps, and what they did to g and to p
  AlignedBuffer<float> g_, g_before_;        ///< dg at the present iterate and at the last, 4 floats a vertex
  AlignedBuffer<float> p_before_, correction_;  ///< p is in d_
  /// What a part has found.
  struct alignas(64) Found {
    Sums sums;
    Products products;
    float size = 0;
    double largest_step = 0;
  };
  std::vector<Found> found_;  ///< a part
  bool barrier_ = false;                     ///< some element has an energy that is infinite somewhere
  Descent refine_;
};

}  // namespace rebound::sim
