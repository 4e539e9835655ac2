// The amplification matrix of a one-step method on the linear oscillator, from what the method did.
#pragma once

#include <Eigen/Dense>
#include <utility>
#include <vector>

namespace rebound::test {

/// (x, h v) of one vertex, a step after another.
using Path = std::vector<std::pair<double, double>>;

/// Trace and determinant of the matrix that takes a state to the next: from the first three.
inline std::pair<double, double> trace_and_determinant(const Path& path) {
  Eigen::Matrix2d from, to;
  from << path[0].first, path[1].first, path[0].second, path[1].second;
  to << path[1].first, path[2].first, path[1].second, path[2].second;
  const Eigen::Matrix2d R = to * from.inverse();
  return {R.trace(), R.determinant()};
}

}  // namespace rebound::test
