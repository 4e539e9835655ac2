#include "sim/step/constrained_newton.hpp"

#include <Eigen/Eigenvalues>
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
  const bool at_end = acts_at_end();
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

// Of a rod that pulls, what keeps it from the side; of one that is pressed the same below 0, where that counts. At 1/2
// it is not symmetric, so that nothing of it can be left out.
void ConstrainedNewton::add_curvature(const Points& x, Curvature curvature, Triplets& entries) const {
  const bool at_end = acts_at_end(), exact = curvature == Curvature::exact;
  if (!at_end && !exact) return;
  const ConstraintRows& forces = at_end ? *here_ : *there_;
  for (const ConstraintRows::Part& part : forces.parts()) {
    const Constraint& constraint = forces.of(part);
    const auto vertices = constraint.vertices();
    const std::span<const double> lambda(lambda_.data() + part.first, static_cast<std::size_t>(constraint.equations()));
    const auto rows = static_cast<Eigen::Index>(3 * vertices.size());
    Eigen::MatrixXd all = Eigen::MatrixXd::Zero(rows, rows);
    const auto is_free = [&](Eigen::Index a) {
      return model_.fixed[static_cast<std::size_t>(vertices[static_cast<std::size_t>(a)])] == 0;
    };
    for (Eigen::Index a = 0; 3 * a < rows; ++a)
      for (Eigen::Index b = 0; 3 * b < rows; ++b) {
        if (!is_free(a) || !is_free(b)) continue;
        const int i = static_cast<int>(a), j = static_cast<int>(b);
        all.block<3, 3>(3 * a, 3 * b) =
            scale_ * at_ *
            (at_end ? constraint.curvature(x, lambda, i, j) : constraint.curvature_along(x_t_, way_, lambda, i, j));
      }
    if (!exact) {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> pairs(all);
      all = pairs.eigenvectors() * pairs.eigenvalues().cwiseMax(0.0).asDiagonal() * pairs.eigenvectors().transpose();
    }
    for (Eigen::Index r = 0; r < rows; ++r)
      for (Eigen::Index c = 0; c < rows; ++c)
        if (all(r, c) != 0)
          entries.emplace_back(3 * vertices[static_cast<std::size_t>(r / 3)] + static_cast<int>(r % 3),
                               3 * vertices[static_cast<std::size_t>(c / 3)] + static_cast<int>(c % 3), all(r, c));
  }
}

bool ConstrainedNewton::find_direction(const Objective& g, const Points& x, Curvature curvature,
                                       TangentMatrix& hessian) {
  g.hessian(x, curvature, hessian.blocks());
  const SparseMatrix& H = hessian.blocks().matrix();
  const Eigen::Index n = H.rows(), m = here_->equations();
  Triplets entries;
  entries.reserve(static_cast<std::size_t>(2 * H.nonZeros() + 24 * m));
  for (int column = 0; column < H.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(H, column); it; ++it) {
      entries.emplace_back(it.row(), column, it.value());
      if (it.row() != column) entries.emplace_back(column, it.row(), it.value());
    }
  const ConstraintRows& forces = acts_at_end() ? *here_ : *there_;
  add_curvature(x, curvature, entries);
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

bool ConstrainedNewton::search(const Objective& g, int most_cuts, Points& x) {
  const double largest = g.largest_step(x, d_);
  alpha_ = std::min(1.0, largest);
  for (int cut = 0; cut < most_cuts; ++cut, alpha_ *= 0.5) {
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

// Where forces act at the end, what is looked for is a minimum of g under c = 0, and d, if it is made of what is
// convex, goes down on g + mu |c|_1 [Nocedal06 Eq. 18.27, Theorem 18.2], however the length of what is left behaves:
// rods that are pressed, and would rather give way to the side, make it grow at first.
bool ConstrainedNewton::search_by_penalty(const Objective& g, Points& x) {
  constexpr double kBeyond = 2;  // times the largest force
  trial_lambda_ = lambda_ + d_lambda_;
  here_->evaluate(x);
  const double mu = kBeyond * scale_ * trial_lambda_.cwiseAbs().maxCoeff();
  const auto off = [&] { return mu * here_->c().lpNorm<1>(); };
  const double value = now_.value + off();
  // dg . d from the equations that d solves.
  const double slope = -curvature_ + scale_ * trial_lambda_.dot(here_->c()) - off();
  if (!(slope < 0)) return false;
  alpha_ = std::min(1.0, g.largest_step(x, d_));
  const auto falls = [&] {
    here_->evaluate(trial_);
    return g.value(trial_) + off() <= value + kLeastFall * alpha_ * slope;
  };
  for (int cut = 0; cut < kMostCuts; ++cut, alpha_ *= 0.5) {
    trial_.noalias() = x + alpha_ * d_;
    if (!falls()) {
      // What has moved to the side is further from what it hangs on: back to it, or only short steps would do.
      go_back(trial_);
      if (!falls()) continue;
    }
    x.swap(trial_);
    lambda_ += alpha_ * d_lambda_;
    look(g, x, lambda_, now_);
    return true;
  }
  alpha_ = 0;
  return false;
}

// Towards c = 0, by the equations that were solved last.
void ConstrainedNewton::go_back(Points& x) {
  here_->evaluate(x);
  right_.setZero();
  right_.tail(here_->equations()) = -mass_ * here_->c();
  const Vector back = lu_.solve(right_);
  x += Eigen::Map<const Points>(back.data(), x.rows(), 3);
}

// Along d. Short steps by the length alone lead nowhere for long.
bool ConstrainedNewton::move(const Objective& g, Curvature curvature, Points& x) {
  constexpr int kFewCuts = 4;
  if (!acts_at_end()) return search(g, kMostCuts, x);
  if (search(g, kFewCuts, x)) return true;
  if (curvature != Curvature::exact && search_by_penalty(g, x)) return true;
  return curvature != Curvature::exact && search(g, kMostCuts, x);
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
    double off = here_->largest();
    const double enough = 10 * constraint_rounding(x);
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
        moved = move(g, curvature, x);
        if (moved) break;
        // look() was elsewhere.
        look(g, x, lambda_, now_);
      }
      report.last_correction = moved ? alpha_ * largest_coordinate(d_) / g.h() : 0;
    }
    if (moved) continue;
    if (!report.converged) report.converged = *report.residual <= kRoundingOfVelocity && off <= 100 * enough;
    // A solve that is cut ends where the constraints hold all the same: it is not converged, and says so.
    if (acts_at_end() && solved && off > kNotHeld &&
        ConstraintSpace(model_.constraints, model_.M, model_.fixed).restore(x)) {
      here_->evaluate(x);
      off = here_->largest();
    }
    if (!(off <= kNotHeld) || !solved) {
      report.outcome = Outcome::constraints;
      report.constraint = here_->worst();
      return report;
    }
    keep_forces(x);
    return report;
  }
}

}  // namespace rebound::sim
