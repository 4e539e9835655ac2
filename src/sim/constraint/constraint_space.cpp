#include "sim/constraint/constraint_space.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::sim {
namespace {

// What is left of a row beside those before it, squared, as a share of the row.
constexpr double kRepeated = 1e-11;
constexpr int kMostRestorations = 30;
constexpr double kRoundings = 1e-15;

}  // namespace

double constraint_rounding(const Points& x) { return kRoundings * (1 + largest_coordinate(x)); }

ConstraintRows::ConstraintRows(const Constraints& constraints, const std::vector<std::uint8_t>& fixed)
    : constraints_(constraints), fixed_(fixed) {
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    const auto vertices = constraints[i]->vertices();
    const bool held =
        std::all_of(vertices.begin(), vertices.end(), [&](int v) { return fixed[static_cast<std::size_t>(v)] != 0; });
    if (held) continue;
    parts_.push_back({static_cast<int>(i), equations_});
    equations_ += constraints[i]->equations();
  }
  rows_.resize(static_cast<std::size_t>(equations_));
  c_.setZero(equations_);
}

int ConstraintRows::constraint_of(int equation) const {
  const auto after =
      std::upper_bound(parts_.begin(), parts_.end(), equation, [](int e, const Part& part) { return e < part.first; });
  return std::prev(after)->constraint;
}

int ConstraintRows::worst() const {
  Eigen::Index equation = 0;
  c_.cwiseAbs().maxCoeff(&equation);
  return constraint_of(static_cast<int>(equation));
}

void ConstraintRows::evaluate(const Points& x) {
  for (const Part& part : parts_) of(part).evaluate(x, rows_of(part));
  for (int e = 0; e < equations_; ++e) c_[e] = rows_[static_cast<std::size_t>(e)].c;
}

void ConstraintRows::evaluate_along(const Points& middle, const Points& way) {
  for (const Part& part : parts_) of(part).evaluate_along(middle, way, rows_of(part));
}

// visit(equation, vertex, gradient) for all vertices that move.
template <class Visit>
void ConstraintRows::each(const Visit& visit) const {
  for (const Part& part : parts_) {
    const Constraint& constraint = of(part);
    const auto vertices = constraint.vertices();
    for (int e = part.first; e < part.first + constraint.equations(); ++e)
      for (std::size_t place = 0; place < vertices.size(); ++place)
        if (!fixed_[static_cast<std::size_t>(vertices[place])])
          visit(e, vertices[place], rows_[static_cast<std::size_t>(e)].gradient[place]);
  }
}

SparseMatrix ConstraintRows::jacobian(Eigen::Index vertices) const {
  Triplets entries;
  each([&](int e, int v, const Vec3& gradient) {
    for (int k = 0; k < 3; ++k) entries.emplace_back(e, 3 * v + k, gradient[k]);
  });
  SparseMatrix J(equations_, 3 * vertices);
  J.setFromTriplets(entries.begin(), entries.end());
  return J;
}

void ConstraintRows::add_forces(const Vector& lambda, double factor, Points& out) const {
  each([&](int e, int v, const Vec3& gradient) { out.row(v) += factor * lambda[e] * gradient.transpose(); });
}

Vector ConstraintRows::along(const Points& d) const {
  Vector Jd = Vector::Zero(equations_);
  each([&](int e, int v, const Vec3& gradient) { Jd[e] += d.row(v) * gradient; });
  return Jd;
}

ConstraintSpace::ConstraintSpace(const Constraints& constraints, const Vector& M,
                                 const std::vector<std::uint8_t>& fixed)
    : M_(M), rows_(constraints, fixed) {}

std::optional<int> ConstraintSpace::look(const Points& x) {
  rows_.evaluate(x);
  if (!any()) return std::nullopt;
  J_ = rows_.jacobian(x.rows());
  SparseMatrix JW = J_;
  for (int column = 0; column < JW.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(JW, column); it; ++it) it.valueRef() /= M_[column / 3];
  G_ = JW * SparseMatrix(J_.transpose());
  const Vector diagonal = G_.diagonal();
  for (int e = 0; e < rows_.equations(); ++e)
    if (!std::isfinite(diagonal[e]) || !(diagonal[e] > 0) || !std::isfinite(rows_.c()[e]))
      return rows_.constraint_of(e);
  // The order is that of the equations, so that the one that comes too late is told.
  factor_.compute(G_);
  const Vector pivots = factor_.vectorD();
  for (int e = 0; e < rows_.equations(); ++e)
    if (!(pivots[e] > kRepeated * diagonal[e])) return rows_.constraint_of(e);
  return std::nullopt;
}

void ConstraintSpace::make_tangential(Points& v) {
  if (!any()) return;
  const Vector push = factor_.solve(rows_.along(v));
  Points impulses = Points::Zero(v.rows(), 3);
  rows_.add_forces(push, 1, impulses);
  for (Eigen::Index i = 0; i < v.rows(); ++i) v.row(i) -= impulses.row(i) / M_[i];
}

bool ConstraintSpace::restore(Points& x) {
  double before = INFINITY;
  for (int round = 0; round < kMostRestorations; ++round) {
    if (look(x)) return false;
    const double now = error();
    // As near as rounding lets it come.
    if (now <= constraint_rounding(x) || (now < 1e-12 * (1 + largest_coordinate(x)) && now >= before)) return true;
    before = now;
    const Vector push = factor_.solve(rows_.c());
    Points way = Points::Zero(x.rows(), 3);
    rows_.add_forces(push, 1, way);
    for (Eigen::Index i = 0; i < x.rows(); ++i) x.row(i) -= way.row(i) / M_[i];
  }
  return false;
}

}  // namespace rebound::sim
