// The arrays of the single-precision solver as x, y, z and a spare number a slot, and what is summed over them.
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/base/aligned_buffer.hpp"

namespace rebound::sim {

using Quad = float __attribute__((vector_size(16), may_alias));

inline Quad* quads(AlignedBuffer<float>& array) { return reinterpret_cast<Quad*>(array.data()); }

/// How large a correction is.
struct Correction {
  Quad largest{};  ///< of |d|, a coordinate
  Quad squares{};  ///< finite unless something is not

  void include(Quad d) {
    const Quad size = d < 0.0f ? -d : d;
    largest = size > largest ? size : largest;
    squares += d * d;
  }
  float size() const {
    const float sum = squares[0] + squares[1] + squares[2];
    return std::isfinite(sum) ? std::max({largest[0], largest[1], largest[2]}) : INFINITY;
  }
};

/// Sums m |w|^2 of quads to double precision every few hundred.
class Inertia {
 public:
  void include(Quad Mw, Quad w) {
    block_ += Mw * w;
    if (++count_ % 256 == 0) flush();
  }
  double half() {
    flush();
    return 0.5 * sum_;
  }

 private:
  void flush() {
    sum_ += static_cast<double>(block_[0]) + block_[1] + block_[2];
    block_ = Quad{};
  }
  Quad block_{};
  double sum_ = 0;
  int count_ = 0;
};

}  // namespace rebound::sim
