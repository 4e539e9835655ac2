#include "sim/step/objective.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>

#include "sim/base/row_passes.hpp"
#include "sim/base/stop_request.hpp"
#include "sim/model/rigid_motion.hpp"

namespace rebound::sim {
namespace {

Eigen::Matrix3d skew(const Vec3& w) {
  return (Eigen::Matrix3d() << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0).finished();
}

}  // namespace

StepObjective::StepObjective(const Model& model, const Scheme& scheme, double step, const Past& past,
                             StepBuffers& buffers, Workspace& work, double end, bool knows_y)
    : model_(model),
      scheme_(scheme),
      h_(scheme.span * step),
      end_(end),
      keeps_at_end_(scheme.keeps_at_end && !model.shapes.empty()),
      now_(past.now),
      buffers_(buffers),
      work_(work) {
  assert(!scheme.two_steps() || past.before != nullptr);
  assert(!scheme.keeps_at_end || scheme.gamma == 1);
  assert(!scheme.carries_acceleration() || buffers.a != nullptr);
  if (knows_y) return;
  const double h = h_, a0 = scheme.a0, a1 = scheme.a1, b0 = scheme.b0, b1 = scheme.b1, k = scheme.k;
  const State& now = past.now;
  Points& y = buffers_.y;
  y.resize(now.x.rows(), 3);
  if (scheme.two_steps()) buffers_.base.resize(now.x.rows(), 3);
  if (k != 0) forces_of_beginning(buffers_.gradient);
  each_rows(work.workers, y.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    const auto of = [&](auto& points) { return points.middleRows(first, rows); };
    if (scheme.two_steps()) {
      of(buffers_.base) = a0 * of(now.x) + a1 * of(past.before->x);
      of(y) = of(buffers_.base) + h * (b0 * of(now.v) + b1 * of(past.before->v));
    } else {
      of(y) = of(now.x) + h * b0 * of(now.v);
    }
    for (Eigen::Index i = first; i < first + rows; ++i) {
      if (k != 0) y.row(i) -= (k * h * h / model.M[i]) * buffers_.gradient.row(i);
      if (scheme.d != 0) y.row(i) += scheme.d * h * h * buffers_.a->row(i);
      if (buffers_.push != nullptr)
        y.row(i) += ((scheme.c * scheme.gamma + k) * h * h / model.M[i]) * buffers_.push->row(i);
      if (model.fixed[i]) y.row(i) = now.x.row(i);
    }
  });
}

std::array<StepObjective::Weighted, 3> StepObjective::own_terms() const {
  return {Weighted{model_.step_losses, weight_at_end()}, barriers(), shapes()};
}

void StepObjective::forces_of_beginning(Points& dE) const {
  const Points& x_n = now_.x;
  LastingForces* known = buffers_.forces;
  if (!keeps_at_end_) {
    if (known != nullptr)
      known->gradient(model_, x_n, dE, work_);
    else
      model_.gradient(x_n, dE, work_);
    return;
  }
  if (known != nullptr)
    known->lasting_gradient(model_, x_n, dE, work_);
  else
    model_.lasting_gradient(x_n, dE, work_);
  Points of_shapes = Points::Zero(dE.rows(), 3);
  for (const auto& e : model_.shapes) e->add_gradient(x_n, of_shapes, work_);
  dE -= of_shapes;
  add_change_of_turning_forces(dE);
  model_.clear_fixed(dE);
}

// dE -= M (a(x_n) - a(x)), a(x) by a free rigid body's motion until then.
void StepObjective::add_change_of_turning_forces(Points& dE) const {
  for (const BodyRange& body : model_.affine) {
    const auto fixed = model_.fixed.begin() + body.first;
    if (std::any_of(fixed, fixed + body.count, [](auto f) { return f != 0; })) continue;
    const Moments of = moments(model_, {&body, 1}, now_);
    // u' = A u where the body is turned as R says.
    const auto turning = [&](const Eigen::Matrix3d& R) -> Eigen::Matrix3d {
      const Eigen::Matrix3d I = R * of.inertia * R.transpose();
      const Vec3 omega = angular_velocity(I, of.L);
      const Eigen::Matrix3d W = skew(omega);
      return skew(angular_velocity(I, of.L.cross(omega))) + W * W;
    };
    const Vec3 phi = h_ * angular_velocity(of.inertia, of.L);
    const Eigen::Matrix3d R = rotation(phi);
    const Eigen::Matrix3d change = turning(Eigen::Matrix3d::Identity()) - turning(R) * R;
    for (int i = body.first; i < body.first + body.count; ++i)
      dE.row(i) -= model_.M[i] * (change * (now_.x.row(i).transpose() - of.x_cm)).transpose();
  }
}

const Points& StepObjective::evaluation_point(const Points& x) const {
  if (scheme_.gamma == 1) return x;
  Points& at = buffers_.at;
  at.resize(x.rows(), 3);
  each_rows(work_.workers, x.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    const auto of = [&](auto& points) { return points.middleRows(first, rows); };
    of(at).noalias() = scheme_.gamma * of(x) + (1 - scheme_.gamma) * of(now_.x);
  });
  return at;
}

double StepObjective::value(const Points& x) const {
  double E = model_.lasting_energy(evaluation_point(x), work_);
  for (const auto& [terms, w] : own_terms())
    if (w != 0)
      for (const auto& e : terms) E += scheme_.gamma * w * e->value(x, work_);
  return value_from(x, E);
}

