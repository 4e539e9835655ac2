// Where Newton's directions come from: a factor made where the solve is, the one that is there, or one that an earlier
// step has left.
#include <algorithm>
#include <cmath>

#include "sim/step/newton.hpp"

namespace rebound::sim {
namespace {

// What is added to the diagonal, as a share of it, where nothing else helps; more where negative curvature is never
// left out.
constexpr double kLeastShift = 1e-10, kMostShift = 0.1, kMostShiftOfAll = 1e6, kShiftGrowth = 100;

constexpr int kLongestPause = 15;  // solves

// Of dg: what a direction by a factor in single precision may miss, and what is not worth mending.
constexpr double kMayMiss = 1e-2, kLittle = 1e-4;
// Vertices from which a factor is most of the work.
constexpr Eigen::Index kManyToFactor = 1000;

}  // namespace

bool Newton::find_direction(const Objective& g, const Points& x) {
  Workers& workers = g.work().workers;
  components_.follow(hessian_.components());
  open_ = components_.active();
  for (const Curvature curvature : curvatures(projection_)) {
    if (factor_and_solve(g, x, curvature)) return true;
  }
  // Elements that are all but flat are so stiff that their own rounding is negative curvature.
  const double most = projection_ == Projection::none ? kMostShiftOfAll : kMostShift;
  for (double share = kLeastShift; share <= most; share *= kShiftGrowth) {
    SparseMatrix& H = hessian_.blocks().matrix();
    for (Eigen::Index j = 0; j < H.cols(); ++j) {
      double& diagonal = H.valuePtr()[H.outerIndexPtr()[j]];
      diagonal += share * std::abs(diagonal);
    }
    if (solve(workers)) return true;
  }
  return false;
}

// The same as solve() with H(x) made before.
bool Newton::factor_and_solve(const Objective& g, const Points& x, Curvature curvature) {
  const bool all_open = std::all_of(open_.begin(), open_.end(), [](std::uint8_t open) { return open != 0; });
  const bool alone =
      curvature == Curvature::exact && g.step() != nullptr && !hessian_.is_linked() && elements_act_alone(model_, x);
  hessian_.blocks().want(components_.vertices_of(open_));
  if (alone) {
    g.step()->lasting_hessian(g.step()->evaluation_point(x), curvature, hessian_.blocks());
  } else {
    g.hessian(x, curvature, hessian_.blocks());
  }
  hessian_.blocks().want({});
  if (!solve(g.work().workers)) return false;
  own_ = {};
  if (!alone || !all_open) return true;
  const std::shared_ptr<FactoredHessian>& factored = factored_.free([&] {
    return FactoredHessian{Points(x.rows(), 3), 0, false};
  });
  factored->at = g.step()->evaluation_point(x);
  factored->coefficient = g.step()->frozen_coefficient();
  factored->single = is_single_;
  own_ = {factored, hessian_.factor_of_elements()};
  return true;
}

// d_ := -H^-1 dg in the active components, 0 in the others. False if H is not positive definite in all of these: then
// those where it is keep their factors, and others stay open.
bool Newton::solve(Workers& workers) {
  is_single_ = factors_serve_ && gradient_.rows() >= kManyToFactor && solve_in_single(workers);
  if (is_single_) return true;
  if (!hessian_.factor(workers, open_)) {
    const auto& factored = hessian_.factored();
    std::transform(factored.begin(), factored.end(), open_.begin(), [](std::uint8_t good) { return good == 0; });
    return false;
  }
  solve_by_factor(workers);
  return has_solved();
}

bool Newton::has_solved() {
  nonzeros_ = hessian_.nonzeros();
  open_ = components_.active();
  return d_.allFinite();
}

// The same by a factor in single precision, mended once by what it leaves. False where rounding is in the way.
bool Newton::solve_in_single(Workers& workers) {
  if (!hessian_.factor_single(workers, open_)) return false;
  solve_by_factor(workers);
  hessian_.blocks().multiply(d_, left_, workers);
  // Of the other components H is not there.
  const std::vector<std::uint8_t>& open = components_.vertices_of(open_);
  double all = 0, missed = 0;
  for (Eigen::Index v = 0; v < left_.rows(); ++v) {
    if (!open.empty() && open[static_cast<std::size_t>(v)] == 0) continue;
    left_.row(v) += gradient_.row(v);
    all += gradient_.row(v).squaredNorm();
    missed += left_.row(v).squaredNorm();
  }
  if (!(missed <= kMayMiss * kMayMiss * all)) return false;
  if (missed > kLittle * kLittle * all) {
    column_ = -Eigen::Map<const Vector>(left_.data(), left_.size());
    hessian_.solve(column_, workers, open_);
    d_ += Eigen::Map<const Points>(column_.data(), d_.rows(), 3);
  }
  return has_solved();
}

void Newton::solve_by_factor(Workers& workers) {
  column_ = -Eigen::Map<const Vector>(gradient_.data(), gradient_.size());
  hessian_.solve(column_, workers, components_.active());
  d_ = Eigen::Map<const Points>(column_.data(), gradient_.rows(), 3);
}

// May a solve that begins at x begin with the factor that was left to it? Then it is there: a motion that was gone back
// to makes it again.
bool Newton::may_carry(const Objective& g, const SolveEffort& effort, const Points& x) {
  const StepObjective* step = g.step();
  const auto& of = carried_.factored;
  if (!FactorUse::pays(effort, x.rows()) || !of || carried_.wait > 0 || step == nullptr || !has_exact_directions() ||
      projection_ != Projection::on_demand || hessian_.is_linked() || of->at.rows() != x.rows() ||
      of->coefficient != step->frozen_coefficient() || !elements_act_alone(model_, x))
    return false;
  components_.follow(hessian_.components());
  if (own_.of == of && own_.number == hessian_.factor_of_elements()) return true;
  step->lasting_hessian(of->at, Curvature::exact, hessian_.blocks());
  const bool factored = of->single ? hessian_.factor_single(g.work().workers, components_.active())
                                   : hessian_.factor(g.work().workers, components_.active());
  own_ = {factored ? of : nullptr, hessian_.factor_of_elements()};
  return factored;
}

void Newton::begin_carried(const Objective& g, const SolveEffort& effort, const Points& x) {
  if (may_carry(g, effort, x)) use_.begin_carried();
}

// d_ := the direction by the factor that is there, a fifth of a new one's work, where that is likely to be worth it.
bool Newton::find_by_factor(const Objective& g, const SolveEffort& effort, const Points& x) {
  if (!has_exact_directions() || !FactorUse::pays(effort, gradient_.rows()) || !use_.may_serve(length_)) return false;
  solve_by_factor(g.work().workers);
  const double size = column_.allFinite() ? largest_coordinate(d_) : INFINITY;
  return use_.takes(size, length_, !elements_act_alone(model_, x), effort.tolerance * g.h());
}

// d_ := the direction by a factor that is made here.
bool Newton::find_newest(const Objective& g, const Points& x) {
  if (!find_direction(g, x)) return false;
  use_.made(length_);
  return true;
}

// After a solve that has ended at x.
void Newton::remember_factor(const Points& x, bool converged) {
  if (use_.carried_was_of_no_use()) {
    carried_.wait = carried_.pause = std::min(2 * carried_.pause + 1, kLongestPause);
  } else if (use_.began_carried()) {
    carried_.pause = 0;
  } else if (carried_.wait > 0) {
    --carried_.wait;
  }
  const bool is_there = own_.of && own_.number == hessian_.factor_of_elements();
  carried_.factored = is_there && converged && carried_.wait == 0 && elements_act_alone(model_, x) ? own_.of : nullptr;
}

}  // namespace rebound::sim
