#include "sim/step/constrained_newton.hpp"

#include <algorithm>
#include <cmath>

#include "sim/step/line_search.hpp"

namespace rebound::sim {
namespace {

// A constraint that is further off than this, m, is not held.
constexpr double kNotHeld = 1e-10;
constexpr int kMostCuts = 30;
constexpr double kLeastFall = 1e-4;
// With nothing else to go by: what is left is rounding.
constexpr double kRoundingOfVelocity = 1e-9;

}  // namespace

void ConstrainedNewton::look(const Objective& g, const Points& x, const Vector& lambda, Place& place) {
  place.value = g.value_from(x, g.gradient(x, place.left));
  const bool at_end = at_ == 1 || x_n_ == nullptr;
  if (!at_end) {
    x_t_.noalias() = at_ * x + (1 - at_) * *x_n_;
    way_.noalias() = x - *x_n_;
    there_->evaluate_along(x_t_, way_);
  }
  here_->evaluate(x);
  (at_end ? *here_ : *there_).add_forces(lambda, scale_, place.left);
  model_.clear_fixed(place.left);
  place.length = length_of(place, g.h());
}

// A velocity that is left undetermined and a way that is left to go in h, both as root of an energy.
double ConstrainedNewton::length_of(const Place& place, double h) const {
  double sum = mass_ * here_->c().squaredNorm();
  for (Eigen::Index i = 0; i < place.left.rows(); ++i) sum += place.left.row(i).squaredNorm() / model_.M[i];
  return std::sqrt(sum) / h;
}

bool ConstrainedNewton::find_direction(const Objective& g, const Points& x, Curvature curvature,
                                       TangentMatrix& hessian) {
  g.hessian(x, curvature, hessian.blocks());
  const bool at_end = at_ == 1 || x_n_ == nullptr;
  const SparseMatrix& H = hessian.blocks().matrix();
  const Eigen::Index n = H.rows(), m = here_->equations();
  Triplets entries;
  entries.reserve(static_cast<std::size_t>(2 * H.nonZeros() + 24 * m));
  for (int column = 0; column < H.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(H, column); it; ++it) {
      entries.emplace_back(it.row(), column, it.value());
      if (it.row() != column) entries.emplace_back(column, it.row(), it.value());
    }
  const ConstraintRows& forces = at_end ? *here_ : *there_;
  // Where there is nothing to go by, a rod that is pressed counts as straight.
  for (const ConstraintRows::Part& part : forces.parts()) {
    const Constraint& constraint = forces.of(part);
    const auto vertices = constraint.vertices();
    const std::span<const double> lambda(lambda_.data() + part.first, static_cast<std::size_t>(constraint.equations()));
    for (std::size_t a = 0; curvature == Curvature::exact && a < vertices.size(); ++a)
      for (std::size_t b = 0; b < vertices.size(); ++b) {
        const auto va = static_cast<std::size_t>(vertices[a]), vb = static_cast<std::size_t>(vertices[b]);
        if (model_.fixed[va] || model_.fixed[vb]) continue;
        const int i = static_cast<int>(a), j = static_cast<int>(b);
        const Eigen::Matrix3d block =
            scale_ * at_ *
            (at_end ? constraint.curvature(x, lambda, i, j) : constraint.curvature_along(x_t_, way_, lambda, i, j));
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c)
            if (block(r, c) != 0) entries.emplace_back(3 * vertices[a] + r, 3 * vertices[b] + c, block(r, c));
      }
  }
  const SparseMatrix J_x = here_->jacobian(x.rows()), J_t = forces.jacobian(x.rows());
  for (int column = 0; column < J_x.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator it(J_x, column); it; ++it)
      entries.emplace_back(n + it.row(), column, mass_ * it.value());
    for (SparseMatrix::InnerIterator it(J_t, column); it; ++it)
      entries.emplace_back(column, n + it.row(), mass_ * it.value());
  }
  SparseMatrix K(n + m, n + m);
  K.setFromTriplets(entries.begin(), entries.end());
  right_.resize(n + m);
  right_.head(n) = -Eigen::Map<const Vector>(now_.left.data(), n);
  right_.tail(m) = -mass_ * here_->c();
  lu_.compute(K);
  if (lu_.info() != Eigen::Success) return false;
  const Vector solved = lu_.solve(right_);
  if (!solved.allFinite()) return false;
  d_ = Eigen::Map<const Points>(solved.data(), x.rows(), 3);
  d_lambda_ = solved.tail(m) * (mass_ / scale_);
  const Vector Kd = K.topLeftCorner(n, n) * solved.head(n);
  curvature_ = solved.head(n).dot(Kd);
  return true;
}

