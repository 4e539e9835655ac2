#include "sim/linear/symmetric_eigen.hpp"

#include <algorithm>
#include <limits>

extern "C" {
void dsytrd_(const char*, const int*, double*, const int*, double*, double*, double*, double*, const int*, int*);
void dstedc_(const char*, const int*, double*, double*, double*, const int*, double*, const int*, int*, const int*,
             int*);
void dormtr_(const char*, const char*, const char*, const int*, const int*, const double*, const int*, const double*,
             double*, const int*, double*, const int*, int*);
}

namespace rebound::sim {
namespace {

// What LAPACK wants beside the matrices: for its blocked reductions, and for divide and conquer.
constexpr Eigen::Index kBlock = 64;
Eigen::Index work_numbers(Eigen::Index n) { return std::max(kBlock * n, 1 + 4 * n + n * n); }
Eigen::Index work_integers(Eigen::Index n) { return 3 + 5 * n; }

}  // namespace

void SymmetricEigen::reserve(Eigen::Index rows) {
  reduced_.reserve(rows * rows);
  vectors_.reserve(rows * rows);
  numbers_.reserve(3 * rows + work_numbers(rows));
  integers_.reserve(static_cast<std::size_t>(work_integers(rows)));
}

// A = Q T Q^T, T = Z diag(values) Z^T, so the vectors are Q Z.
SymmetricEigen::Pairs SymmetricEigen::of(const Tall& A, Eigen::Index wanted) {
  const auto n = static_cast<int>(A.rows()), count = static_cast<int>(wanted);
  reserve(n);
  auto Q = reduced_.of(n, n), Z = vectors_.of(n, n);
  double* values = numbers_.of(3 * n + work_numbers(n), 1).data();
  double *off = values + n, *reflectors = off + n, *work = reflectors + n;
  const auto work_size = static_cast<int>(work_numbers(n)), integers = static_cast<int>(work_integers(n));
  integers_.resize(static_cast<std::size_t>(integers));
  int failed = 1;
  Q = A;
  if (A.allFinite()) {
    dsytrd_("L", &n, Q.data(), &n, values, off, reflectors, work, &work_size, &failed);
    dstedc_("I", &n, values, off, Z.data(), &n, work, &work_size, integers_.data(), &integers, &failed);
    if (failed == 0)
      dormtr_("L", "L", "N", &n, &count, Q.data(), &n, reflectors, Z.data(), &n, work, &work_size, &failed);
  }
  if (failed != 0) {
    std::fill_n(values, n, std::numeric_limits<double>::quiet_NaN());
    Z.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return {{values, n}, {Z.data(), n, count}};
}

}  // namespace rebound::sim
