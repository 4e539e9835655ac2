// What all constraints of a world ask for at a place, and the ways that they leave open.
//
// J = dc, one row an equation; those of vertices that are all fixed are left out. With G = J M^-1 J^T,
//   v := v - M^-1 J^T G^-1 J v      is the nearest velocity, in the metric of the masses, that breaks none, and
//   x := x - M^-1 J^T G^-1 c(x)     again and again, the nearest place where all hold.
// The pivots of G = L D L^T are how much of a row is not said by those before it: that is how repeated ones are found.
#pragma once

#include <Eigen/SparseCholesky>
#include <optional>

#include "sim/constraint/constraint.hpp"

namespace rebound::sim {

/// All equations of a model's constraints that have a vertex to move, at one place.
class ConstraintRows {
 public:
  /// Both must outlive it. Looks at them now and never again.
  ConstraintRows(const Constraints& constraints, const std::vector<std::uint8_t>& fixed);

  struct Part {
    int constraint;  ///< which
    int first;       ///< its first equation
  };
  std::span<const Part> parts() const { return parts_; }
  int equations() const { return equations_; }
  const Constraint& of(const Part& part) const { return *constraints_[static_cast<std::size_t>(part.constraint)]; }
  /// Which constraint has this equation.
  int constraint_of(int equation) const;

  void evaluate(const Points& x);
  /// The discrete gradients along a way about `middle` are J from here on; c stays as it was.
  void evaluate_along(const Points& middle, const Points& way);
  /// c, by equations, m. Of the last place.
  const Vector& c() const { return c_; }
  double largest() const { return c_.size() == 0 ? 0 : c_.cwiseAbs().maxCoeff(); }
  /// The constraint that it is of.
  int worst() const;
  /// J of the last place, columns 3 v + coordinate; those of fixed vertices are zero.
  SparseMatrix jacobian(Eigen::Index vertices) const;
  /// out += factor J^T lambda.
  void add_forces(const Vector& lambda, double factor, Points& out) const;
  /// J d.
  Vector along(const Points& d) const;

 private:
  std::span<ConstraintRow> rows_of(const Part& part) {
    return std::span(rows_).subspan(static_cast<std::size_t>(part.first),
                                    static_cast<std::size_t>(of(part).equations()));
  }
  template <class Visit>
  void each(const Visit& visit) const;

  const Constraints& constraints_;
  const std::vector<std::uint8_t>& fixed_;
  std::vector<Part> parts_;
  std::vector<ConstraintRow> rows_;
  int equations_ = 0;
  Vector c_;
};

class ConstraintSpace {
 public:
  /// All must outlive it.
  ConstraintSpace(const Constraints& constraints, const Vector& M, const std::vector<std::uint8_t>& fixed);

  bool any() const { return rows_.equations() > 0; }
  /// Goes to x. Returns a constraint that repeats what others ask for there, or is not finite; then nothing else here
  /// is of use.
  std::optional<int> look(const Points& x);
  /// The largest |c| of that place, m.
  double error() const { return rows_.largest(); }
  /// The constraint that has it.
  int worst() const { return rows_.worst(); }
  /// v := the nearest velocity that breaks no constraint where look() was.
  void make_tangential(Points& v);
  /// x := the nearest place where all hold, and looks there. False if there is none near by.
  bool restore(Points& x);

 private:
  const Vector& M_;
  ConstraintRows rows_;
  SparseMatrix J_, G_;
  Eigen::SimplicialLDLT<SparseMatrix, Eigen::Lower, Eigen::NaturalOrdering<int>> factor_;
};

/// c of coordinates of this size is 0 to rounding, m.
double constraint_rounding(const Points& x);

}  // namespace rebound::sim
