#include "sim/contact/sliding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rebound::sim {
namespace {

Eigen::Matrix<double, 3, 2> tangents_of(const Vec3& n) {
  Eigen::Index least = 0;
  n.cwiseAbs().minCoeff(&least);
  const Vec3 a = n.cross(Vec3::Unit(least)).normalized();
  Eigen::Matrix<double, 3, 2> T;
  T << a, n.cross(a);
  return T;
}

// A touch that holds will hold, and one that slides will slide, if an iteration has changed its way by less than this
// share of what is left to e, where the one turns into the other; after each time that this was wrong, by less than the
// second share of that.
constexpr double kSteady = 0.5, kSteadier = 0.25;

}  // namespace

Slip slip(double y, double e) {
  if (y >= e) return {y, 1, 0};
  return {y * y / e * (1 - y / (3 * e)) + e / 3, y / e * (2 - y / e), 2 / e * (1 - y / e)};
}

Sliding::Sliding(const Model& model, const Barrier& barrier, const Points& x, double h)
    : model_(model),
      barrier_(barrier),
      e_step_(model.body_contact.barrier->slip * h),
      solves_(model.body_contact.barrier->friction_solves),
      x_n_(x) {
  find_touches(x, false);
  if (solves_ > 1) first_touches_ = touches_;
  begin_glides();
}

void Sliding::find_touches(const Points& x, bool at_end) const {
  touches_.clear();
  links_asked_ = false;
  const ContactSurface& surface = barrier_.surface();
  const double all = model_.body_contact.friction;
  for (const BarrierTerm& term : barrier_.terms(x)) {
    double mu = all;
    Touch touch{};
    touch.start = touch.moved = Vec3::Zero();
    const auto rough = [&](int obstacle) {
      mu = std::max(all, model_.obstacles[static_cast<std::size_t>(obstacle)].friction);
    };
    if (term.plane >= 0) {
      rough(term.plane);
      const Obstacle& plane = model_.obstacles[static_cast<std::size_t>(term.plane)];
      if (plane.moves()) {
        const Vec3 at = barrier_.places(x).row(term.points[0]).transpose();
        touch.moved = -plane.moved(at_end ? at : plane.pose.apply(plane.before.undo(at)));
      }
    }
    const double d = std::sqrt(term.nearest.squared);
    const double lambda =
        -barrier_.stiffness * term.area * sim::barrier(term.gap() / barrier_.distance).db / barrier_.distance;
    for (std::size_t c = 0; c < 4; ++c) {
      const int point = term.points[c];
      const double w = term.nearest.weights[c];
      if (point < 0 || w == 0) continue;
      if (!surface.is_carried(point)) {
        rough(surface.obstacle_of(point));
        touch.moved += w * surface.way(model_, point);
        continue;
      }
      const BodyPoint& carrier = surface.carrier(point);
      for (std::size_t k = 0; k < 4; ++k)
        if (carrier.weights[k] != 0) touch.carriers.emplace_back(carrier.vertices[k], w * carrier.weights[k]);
    }
    // Terms that are taken away are less than what they are taken from; the rest of it holds.
    touch.bound = mu * lambda;
    if (!(touch.bound > 0)) continue;
    touch.T = tangents_of(term.plane >= 0 ? term.nearest.r : Vec3(term.nearest.r / d));
    for (const auto& [v, w] : touch.carriers) touch.start += w * x_n_.row(v).transpose();
    touches_.push_back(std::move(touch));
  }
}

Eigen::Vector2d Sliding::way(const Touch& touch, const Points& x) const {
  Vec3 at = share_ * touch.moved - touch.start;
  for (const auto& [v, w] : touch.carriers) at += w * x.row(v).transpose();
  return touch.T.transpose() * at;
}

double Sliding::value(const Points& x, Workspace&) const {
  double sum = 0;
  for (const Touch& touch : touches_) sum += touch.bound * slip(way(touch, x).norm(), e_).f0;
  return sum;
}

double Sliding::loss(const Points& x) const {
  double sum = 0;
  for (const Touch& touch : touches_) {
    const double y = way(touch, x).norm();
    sum += touch.bound * slip(y, e_).f1 * y;
  }
  return sum;
}

