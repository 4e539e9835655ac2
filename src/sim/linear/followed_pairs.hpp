// The lowest eigenpairs of a matrix that has changed a little, from those that it had: a sweep of block Lanczos that
// makes nothing orthogonal and multiplies by S once.
//
//   Z = S X,  T = X^T Z,  R = Z - X T                   what is small enough in R is left as it is: A are the others
//   W = (S + mu)^-1 R_A,  so that  S W = R_A - mu W     mu = 0 where S is positive definite
//   [G C; C^T B] y = theta ..., the same with S:        G = X^T X, C = X^T W, B = W^T W, N = W^T R, all small
//   X' = X y_1 + W y_2
//   turn = |U_2^T y|                                    U_2: an orthonormal basis of what W adds to X
//   |S X' - X' theta|^2 = c^T (R^T R - N_Q^T N_Q) c     c = y_1 + y_2 in A; N_Q: of W's directions beside X
//
// In exact arithmetic that is the space and the answer of a sweep of lowest_pairs(), whose basis is [X, S^-1 R] as
// well. W is nearly at right angles to X (its part along X is of second order in R), so the Gram matrix loses no
// digits, and what X itself lacks in orthogonality is mended by G in each step.
#pragma once

#include <optional>

#include "sim/linear/lowest_pairs.hpp"

namespace rebound::sim {

/// start: nearly orthonormal columns, more than are wanted. At most effort.sweeps sweeps. Nothing where lowest_pairs()
/// has to look from the beginning: too few columns, or all of them have one eigenvalue.
std::optional<LowestPairs> follow_pairs(InvertedMatrix& S, int wanted, double unit, const PairsEffort& effort,
                                        const Eigen::MatrixXd& start);

}  // namespace rebound::sim
