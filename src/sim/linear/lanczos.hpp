// Functions of a large symmetric matrix times a vector, by Lanczos: A Q = Q T + ..., g(A) b = |b| Q g(T) e_1, with T
// tridiagonal. No vector is made orthogonal again: what functions lose by it is rounding [Druskin91].
//
// Two vectors are taken as the real and the imaginary part of one, which has one T, and A is read once for both.
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <memory>
#include <utility>

#include "sim/base/workers.hpp"
#include "sim/linear/lanczos_kernel.hpp"
#include "sim/linear/tridiagonal_functions.hpp"

namespace rebound::sim {

/// A symmetric matrix and two vectors, kPairStride numbers a vertex. Both are called by several threads at once and
/// throw nothing.
struct PairMatrix {
  /// The rows of the vertices [first, end) of to := A from, and what they have of from^T to and from^T from.
  std::function<PairProducts(int first, int end, const double* from, double* to)> multiply;
  /// What those rows read of `from`: from the first of the pair on, before the second; they themselves are among it.
  std::function<std::pair<int, int>(int first, int end)> reach;
  /// What the rows before this one cost beside all others, in units of its own.
  std::function<double(int row)> work_before;
};

struct LanczosResult {
  std::array<Eigen::MatrixXd, 2> y;  ///< of each vector a column g(A) b for each function
  int products = 0;                  ///< of A with a vector
  int needed = 0;                    ///< directions for the tolerance, fewer than were made; 0: they were not enough
  bool converged = false;
};

struct LanczosLimits {
  double tolerance;         ///< on what the last direction adds, as a share of the result
  int directions;           ///< at most
  double kept_bytes = 2e9;  ///< of directions; those that come after are made a second time
  int likely = 0;           ///< as many as a matrix and vectors much like these needed; 0: unknown
};

/// Keeps its memory from one call to the next.
class Lanczos {
 public:
  Lanczos();
  ~Lanczos();
  Lanczos(const Lanczos&) = delete;
  Lanczos& operator=(const Lanczos&) = delete;

  /// b: two vectors, three numbers a vertex; one may be zero. functions: TridiagonalFunctions::kMost at most.
  /// The same bytes on any number of threads. Throws OutOfMemory where the directions have no room.
  void run(const PairMatrix& A, const std::array<std::reference_wrapper<const Eigen::VectorXd>, 2>& b,
           const ScalarFunctions& functions, const LanczosLimits& limits, LanczosResult& result, Workers& workers);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace rebound::sim
