#include "sim/linear/hessian.hpp"

#include <algorithm>
#include <cassert>

namespace rebound::sim {

HessianBlocks::HessianBlocks(const SparseMatrix& pattern)
    : begin_(pattern.outerIndexPtr(), pattern.outerIndexPtr() + pattern.cols() + 1),
      rows_(pattern.innerIndexPtr(), pattern.innerIndexPtr() + pattern.nonZeros()),
      matrix_(3 * pattern.rows(), 3 * pattern.cols()) {
  Triplets entries;
  entries.reserve(9 * rows_.size());
  for (int j = 0; j < pattern.cols(); ++j)
    for (int k = begin_[j]; k < begin_[j + 1]; ++k)
      for (int c = 0; c < 3; ++c)
        for (int r = rows_[k] == j ? c : 0; r < 3; ++r) entries.emplace_back(3 * rows_[k] + r, 3 * j + c, 0.0);
  matrix_.setFromTriplets(entries.begin(), entries.end());
}

bool HessianBlocks::has(int i, int j) const {
  const auto first = rows_.begin() + begin_[std::min(i, j)], last = rows_.begin() + begin_[std::min(i, j) + 1];
  return std::binary_search(first, last, std::max(i, j));
}

void HessianBlocks::set_zero() { std::fill_n(matrix_.valuePtr(), matrix_.nonZeros(), 0.0); }

void HessianBlocks::scale_and_add(double factor, const Vector& M, const std::vector<std::uint8_t>& fixed) {
  for (int column = 0; column < matrix_.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(matrix_, column); it; ++it) {
      const auto i = static_cast<std::size_t>(it.row() / 3), j = static_cast<std::size_t>(column / 3);
      const double mass = it.row() == column ? M[column / 3] : 0;
      it.valueRef() = fixed[i] || fixed[j] ? mass : mass + factor * it.value();
    }
}

// Column 3 j + c holds the 3 - c lower rows of its diagonal block, then three rows of every block below.
void HessianBlocks::add(int i, int j, const Eigen::Matrix3d& block) {
  if (i < j) return;
  const auto first = rows_.begin() + begin_[j], last = rows_.begin() + begin_[j + 1];
  const auto place = std::lower_bound(first, last, i);
  assert(place != last && *place == i);
  const auto k = static_cast<int>(place - first);
  for (int c = 0; c < 3; ++c) {
    double* column = matrix_.valuePtr() + matrix_.outerIndexPtr()[3 * j + c];
    if (k == 0) {
      for (int r = c; r < 3; ++r) column[r - c] += block(r, c);
    } else {
      for (int r = 0; r < 3; ++r) column[3 - c + 3 * (k - 1) + r] += block(r, c);
    }
  }
}

}  // namespace rebound::sim
