// The containers that the physics is written in. Units are SI throughout.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace rebound::sim {

using Vec3 = Eigen::Vector3d;
/// n x 3, one vertex a row: positions (m), velocities (m/s), gradients (N).
using Points = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// The largest absolute coordinate; 0 without points. As one long array, so that the compiler sees vectors.
inline double largest_coordinate(const Points& x) {
  return x.size() == 0 ? 0.0 : Eigen::Map<const Vector>(x.data(), x.size()).cwiseAbs().maxCoeff();
}

}  // namespace rebound::sim