double Sliding::add_gradient(const Points& x, Points& gradient, Workspace&) const {
  double sum = 0;
  for (const Touch& touch : touches_) {
    const Eigen::Vector2d u = way(touch, x);
    const double y = u.norm();
    const Slip at = slip(y, e_);
    sum += touch.bound * at.f0;
    if (y == 0) continue;
    const Vec3 force = touch.T * (touch.bound * at.f1 / y * u);
    for (const auto& [v, w] : touch.carriers) gradient.row(v) += w * force.transpose();
  }
  return sum;
}

double Sliding::begin(const Points&, const Points&, double end) const {
  share_ = end;
  e_ = end * e_step_;
  if (std::exchange(solve_, 1) != 1) {
    touches_ = first_touches_;
    links_asked_ = false;
  }
  begin_glides();
  return 1;
}

bool Sliding::renew(const Points& x) const {
  if (solve_ == solves_) return false;
  ++solve_;
  find_touches(x, true);
  begin_glides();
  return true;
}

void Sliding::begin_glides() const { glides_.assign(touches_.size(), {Eigen::Vector2d::Zero(), kSteady, false}); }

void Sliding::follow(Glide& glide, const Eigen::Vector2d& u) const {
  if (glide.u == u) return;
  const double y = u.norm();
  const double before = glide.u.norm();
  const bool turned = (y < e_) != (before < e_) || (y >= e_ && u.dot(glide.u) <= 0);
  if (glide.goes_on && turned) glide.steady *= kSteadier;
  const bool goes_away = !turned && std::abs(y - e_) > std::abs(before - e_);
  const double share = goes_away ? kSteady : glide.steady;
  const bool is_known = !glide.u.isZero(0);
  glide.goes_on = is_known && (u - glide.u).norm() < share * std::abs(y - e_);
  glide.u = u;
}

void Sliding::add_hessian(const Points& x, Curvature, HessianBlocks& H, Workspace& work) const {
  if (touches_.empty()) return;
  blocks_.resize(touches_.size());
  for (std::size_t t = 0; t < touches_.size(); ++t) {
    const Touch& touch = touches_[t];
    const Eigen::Vector2d u = way(touch, x);
    const double y = u.norm();
    const Slip at = slip(y, e_);
    const double across = y > 0 ? at.f1 / y : 2 / e_;
    follow(glides_[t], u);
    Eigen::Matrix2d inner = across * Eigen::Matrix2d::Identity();
    // The force grows less and less up to e, and beyond no more: Newton's step may go to and fro across that place. The
    // parabola that touches D here and is nowhere below it has f1/y in all directions: its steps go down, but each only
    // by a share of what is left. So only what goes on as it does has the exact curvature.
    if (y > 0 && glides_[t].goes_on) inner += (at.df1 - across) / (y * y) * u * u.transpose();
    blocks_[t] = touch.bound * touch.T * inner * touch.T.transpose();
  }
  each_range(work.workers, static_cast<int>(x.rows()), [&](const ColumnRange& range) {
    for (std::size_t t = 0; t < touches_.size(); ++t)
      for (const auto& [j, b] : touches_[t].carriers) {
        if (!range.has(j)) continue;
        for (const auto& [i, a] : touches_[t].carriers)
          if (i >= j) H.add(i, j, a * b * blocks_[t]);
      }
  });
}

void Sliding::add_pattern(std::vector<std::pair<int, int>>& links) const {
  links_asked_ = true;
  for (const Touch& touch : touches_)
    for (const auto& [i, a] : touch.carriers)
      for (const auto& [j, b] : touch.carriers)
        if (i > j) links.emplace_back(i, j);
}

// The force on what moves is against that on the bodies.
double Sliding::work_of_movers(const Points& x) const {
  double work = 0;
  for (const Touch& touch : touches_) {
    const Eigen::Vector2d u = way(touch, x);
    const double y = u.norm();
    if (y == 0) continue;
    work += (touch.T * (touch.bound * slip(y, e_).f1 / y * u)).dot(touch.moved);
  }
  return work;
}

}  // namespace rebound::sim
