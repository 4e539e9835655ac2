#include "sim/linear/cholmod_support.hpp"

#include <cmath>
#include <new>

extern "C" {
// CHOLMOD's dense kernels on two threads would fight ours and make the bytes of a factor depend on the number of
// threads. OpenBLAS has the first, other BLAS libraries do not; the second is there where CHOLMOD was built with
// OpenMP, of which it asks four threads whatever the number of processors.
__attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((weak)) void omp_set_max_active_levels(int);
}

namespace rebound::sim {

CholmodWorkspace::CholmodWorkspace() {
  if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
  if (omp_set_max_active_levels != nullptr) omp_set_max_active_levels(0);  // of this thread
  cholmod_start(&common);
  common.print = 0;
  common.nmethods = 1;
  common.method[0].ordering = CHOLMOD_NESDIS;  // the sparsest factor on every body we measured
  common.postorder = 1;
}

CholmodWorkspace::~CholmodWorkspace() { cholmod_finish(&common); }

// An ordering for which there is not enough memory is passed over in silence for another one, and everything would
// round otherwise from then on. So it is asked twice: memory that is short for a moment leaves no trace.
cholmod_factor* analyze(const SparseMatrix& pattern, int* order, CholmodWorkspace& workspace) {
  cholmod_common& common = workspace.common;
  auto A = cholmod_view(pattern);
  cholmod_factor* factor = cholmod_analyze_p(&A, order, nullptr, 0, &common);
  if (factor == nullptr) throw std::bad_alloc();
  if (factor->ordering == common.method[0].ordering) return factor;
  cholmod_free_factor(&factor, &common);
  factor = cholmod_analyze_p(&A, order, nullptr, 0, &common);
  if (factor == nullptr) throw std::bad_alloc();
  return factor;
}

void check_memory(const cholmod_common& common) {
  if (common.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
}

cholmod_sparse cholmod_view(const SparseMatrix& A) {
  cholmod_sparse view{};
  view.nrow = view.ncol = static_cast<std::size_t>(A.rows());
  view.nzmax = static_cast<std::size_t>(A.nonZeros());
  view.p = const_cast<int*>(A.outerIndexPtr());
  view.i = const_cast<int*>(A.innerIndexPtr());
  view.x = const_cast<double*>(A.valuePtr());
  view.stype = -1;
  view.itype = CHOLMOD_INT;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = 1;
  view.packed = 1;
  return view;
}

bool all_finite(const SparseMatrix& A) {
  for (Eigen::Index i = 0; i < A.nonZeros(); ++i)
    if (!std::isfinite(A.valuePtr()[i])) return false;
  return true;
}

}  // namespace rebound::sim
