// Where a sparse matrix has entries: what an ordering and a symbolic factorisation are of.
#pragma once

#include <algorithm>

#include "sim/base/types.hpp"

namespace rebound::sim {

class SparsePattern {
 public:
  explicit SparsePattern(const SparseMatrix& of)
      : rows_(of.rows()),
        begins_(of.outerIndexPtr(), of.outerIndexPtr() + of.outerSize() + 1),
        places_(of.innerIndexPtr(), of.innerIndexPtr() + of.nonZeros()) {}

  bool is_of(const SparseMatrix& A) const {
    return A.rows() == rows_ && A.outerSize() + 1 == static_cast<Eigen::Index>(begins_.size()) &&
           A.nonZeros() == static_cast<Eigen::Index>(places_.size()) &&
           std::equal(begins_.begin(), begins_.end(), A.outerIndexPtr()) &&
           std::equal(places_.begin(), places_.end(), A.innerIndexPtr());
  }

 private:
  Eigen::Index rows_;
  std::vector<int> begins_, places_;  ///< of its columns, and of their entries
};

}  // namespace rebound::sim
