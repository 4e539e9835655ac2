// Hard constraints: equations c(x) = 0 that hold at the end of every step, by forces of their own.
//
// Source: [Course, "Constraints"]. The limit of a spring as its stiffness grows without bound: in place of a force law
// there is an equation, and in place of a stiffness an unknown, the multiplier lambda.
//   c_i(x) = 0,   f_i = -lambda_i dc_i(x)
//
// c is in metres and dc has length 1 or near it, so lambda is in newtons. Its sign is that of an energy lambda c: a rod
// that pulls its ends together has lambda > 0. (The slides write f = +lambda dc.)
//
// A scheme that takes forces in the middle of the way takes dc as a discrete gradient, dc . way = c(x) - c(x_n)
// [Gonzalez99]: between two points where c = 0 the force then does no work at all, and the energy is kept exactly.
// Where c is quadratic in x that is dc in the middle.
#pragma once

#include <memory>
#include <string_view>

#include "sim/base/types.hpp"

namespace rebound::sim {

/// Of one equation, at most: a bead has one vertex, a rod two.
inline constexpr int kMostConstraintVertices = 2;
inline constexpr int kMostConstraintEquations = 2;

/// One equation at a place.
struct ConstraintRow {
  double c = 0;                                          ///< m; 0: it holds
  std::array<Vec3, kMostConstraintVertices> gradient{};  ///< dc, by the constraint's vertices
};

class Constraint {
 public:
  virtual ~Constraint() = default;

  /// What it is, one word for a user.
  virtual std::string_view kind() const = 0;
  /// One or two.
  virtual std::span<const int> vertices() const = 0;
  virtual int equations() const = 0;
  /// rows: one an equation.
  virtual void evaluate(const Points& x, std::span<ConstraintRow> rows) const = 0;
  /// sum_i lambda_i d2c_i, the block of its a-th vertex with its b-th; lambda: one an equation.
  virtual Eigen::Matrix3d curvature(const Points& x, std::span<const double> lambda, int a, int b) const = 0;
  /// The same two of the discrete gradient along a way from middle - way/2 to middle + way/2; c is that of the middle,
  /// and the second one the derivative by where the way ends, twice. As they stand: of c that is quadratic.
  virtual void evaluate_along(const Points& middle, const Points& /*way*/, std::span<ConstraintRow> rows) const {
    evaluate(middle, rows);
  }
  virtual Eigen::Matrix3d curvature_along(const Points& middle, const Points& /*way*/, std::span<const double> lambda,
                                          int a, int b) const {
    return curvature(middle, lambda, a, b);
  }
  /// m: how large c is where it is badly violated.
  virtual double size() const = 0;
  /// Where it keeps a point, for pictures, with some more on both sides of where that is at x; empty of what links two
  /// vertices.
  virtual std::vector<Vec3> path(const Points& /*x*/) const { return {}; }
};

using Constraints = std::vector<std::shared_ptr<const Constraint>>;

}  // namespace rebound::sim
