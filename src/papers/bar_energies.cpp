#include "papers/bar_energies.hpp"

#include <cmath>

namespace rebound::papers {
namespace {

constexpr double kShareOfTheWay = 0.9;

void add_along_x(sim::HessianBlocks& H, int i, int j, double value) {
  Eigen::Matrix3d block = Eigen::Matrix3d::Zero();
  block(0, 0) = value;
  H.add(i, j, block);
}

}  // namespace

double BarEnergy::value(const sim::Points& x, sim::Workspace&) const {
  double sum = 0;
  for (int e = 0; e < elements_; ++e) {
    const double F = stretch(x, e);
    if (!(F > 0)) return INFINITY;
    sum += 0.5 * E_ * ((F * F - 1) / 2 - std::log(F)) / elements_;
  }
  return sum;
}

double BarEnergy::add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const {
  for (int e = 0; e < elements_; ++e) {
    const double F = stretch(x, e), force = 0.5 * E_ * (F - 1 / F);
    gradient(e + 1, 0) += force;
    gradient(e, 0) -= force;
  }
  return value(x, work);
}

void BarEnergy::add_laplacian(sim::Triplets& L) const {
  const double k = E_ * elements_;
  for (int e = 0; e < elements_; ++e) {
    L.emplace_back(e, e, k);
    L.emplace_back(e + 1, e + 1, k);
    L.emplace_back(e + 1, e, -k);
  }
}

void BarEnergy::add_hessian(const sim::Points& x, sim::Curvature, sim::HessianBlocks& H, sim::Workspace&) const {
  for (int e = 0; e < elements_; ++e) {
    const double F = stretch(x, e), k = 0.5 * E_ * (1 + 1 / (F * F)) * elements_;
    add_along_x(H, e, e, k);
    add_along_x(H, e + 1, e + 1, k);
    add_along_x(H, e + 1, e, -k);
  }
}

double BarEnergy::largest_step(const sim::Points& x, const sim::Points& d, sim::Workspace&) const {
  double largest = INFINITY;
  for (int e = 0; e < elements_; ++e) {
    const double change = stretch(d, e);
    if (change < 0) largest = std::min(largest, -kShareOfTheWay * stretch(x, e) / change);
  }
  return largest;
}

double BarrierWall::value(const sim::Points& x, sim::Workspace&) const {
  const double s = x(0, 0) / reach_;
  if (!(s > 0)) return INFINITY;
  return s < 1 ? -strength_ * (s - 1) * (s - 1) * std::log(s) : 0;
}

double BarrierWall::add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const {
  const double s = x(0, 0) / reach_;
  if (s < 1) gradient(0, 0) -= strength_ / reach_ * (2 * (s - 1) * std::log(s) + (s - 1) * (s - 1) / s);
  return value(x, work);
}

void BarrierWall::add_hessian(const sim::Points& x, sim::Curvature, sim::HessianBlocks& H, sim::Workspace&) const {
  const double s = x(0, 0) / reach_;
  if (s >= 1) return;
  add_along_x(H, 0, 0,
              -strength_ / (reach_ * reach_) * (2 * std::log(s) + 4 * (s - 1) / s - (s - 1) * (s - 1) / (s * s)));
}

double BarrierWall::largest_step(const sim::Points& x, const sim::Points& d, sim::Workspace&) const {
  return d(0, 0) < 0 ? -kShareOfTheWay * x(0, 0) / d(0, 0) : INFINITY;
}

double SpringWall::value(const sim::Points& x, sim::Workspace&) const {
  const double inside = std::min(x(0, 0), 0.0);
  return 0.5 * stiffness_ * inside * inside;
}

double SpringWall::add_gradient(const sim::Points& x, sim::Points& gradient, sim::Workspace& work) const {
  gradient(0, 0) += stiffness_ * std::min(x(0, 0), 0.0);
  return value(x, work);
}

void SpringWall::add_hessian(const sim::Points& x, sim::Curvature, sim::HessianBlocks& H, sim::Workspace&) const {
  if (x(0, 0) < 0) add_along_x(H, 0, 0, stiffness_);
}

}  // namespace rebound::papers
