#include "sim/linear/tall_products.hpp"

#include <algorithm>

#include "sim/linear/tall_kernel.hpp"

namespace rebound::sim {
namespace {

// At most as many as stay in a core's own cache with some fifty columns of two matrices. Tasks are so many that no
// thread waits long for the last one.
Eigen::Index rows_a_task(Eigen::Index rows) {
  constexpr Eigen::Index kMost = 512, kAtOnce = 8, kLanes = 8;
  const Eigen::Index tasks = (rows + kAtOnce * kMost - 1) / (kAtOnce * kMost) * kAtOnce;
  return std::max<Eigen::Index>(1, (rows + tasks * kLanes - 1) / (tasks * kLanes)) * kLanes;
}

// C := beta C + alpha A B.
void multiply_add(double alpha, const Tall& A, const Tall& B, double beta, Eigen::Ref<Eigen::MatrixXd> C) {
  tall_kernel().multiply(static_cast<int>(C.rows()), static_cast<int>(C.cols()), static_cast<int>(A.cols()), alpha,
                         A.data(), A.outerStride(), B.data(), B.outerStride(), beta, C.data(), C.outerStride());
}

// C := beta C + alpha A^T B; lower: of that its lower triangle.
void multiply_add_transposed(double alpha, const Tall& A, const Tall& B, double beta, Eigen::Ref<Eigen::MatrixXd> C,
                             bool lower) {
  tall_kernel().transposed(static_cast<int>(A.rows()), static_cast<int>(A.cols()), static_cast<int>(B.cols()), alpha,
                           A.data(), A.outerStride(), B.data(), B.outerStride(), beta, C.data(), C.outerStride(),
                           lower);
}

int tasks(Eigen::Index rows) {
  const Eigen::Index each = rows_a_task(rows);
  return static_cast<int>((rows + each - 1) / each);
}

}  // namespace

void set_product(double beta, Eigen::Ref<Eigen::MatrixXd> C, double alpha, const Tall& A, const Tall& B) {
  multiply_add(alpha, A, B, beta, C);
}

void set_transposed_product(double beta, Eigen::Ref<Eigen::MatrixXd> C, double alpha, const Tall& A, const Tall& B) {
  multiply_add_transposed(alpha, A, B, beta, C, false);
}

void set_products(Eigen::Ref<Eigen::MatrixXd> C, double beta, std::span<const TallFactor> terms, Workers& workers) {
  if (C.cols() == 0) return;
  const Eigen::Index most = rows_a_task(C.rows());
  workers.run(tasks(C.rows()), [&](int task) {
    const Eigen::Index first = task * most, rows = std::min(most, C.rows() - first);
    auto to = C.middleRows(first, rows);
    double factor = beta;
    for (const TallFactor& term : terms) {
      if (term.A.cols() == 0) continue;
      multiply_add(1, term.A.middleRows(first, rows), term.B, factor, to);
      factor = 1;
    }
    if (factor == 0) {
      to.setZero();
    } else if (factor != 1) {
      to *= factor;
    }
  });
}

void TransposedProducts::reserve(Eigen::Index rows, Eigen::Index height, Eigen::Index columns) {
  all_.reserve(height * columns);
  parts_.reserve(height * columns * tasks(rows));
}

TransposedProducts::Sums TransposedProducts::run(std::span<const TallFactor> pairs, Workers& workers) {
  Eigen::Index columns = 0, height = 0, numbers = 0;
  for (const TallFactor& pair : pairs) {
    columns += pair.B.cols();
    height = std::max(height, pair.A.cols());
    numbers += pair.A.cols() * pair.B.cols();
  }
  double* next = all_.of(numbers, 1).data();
  sums_.clear();
  for (const TallFactor& pair : pairs) {
    sums_.emplace_back(next, pair.A.cols(), pair.B.cols());
    sums_.back().setZero();
    next += sums_.back().size();
  }
  if (pairs.empty()) return sums_;
  const Eigen::Index of_all = pairs.front().A.rows(), most = rows_a_task(of_all);
  const int count = tasks(of_all);
  auto parts = parts_.of(height, columns * count);
  workers.run(count, [&](int task) {
    const Eigen::Index first = task * most, rows = std::min(most, of_all - first);
    Eigen::Index at = task * columns;
    for (const TallFactor& pair : pairs) {
      const auto& [A, B, symmetric] = pair;
      if (A.cols() == 0 || B.cols() == 0) continue;
      auto to = parts.block(0, at, A.cols(), B.cols());
      multiply_add_transposed(1, A.middleRows(first, rows), B.middleRows(first, rows), 0, to, symmetric);
      at += B.cols();
    }
  });
  for (int task = 0; task < count; ++task) {
    Eigen::Index at = task * columns;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (sums_[k].size() == 0) continue;
      const auto block = parts.block(0, at, sums_[k].rows(), sums_[k].cols());
      if (pairs[k].symmetric)
        sums_[k].triangularView<Eigen::Lower>() += block;
      else
        sums_[k] += block;
      at += sums_[k].cols();
    }
  }
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (pairs[k].symmetric) sums_[k].triangularView<Eigen::StrictlyUpper>() = sums_[k].transpose();
  return sums_;
}

}  // namespace rebound::sim
