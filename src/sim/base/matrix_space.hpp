// Memory for matrices whose size changes from call to call: it is asked for only where one is larger than all before.
#pragma once

#include <Eigen/Core>

namespace rebound::sim {

class MatrixSpace {
 public:
  /// What it holds is of no use before it is written. The matrix stands until the next call.
  Eigen::Map<Eigen::MatrixXd> of(Eigen::Index rows, Eigen::Index columns) {
    reserve(rows * columns);
    return {memory_.data(), rows, columns};
  }
  /// Room for so many numbers.
  void reserve(Eigen::Index numbers) {
    if (memory_.size() < numbers) memory_.resize(numbers);
  }

 private:
  Eigen::VectorXd memory_;
};

}  // namespace rebound::sim
