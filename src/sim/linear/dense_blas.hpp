// Of the BLAS that CHOLMOD uses, on columns that lie one after the other. Whoever calls it holds a BlasRoom.
#pragma once

#include <type_traits>

extern "C" {
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, const double*,
            double*, const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, double*, const int*);
void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*, const float*, const int*,
            const float*, const int*, const float*, float*, const int*);
void ssyrk_(const char*, const char*, const int*, const int*, const float*, const float*, const int*, const float*,
            float*, const int*);
void strsm_(const char*, const char*, const char*, const char*, const int*, const int*, const float*, const float*,
            const int*, float*, const int*);
}

namespace rebound::sim {

template <class Number>
struct Blas;
template <>
struct Blas<double> {
  static constexpr auto gemm = dgemm_;
  static constexpr auto syrk = dsyrk_;
  static constexpr auto trsm = dtrsm_;
};
template <>
struct Blas<float> {
  static constexpr auto gemm = sgemm_;
  static constexpr auto syrk = ssyrk_;
  static constexpr auto trsm = strsm_;
};

enum class Transposed { no, yes };

/// C := beta C + alpha A B^T; C is m x n, A m x k.
template <class Number>
void multiply(int m, int n, int k, std::type_identity_t<Number> alpha, const Number* A, int lda, const Number* B,
              int ldb, std::type_identity_t<Number> beta, Number* C, int ldc) {
  if (m > 0 && n > 0) Blas<Number>::gemm("N", "T", &m, &n, &k, &alpha, A, &lda, B, &ldb, &beta, C, &ldc);
}

/// The lower half of C := beta C + alpha A A^T, or A^T A; C is n x n, A n x k or k x n.
template <class Number>
void square(Transposed of, int n, int k, std::type_identity_t<Number> alpha, const Number* A, int lda,
            std::type_identity_t<Number> beta, Number* C, int ldc) {
  if (n > 0) Blas<Number>::syrk("L", of == Transposed::no ? "N" : "T", &n, &k, &alpha, A, &lda, &beta, C, &ldc);
}

/// B := alpha L^-1 B, or L^-T B; B is m x n.
template <class Number>
void divide_left(Transposed by, int m, int n, std::type_identity_t<Number> alpha, const Number* L, int ldl, Number* B,
                 int ldb) {
  if (m > 0 && n > 0)
    Blas<Number>::trsm("L", "L", by == Transposed::no ? "N" : "T", "N", &m, &n, &alpha, L, &ldl, B, &ldb);
}

/// B := alpha B L^-1, or B L^-T; B is m x n.
template <class Number>
void divide_right(Transposed by, int m, int n, std::type_identity_t<Number> alpha, const Number* L, int ldl, Number* B,
                  int ldb) {
  if (m > 0 && n > 0)
    Blas<Number>::trsm("R", "L", by == Transposed::no ? "N" : "T", "N", &m, &n, &alpha, L, &ldl, B, &ldb);
}

}  // namespace rebound::sim
