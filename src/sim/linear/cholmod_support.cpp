#include "sim/linear/cholmod_support.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cmath>
#include <new>
#include <string>
#include <vector>

#include "sim/base/memory.hpp"

extern "C" {
// CHOLMOD's dense kernels on two threads would fight ours and make the bytes of a factor depend on the number of
// threads. OpenBLAS has the first, other BLAS libraries do not; the second is there where CHOLMOD was built with
// OpenMP, of which it asks four threads whatever the number of processors.
__attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((weak)) void omp_set_max_active_levels(int);
// OpenBLAS's own.
__attribute__((weak)) void* blas_memory_alloc(int);
__attribute__((weak)) void blas_memory_free(void*);
}

namespace rebound::sim {
namespace {

[[noreturn]] void fail_for_memory(const cholmod_common& common, Eigen::Index rows) {
  if (common.status != CHOLMOD_OUT_OF_MEMORY) check_memory(common);
  throw OutOfMemory("out of memory in the analysis of a system matrix with " + std::to_string(rows) +
                    " rows; close other programs, or take a coarser body");
}

}  // namespace

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
  if (factor == nullptr) fail_for_memory(common, pattern.rows());
  if (factor->ordering == common.method[0].ordering) return factor;
  cholmod_free_factor(&factor, &common);
  factor = cholmod_analyze_p(&A, order, nullptr, 0, &common);
  if (factor == nullptr) fail_for_memory(common, pattern.rows());
  return factor;
}

void check_memory(const cholmod_common& common) {
  if (common.status == CHOLMOD_OUT_OF_MEMORY) throw std::bad_alloc();
  if (common.status == CHOLMOD_TOO_LARGE)
    throw OutOfMemory(
        "the factor of the system matrix has more than 2^31 entries, the most there may be; take a coarser "
        "body");
}

// OpenBLAS keeps a buffer of 128 MiB for each thread that is inside of it, and where there is no room for another one
// it asks again and again, for ever. So it is made to have them now, after a look whether they fit.
BlasRoom::BlasRoom(int threads) : threads_(threads) {
#if defined(__linux__)
  if (blas_memory_alloc == nullptr || blas_memory_free == nullptr) return;
  const std::lock_guard lock(mutex_);
  if (threads_ > 1 && !make_room()) threads_ = 1;
  if (!make_room())
    throw OutOfMemory(
        "to factor a matrix, OpenBLAS needs 135 MB of address space, and there is less; close other "
        "programs, or raise the limit (ulimit -v)");
  users_ += threads_;
  counted_ = threads_;
#endif
}

#if defined(__linux__)
bool BlasRoom::make_room() const {
  constexpr std::size_t kBuffer = std::size_t{129} << 20;
  const int wanted = users_ + threads_;
  if (wanted <= buffers_) return true;
  const std::size_t missing = kBuffer * static_cast<std::size_t>(wanted - buffers_);
  void* room = mmap(nullptr, missing, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, missing);
  std::vector<void*> held(static_cast<std::size_t>(wanted));
  for (void*& buffer : held) buffer = blas_memory_alloc(0);
  for (void* buffer : held) blas_memory_free(buffer);
  buffers_ = wanted;
  return true;
}
#endif

BlasRoom::~BlasRoom() {
  const std::lock_guard lock(mutex_);
  users_ -= counted_;
}

std::mutex BlasRoom::mutex_;
int BlasRoom::users_ = 0, BlasRoom::buffers_ = 0;

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
