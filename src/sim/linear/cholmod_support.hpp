// What every file that calls CHOLMOD needs: its workspace as an object, and Eigen's matrices seen as its own.
#pragma once

#include <cholmod.h>

#include <mutex>

#include "sim/base/types.hpp"

namespace rebound::sim {

/// CHOLMOD's workspace, silent and on one thread, if it is used by the one that made it. CHOLMOD writes to it in every
/// call, so two threads need two; a symbolic factor is only read by cholmod_copy_factor and may come from another one.
struct CholmodWorkspace {
  CholmodWorkspace();
  ~CholmodWorkspace();
  CholmodWorkspace(const CholmodWorkspace&) = delete;
  CholmodWorkspace& operator=(const CholmodWorkspace&) = delete;

  cholmod_common common{};
};

/// cholmod_analyze() in the order that the workspace asks for; order: for CHOLMOD_GIVEN, else null. Throws
/// std::bad_alloc.
cholmod_factor* analyze(const SparseMatrix& pattern, int* order, CholmodWorkspace& workspace);

/// Throws std::bad_alloc if memory ran out in the last call, OutOfMemory if the factor has more entries than
/// CHOLMOD can count.
void check_memory(const cholmod_common& common);

/// Lives as long as the BLAS is called, by so many threads at once: by cholmod_factorize(), say. Throws OutOfMemory
/// where OpenBLAS would wait for memory for ever, even with one thread.
class BlasRoom {
 public:
  explicit BlasRoom(int threads = 1);
  ~BlasRoom();
  /// How many may call it at once: as many as were wanted or, where there is no room for them all, one.
  int threads() const { return threads_; }
  BlasRoom(const BlasRoom&) = delete;
  BlasRoom& operator=(const BlasRoom&) = delete;

 private:
  /// False if there is none.
  bool make_room() const;

  static std::mutex mutex_;
  static int users_, buffers_;
  int threads_;
  int counted_ = 0;
};

/// The lower triangle A without a copy; A must outlive it.
cholmod_sparse cholmod_view(const SparseMatrix& A);

bool all_finite(const SparseMatrix& A);

}  // namespace rebound::sim
