// Contacts on top of a matrix that can be solved already, by the Woodbury identity. A contact's spring acts along its
// normal alone, so it is one row of the 3n x 3n system:
//   (A + U N W N^T U^T)^-1 b = z - A^-1 U N lambda,   (W^-1 + N^T G N) lambda = N^T U^T z,   z = A^-1 b,  G = U^T A^-1
//   U
// with a column of U the weights of the vertices that carry the point, the same for x, y and z, and N its normal.
// Columns of A^-1 U are needed in full only while G is made, so what is kept is small: a contact that comes costs a
// third of a solve, and an iteration with contacts two solves, however many they are.
//
// The weights of a contact between bodies change as long as the two slide on one another; the vertices that they are of
// stay. So what is kept is a row of its own for each of those vertices, U = V C, and G = C^T V^T A^-1 V C.
//
// An isotropic weight k_c I in the place of k_c n n^T would keep x, y and z apart, and is safe too; but where it is
// stiff, ten iterations leave a point that should slide where it was.
#pragma once

#include <Eigen/Cholesky>
#include <functional>
#include <unordered_map>

#include "sim/model.hpp"

namespace rebound::sim {

class ContactRows {
 public:
  /// B := A^-1 B, n x 3 in the order of the vertices: three columns of U, not three coordinates.
  using Solve = std::function<void(Points& B)>;

  /// A is not what it was.
  void forget();
  /// Brings all in line with the model's contacts. coefficient: what L has in A, s^2.
  void update(const Model& model, double coefficient, const Solve& solve);

  int rank() const { return static_cast<int>(rows_.size()); }
  /// The points, without their fixed vertices, in the order of the contacts.
  const BodyRow& row(int c) const { return rows_[static_cast<std::size_t>(c)]; }
  /// G, rank x rank, 1/kg.
  Eigen::MatrixXd mobility() const;

  /// N lambda, rank x 3, given z: at(v) is its row of vertex v.
  template <class At>
  const Points& weights(const At& at) const {
    lambda_.resize(rank());
    for (int c = 0; c < rank(); ++c) {
      const BodyRow& U = row(c);
      double sum = 0;
      for (int j = 0; j < U.count; ++j)
        sum += U.weights[j] * at(U.vertices[j]).template cast<double>().dot(normals_.row(c));
      lambda_[c] = sum;
    }
    factor_.solveInPlace(lambda_);
    weights_ = lambda_.asDiagonal() * normals_;
    return weights_;
  }
  /// Calls add(vertex, row) with the parts of U weights, weights being rank x 3.
  template <class Add>
  void scatter(const Points& weights, const Add& add) const {
    for (int c = 0; c < rank(); ++c)
      for (int j = 0; j < row(c).count; ++j) add(row(c).vertices[j], row(c).weights[j] * weights.row(c));
  }

 private:
  struct Known {
    BodyRow V;
    std::uint64_t used = 0;
  };
  struct Hash {
    std::size_t operator()(const BodyRow& row) const;
  };
  void find(const std::vector<BodyRow>& wanted, int n, const Solve& solve);
  std::vector<int> unused(std::size_t enough) const;
  void solve_for(const std::vector<int>& fresh, int n, const Solve& solve);
  void factor();

  std::vector<Known> known_;  ///< columns of V in use, and some that were lately
  std::unordered_map<BodyRow, int, Hash> places_;
  Eigen::MatrixXd G_;  ///< V^T A^-1 V of all that are known; may be larger
  std::uint64_t update_ = 0;
  std::vector<BodyRow> rows_;  ///< columns of U
  std::vector<int> slots_;     ///< of the columns of C, one after the other: places among the known
  std::vector<double> parts_;  ///< and how much of those
  std::vector<int> first_;     ///< where a contact's begin; one more than there are contacts
  Vector inverse_weights_;
  Points normals_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  mutable Vector lambda_;
  mutable Points weights_;
};

}  // namespace rebound::sim
