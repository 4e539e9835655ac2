#include "sim/linear/tall_products.hpp"

#include <algorithm>

#include "sim/linear/cholmod_support.hpp"

extern "C" void dgemm_(const char* transpose_A, const char* transpose_B, const int* rows, const int* columns,
                       const int* inner, const double* alpha, const double* A, const int* stride_A, const double* B,
                       const int* stride_B, const double* beta, double* C, const int* stride_C);

extern "C" void dsyrk_(const char* triangle, const char* transpose, const int* columns, const int* inner,
                       const double* alpha, const double* A, const int* stride_A, const double* beta, double* C,
                       const int* stride_C);

namespace rebound::sim {
namespace {

// As many as stay in a core's own cache with some fifty columns of two matrices.
constexpr Eigen::Index kRowsATask = 768;

template <class Matrix>
int stride(const Matrix& matrix) {
  return static_cast<int>(std::max<Eigen::Index>(matrix.outerStride(), 1));
}

// C := beta C + alpha A B, or with A^T.
void multiply_add(bool transposed, double alpha, const Tall& A, const Tall& B, double beta,
                  Eigen::Ref<Eigen::MatrixXd> C) {
  if (C.size() == 0) return;
  if (B.rows() == 0) {
    C *= beta;
    return;
  }
  const int rows = static_cast<int>(C.rows()), columns = static_cast<int>(C.cols()), inner = static_cast<int>(B.rows());
  const int stride_A = stride(A), stride_B = stride(B), stride_C = stride(C);
  const BlasRoom room;
  dgemm_(transposed ? "T" : "N", "N", &rows, &columns, &inner, &alpha, A.data(), &stride_A, B.data(), &stride_B, &beta,
         C.data(), &stride_C);
}

// The lower triangle of C := A^T A.
void square(const Tall& A, Eigen::Ref<Eigen::MatrixXd> C) {
  if (C.size() == 0) return;
  const double one = 1, none = 0;
  const int columns = static_cast<int>(A.cols()), inner = static_cast<int>(A.rows());
  const int stride_A = stride(A), stride_C = stride(C);
  const BlasRoom room;
  dsyrk_("L", "T", &columns, &inner, &one, A.data(), &stride_A, &none, C.data(), &stride_C);
}

bool is_square(const TallFactor& pair) { return pair.A.data() == pair.B.data() && pair.A.cols() == pair.B.cols(); }

int tasks(Eigen::Index rows) { return static_cast<int>((rows + kRowsATask - 1) / kRowsATask); }

}  // namespace

Eigen::MatrixXd product(const Tall& A, const Tall& B) {
  Eigen::MatrixXd C(A.rows(), B.cols());
  if (B.rows() == 0) C.setZero();
  multiply_add(false, 1, A, B, 0, C);
  return C;
}

Eigen::MatrixXd transposed_product(const Tall& A, const Tall& B) {
  Eigen::MatrixXd C(A.cols(), B.cols());
  multiply_add(true, 1, A, B, 0, C);
  return C;
}

void subtract_product(const Tall& A, const Tall& B, Eigen::MatrixXd& C) { multiply_add(false, -1, A, B, 1, C); }

void set_products(Eigen::MatrixXd& C, double beta, std::span<const TallFactor> terms, Workers& workers) {
  if (C.cols() == 0) return;
  workers.run(tasks(C.rows()), [&](int task) {
    const Eigen::Index first = task * kRowsATask, rows = std::min(kRowsATask, C.rows() - first);
    auto to = C.middleRows(first, rows);
    if (beta == 0) to.setZero();
    double factor = beta;
    for (const TallFactor& term : terms) {
      if (term.A.cols() == 0) continue;
      multiply_add(false, 1, term.A.middleRows(first, rows), term.B, factor, to);
      factor = 1;
    }
    if (factor != 0 && factor != 1) to *= factor;
  });
}

std::vector<Eigen::MatrixXd> transposed_products(std::span<const TallFactor> pairs, Workers& workers) {
  std::vector<Eigen::MatrixXd> sums;
  Eigen::Index columns = 0, height = 0;
  for (const TallFactor& pair : pairs) {
    sums.push_back(Eigen::MatrixXd::Zero(pair.A.cols(), pair.B.cols()));
    columns += pair.B.cols();
    height = std::max(height, pair.A.cols());
  }
  if (pairs.empty()) return sums;
  const int count = tasks(pairs.front().A.rows());
  std::vector<Eigen::MatrixXd> parts(static_cast<std::size_t>(count));
  workers.run(count, [&](int task) {
    const Eigen::Index first = task * kRowsATask, rows = std::min(kRowsATask, pairs.front().A.rows() - first);
    Eigen::MatrixXd& part = parts[static_cast<std::size_t>(task)];
    part.resize(height, columns);
    Eigen::Index at = 0;
    for (const TallFactor& pair : pairs) {
      const auto& [A, B] = pair;
      if (A.cols() == 0 || B.cols() == 0) continue;
      auto to = part.block(0, at, A.cols(), B.cols());
      if (is_square(pair))
        square(A.middleRows(first, rows), to);
      else
        multiply_add(true, 1, A.middleRows(first, rows), B.middleRows(first, rows), 0, to);
      at += B.cols();
    }
  });
  for (const Eigen::MatrixXd& part : parts) {
    Eigen::Index at = 0;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (sums[k].size() == 0) continue;
      const auto block = part.block(0, at, sums[k].rows(), sums[k].cols());
      if (is_square(pairs[k]))
        sums[k].triangularView<Eigen::Lower>() += block;
      else
        sums[k] += block;
      at += sums[k].cols();
    }
  }
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (is_square(pairs[k])) sums[k].triangularView<Eigen::StrictlyUpper>() = sums[k].transpose();
  return sums;
}

}  // namespace rebound::sim
