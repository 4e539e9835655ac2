// Anderson acceleration of a fixed-point iteration x <- x + f(x): the next iterate is that combination of the last few
// steps, x_j + beta f_j, whose residuals f_j cancel best.
//
// Source: [Anderson65], for local/global [Peng18], who take a step of the latest iterate instead wherever the objective
// has not fallen.
//
// We differ: beta is above 1. The matrix of local/global bounds the Hessian from above, so a plain step is too short,
// and any beta below 2 still goes downhill; 1.25 saves about one iteration in seven, and 1.5 costs some where the
// motion is wild. Residuals are f = -A^-1 dg with the matrix A of local/global, and how well they cancel is measured in
// its norm, f^T A f' = dg^T A^-1 dg', where they use the Euclidean one: half of the solve is enough to know it, and
// slivers and stiff parts weigh what they cost. It takes about as many iterations.
#pragma once

#include <array>

namespace rebound::sim {

/// Which combination it is; the vectors are the caller's.
class Anderson {
 public:
  /// Iterates that are combined. Three differences bring most of what there is to gain.
  static constexpr int kKept = 4;
  static constexpr double kBeta = 1.25;
  using Numbers = std::array<double, kKept>;

  void restart() { count_ = 0; }
  /// Have three combinations in a row gone well? Nobody sees what the last of a solve does to the objective: unless
  /// this says so, it should be a plain step.
  bool proven() const { return count_ >= 3; }
  /// How many are kept so far, and the place of the next one in a ring of kKept.
  int kept() const { return count_ < kKept ? count_ : kKept; }
  int next_place() const { return count_ % kKept; }

  /// Takes over the residual f in next_place(): products[j] = f^T A f_j for every kept place j, itself included. Returns
  /// the weight of each place; they sum to 1, and places without an iterate have 0.
  Numbers add(const Numbers& products);

 private:
  int count_ = 0;
  std::array<Numbers, kKept> products_{};
};

}  // namespace rebound::sim