bool ConstrainedNewton::search(const Objective& g, Points& x) {
  const double largest = g.largest_step(x, d_);
  alpha_ = std::min(1.0, largest);
  for (int cut = 0; cut < kMostCuts; ++cut, alpha_ *= 0.5) {
    trial_.noalias() = x + alpha_ * d_;
    trial_lambda_ = lambda_ + alpha_ * d_lambda_;
    look(g, trial_, trial_lambda_, trial_place_);
    if (!(trial_place_.length <= (1 - kLeastFall * alpha_) * now_.length)) continue;
    x.swap(trial_);
    lambda_.swap(trial_lambda_);
    std::swap(now_, trial_place_);
    return true;
  }
  alpha_ = 0;
  return false;
}

void ConstrainedNewton::keep_forces(const Points& x) {
  int equations = 0;
  for (const auto& constraint : model_.constraints) equations += constraint->equations();
  forces_.setZero(equations);
  work_ = 0;
  std::size_t next = 0;
  int first = 0;
  const auto parts = here_->parts();
  for (std::size_t i = 0; i < model_.constraints.size(); ++i) {
    const int count = model_.constraints[i]->equations();
    if (next < parts.size() && parts[next].constraint == static_cast<int>(i)) {
      forces_.segment(first, count) = lambda_.segment(parts[next].first, count);
      ++next;
    }
    first += count;
  }
  if (x_n_ == nullptr) return;
  const ConstraintRows& where = at_ == 1 ? *here_ : *there_;
  work_ = -lambda_.dot(where.along(x - *x_n_));
}

SolveReport ConstrainedNewton::minimize(const Objective& g, const SolveEffort& effort, TangentMatrix& hessian,
                                        const Note& note, Points& x) {
  SolveReport report;
  here_.emplace(model_.constraints, model_.fixed);
  there_.emplace(model_.constraints, model_.fixed);
  const StepObjective* step = g.step();
  x_n_ = step != nullptr ? &step->now().x : nullptr;
  at_ = step != nullptr ? step->scheme().forces(g.h()).mean_at() : 1;
  scale_ = (step != nullptr ? step->scheme().c * step->scheme().gamma + step->scheme().k : 1) * g.h() * g.h();
  mass_ = model_.M.mean();
  lambda_.setZero(here_->equations());
  hessian.choose_pattern();
  alpha_ = 0;
  look(g, x, lambda_, now_);
  if (!std::isfinite(now_.length) && make_admissible(g, x)) look(g, x, lambda_, now_);
  for (;;) {
    note(x, report.iterations, now_.value, now_.left, alpha_);
    if (!std::isfinite(now_.length)) {
      report.outcome = Outcome::not_finite;
      return report;
    }
    here_->evaluate(x);
    const double off = here_->largest(), enough = 10 * constraint_rounding(x);
    report.residual = velocity_error(model_, now_.left, g.h());
    report.converged = effort.is_reached(report) && off <= enough;
    bool moved = false, solved = true;
    if (!report.converged && report.iterations < effort.iterations) {
      ++report.iterations;
      solved = false;
      for (const Curvature curvature : curvatures(effort.projection)) {
        if (!find_direction(g, x, curvature, hessian)) continue;
        solved = true;
        if (effort.projection == Projection::on_demand && curvature == Curvature::exact && !(curvature_ > 0)) continue;
        moved = search(g, x);
        if (moved) break;
        // look() was elsewhere.
        look(g, x, lambda_, now_);
      }
      report.last_correction = moved ? alpha_ * largest_coordinate(d_) / g.h() : 0;
    }
    if (moved) continue;
    if (!report.converged) report.converged = *report.residual <= kRoundingOfVelocity && off <= 100 * enough;
    if (off > kNotHeld || !solved) {
      report.outcome = Outcome::constraints;
      report.constraint = here_->worst();
      return report;
    }
    keep_forces(x);
    return report;
  }
}

}  // namespace rebound::sim
