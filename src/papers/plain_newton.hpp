// Newton's method as textbooks have it, which [Gast15] sets out from: x <- x - H^-1 dg, whole steps, whatever H is. No
// line search, and nothing is done about H where it is not positive definite. It is here to be seen failing, and is
// no solver of the program's.
#pragma once

#include "sim/step/gast.hpp"

namespace rebound::papers {

class PlainNewton {
 public:
  /// Beyond so many it has failed, as in [Gast15 Fig. 1].
  static constexpr int kMost = 500;

  /// The model must outlive this.
  explicit PlainNewton(const sim::Model& model) : matrix_(model) {}
  /// Iterations to a velocity that is known to `tolerance`, m/s, from x on; nothing where it does not get there in
  /// `most`.
  std::optional<int> solve(const sim::Objective& g, double tolerance, int most, sim::Points& x);

 private:
  sim::TangentMatrix matrix_;
  sim::Points gradient_;
  sim::Vector step_;
};

/// Goes on with `gast`, and tries, for at most 100 iterations, plain Newton at every solve from where that begins.
class WatchedNewton final : public sim::Newton {
 public:
  static constexpr int kMost = 100;

  explicit WatchedNewton(const sim::Model& model) : Newton(model), plain_(model), gast_(model) {}

  sim::SolveReport minimize(const sim::Objective& g, const sim::SolveEffort& effort, const sim::StopRule& stop,
                            sim::Points& x) override;
  std::span<const sim::HeldVertex> held() const override { return gast_.held(); }

  struct Tally {
    int solves = 0, failed = 0;
    int iterations = 0;  ///< where it did not fail
    double seconds = 0;
  };
  const Tally& plain() const { return plain_tally_; }
  const Tally& gast() const { return gast_tally_; }

 private:
  PlainNewton plain_;
  sim::Gast gast_;
  sim::Points tried_;
  Tally plain_tally_, gast_tally_;
};

}  // namespace rebound::papers
