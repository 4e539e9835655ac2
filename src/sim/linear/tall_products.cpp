#include "sim/linear/tall_products.hpp"

#include "sim/linear/cholmod_support.hpp"

extern "C" void dgemm_(const char* transpose_A, const char* transpose_B, const int* rows, const int* columns,
                       const int* inner, const double* alpha, const double* A, const int* stride_A, const double* B,
                       const int* stride_B, const double* beta, double* C, const int* stride_C);

namespace rebound::sim {
namespace {

using Tall = Eigen::Ref<const Eigen::MatrixXd>;

// C := beta C + alpha A B, or with A^T.
void multiply_add(bool transposed, double alpha, const Tall& A, const Tall& B, double beta, Eigen::MatrixXd& C) {
  if (C.size() == 0) return;
  if (B.rows() == 0) {
    C *= beta;
    return;
  }
  const auto stride = [](const auto& matrix) { return static_cast<int>(std::max<Eigen::Index>(matrix.outerStride(), 1)); };
  const int rows = static_cast<int>(C.rows()), columns = static_cast<int>(C.cols()), inner = static_cast<int>(B.rows());
  const int stride_A = stride(A), stride_B = stride(B), stride_C = stride(C);
  const BlasRoom room;
  dgemm_(transposed ? "T" : "N", "N", &rows, &columns, &inner, &alpha, A.data(), &stride_A, B.data(), &stride_B, &beta,
         C.data(), &stride_C);
}

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

}  // namespace rebound::sim