double StepObjective::value_from(const Points& x, double E) const {
  double inertia = 0;
  for (Eigen::Index i = 0; i < x.rows(); ++i)
    if (!model_.fixed[i]) inertia += model_.M[i] * (x.row(i) - buffers_.y.row(i)).squaredNorm();
  return 0.5 * inertia + scheme_.c * h_ * h_ * E;
}

double StepObjective::gradient(const Points& x, Points& out) const {
  StopRequest::check();
  double E = model_.lasting_gradient(evaluation_point(x), out, work_);
  for (const auto& [terms, w] : own_terms()) {
    if (w == 0 || terms.empty()) continue;
    if (w != 1) out /= w;
    for (const auto& e : terms) E += scheme_.gamma * w * e->add_gradient(x, out, work_);
    if (w != 1) out *= w;
  }
  const double scale = scheme_.c * scheme_.gamma * h_ * h_;
  each_rows(work_.workers, x.rows(), [&](Eigen::Index first, Eigen::Index rows) {
    for (Eigen::Index i = first; i < first + rows; ++i) {
      if (model_.fixed[i])
        out.row(i).setZero();
      else
        out.row(i) = model_.M[i] * (x.row(i) - buffers_.y.row(i)) + scale * out.row(i);
    }
  });
  return E;
}

void StepObjective::hessian(const Points& x, Curvature curvature, HessianBlocks& H) const {
  if (!model_.has_step_terms()) return lasting_hessian(evaluation_point(x), curvature, H);
  H.set_zero();
  model_.add_lasting_hessian(evaluation_point(x), curvature, H, work_);
  if (scheme_.gamma != 1) H.matrix() *= scheme_.gamma;
  for (const Weighted& own : own_terms()) add_hessian(own, x, curvature, H);
  H.scale_and_add(scheme_.c * scheme_.gamma * h_ * h_, model_.M, model_.fixed, work_.workers);
}

void StepObjective::add_hessian(const Weighted& own, const Points& x, Curvature curvature, HessianBlocks& H) const {
  if (own.w == 0 || own.terms.empty()) return;
  if (own.w != 1) H.matrix() /= own.w;
  for (const auto& e : own.terms) e->add_hessian(x, curvature, H, work_);
  if (own.w != 1) H.matrix() *= own.w;
}

void StepObjective::lasting_hessian(const Points& at, Curvature curvature, HessianBlocks& H) const {
  H.set_zero();
  model_.add_lasting_hessian(at, curvature, H, work_);
  add_hessian(shapes(), at, curvature, H);
  H.scale_and_add(frozen_coefficient(), model_.M, model_.fixed, work_.workers);
}

// E is evaluated on a line that is gamma times as long.
double StepObjective::largest_step(const Points& x, const Points& d) const {
  return std::min(model_.lasting_largest_step(evaluation_point(x), d, work_) / scheme_.gamma,
                  model_.step_largest_step(x, d, work_));
}

void StepObjective::contact_heights(const Points& x, std::vector<double>& heights) const {
  heights.clear();
  if (model_.contacts.items.empty()) return;
  const Points& at = evaluation_point(x);
  for (const Contact& contact : model_.contacts.items) heights.push_back(contact.height(at) / scheme_.gamma);
}

void StepObjective::begin(Points& x) const {
  if (!model_.has_step_terms()) return;
  const auto go = [&](double share) {
    if (share < 1) x = now_.x + share * (x - now_.x);
  };
  if (!std::isfinite(model_.lasting_energy(evaluation_point(x), work_)))
    go(model_.lasting_largest_step(now_.x, x - now_.x, work_) / scheme_.gamma);
  double share = 1;
  for (const auto* terms : {&model_.step_energies, &model_.step_losses})
    for (const auto& e : *terms) share = std::min(share, e->begin(now_.x, x, end_));
  go(share);
}

bool StepObjective::settle(const Points& x) const {
  bool settled = true;
  for (const auto& e : model_.step_energies) settled = e->settle(x) && settled;
  return settled;
}

void StepObjective::add_pull(const Points& x, Points& gradient) const {
  Points pull = Points::Zero(x.rows(), 3);
  for (const auto& e : model_.step_energies) e->add_pull(x, pull);
  model_.clear_fixed(pull);
  gradient += barriers().w * scheme_.c * scheme_.gamma * h_ * h_ * pull;
}

double StepObjective::advance(Points& x, const Points& d) const {
  const double admitted = model_.lasting_largest_step(evaluation_point(x), d, work_) / scheme_.gamma;
  const Points way = std::min(1.0, admitted) * d;
  double share = 1;
  for (const auto& e : model_.step_energies) share = std::min(share, e->advance(x, way));
  x += share * way;
  return share;
}

bool StepObjective::renew(const Points& x) const {
  bool renewed = false;
  for (const auto& e : model_.step_losses) renewed = e->renew(x) || renewed;
  return renewed;
}

double StepObjective::velocity(const Points& x, Points& v) const {
  const double r = scheme_.r / h_, s = scheme_.s;
  const Points &base = scheme_.two_steps() ? buffers_.base : now_.x, &v_n = now_.v;
  v.resize(x.rows(), 3);
  const auto sums = sum_rows<1>(work_.workers, x.rows(), [&](Eigen::Index first, Eigen::Index rows, auto& sum) {
    for (Eigen::Index i = first; i < first + rows; ++i) {
      if (model_.fixed[i]) {
        v.row(i).setZero();
      } else {
        v.row(i) = r * (x.row(i) - base.row(i)) + s * v_n.row(i);
        if (scheme_.e != 0) v.row(i) += scheme_.e * h_ * buffers_.a->row(i);
        sum[0] += model_.M[i] * v.row(i).squaredNorm();
      }
    }
  });
  return 0.5 * sums[0];
}

}  // namespace rebound::sim
