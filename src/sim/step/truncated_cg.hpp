// Conjugate gradients for the equations of one Newton step, as far as is worth it: they begin at zero and end at a
// residual that is small enough, or where a direction has negative curvature: then at the last iterate, or, of the
// first direction, along that direction itself, which is the right-hand side [Gast15 Sec. 3.1].
#pragma once

#include <cmath>

#include "sim/base/row_passes.hpp"

namespace rebound::sim {

/// The same bytes whatever the number of threads.
inline double dot(const Points& a, const Points& b, Workers& workers) {
  return sum_rows<1>(workers, a.rows(), [&](Eigen::Index first, Eigen::Index rows, auto& sum) {
    sum[0] += a.middleRows(first, rows).cwiseProduct(b.middleRows(first, rows)).sum();
  })[0];
}

class TruncatedCg {
 public:
  struct Report {
    int products = 0;           ///< with the matrix
    bool no_curvature = false;  ///< the first direction already had none that is positive, and is what came out
  };

  /// Solves H d = b for b, n x 3, to |b - H d| <= enough. multiply(p, Hp) is the matrix, precondition(r, z) about its
  /// inverse, positive definite.
  template <class Multiply, class Precondition>
  Report solve(const Points& b, double enough, const Multiply& multiply, const Precondition& precondition, Points& d,
               Workers& workers) {
    Report report;
    d.setZero(b.rows(), 3);
    r_ = b;
    precondition(r_, z_);
    p_ = z_;
    double rz = dot(r_, z_, workers);
    for (Eigen::Index i = 0; i < b.size() && std::isfinite(rz); ++i) {
      multiply(p_, Hp_);
      ++report.products;
      const double curvature = dot(p_, Hp_, workers);
      if (!(curvature > 0)) {
        report.no_curvature = i == 0;
        if (report.no_curvature) d = p_;
        break;
      }
      const double step = rz / curvature;
      d += step * p_;
      r_ -= step * Hp_;
      if (std::sqrt(dot(r_, r_, workers)) <= enough) break;
      precondition(r_, z_);
      const double next = dot(r_, z_, workers);
      p_ = z_ + (next / rz) * p_;
      rz = next;
    }
    return report;
  }

 private:
  Points r_, z_, p_, Hp_;
};

}  // namespace rebound::sim
