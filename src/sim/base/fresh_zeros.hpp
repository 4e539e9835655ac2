// Zeros in place of what was there.
#pragma once

namespace rebound::sim {

/// m becomes zeros of this size. Eigen frees what a matrix has before it asks for more, and where there is no more
/// still points to it, and frees it again; so it is let go first.
template <class Matrix, class... Size>
void fresh_zeros(Matrix& m, Size... size) {
  if (m.size() != (static_cast<decltype(m.size())>(size) * ...)) m = Matrix();
  m.setZero(size...);
}

}  // namespace rebound::sim
