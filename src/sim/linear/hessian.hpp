// The Hessian of E as 3 x 3 blocks in a sparse matrix of a given pattern: that of L, each entry a block, and where
// contacts are between elements, what they link besides.
#pragma once

#include <Eigen/Dense>

#include "sim/base/types.hpp"

namespace rebound::sim {

class HessianBlocks {
 public:
  /// pattern: n x n, lower triangle with the whole diagonal, such as Model::laplacian().
  explicit HessianBlocks(const SparseMatrix& pattern);

  /// Whether there is a place for d2E/dx_i dx_j.
  bool has(int i, int j) const;
  void set_zero();
  /// Becomes factor times itself plus the masses M, kg a vertex; vertices that are fixed keep their mass alone.
  void scale_and_add(double factor, const Vector& M, const std::vector<std::uint8_t>& fixed);
  /// Adds d2E/dx_i dx_j; only the lower triangle is kept, so i < j is ignored and of a diagonal block the lower half is
  /// taken. The place must be in the pattern.
  void add(int i, int j, const Eigen::Matrix3d& block);

  /// 3n x 3n, lower triangle; coordinate c of vertex i is row 3 i + c.
  SparseMatrix& matrix() { return matrix_; }
  const SparseMatrix& matrix() const { return matrix_; }

 private:
  std::vector<int> begin_, rows_;  ///< the pattern by columns
  SparseMatrix matrix_;
};

}  // namespace rebound::sim
