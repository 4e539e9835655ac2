#include "sim/energy/attachments.hpp"

namespace rebound::sim {

Vec3 BodyPoint::of(const Points& x) const {
  if (weights[0] == 1) return x.row(vertices[0]).transpose();
  Vec3 p = Vec3::Zero();
  for (int j = 0; j < 4; ++j) p += weights[j] * x.row(vertices[j]).transpose();
  return p;
}

double Attachments::value(const Points& x, Workspace&) const {
  double total = 0;
  for (const auto& a : items) total += 0.5 * a.stiffness * (a.point.of(x) - a.target).squaredNorm();
  return total;
}

double Attachments::add_gradient(const Points& x, Points& gradient, Workspace&) const {
  double total = 0;
  for (const auto& a : items) {
    const Vec3 d = a.point.of(x) - a.target;
    total += 0.5 * a.stiffness * d.squaredNorm();
    for (int j = 0; j < 4; ++j)
      if (a.point.weights[j] != 0)
        gradient.row(a.point.vertices[j]) += a.stiffness * a.point.weights[j] * d.transpose();
  }
  return total;
}

double Attachments::work_of_jumps(const Points& dx) const {
  double work = 0;
  for (const auto& a : items)
    if (!a.moved.isZero(0)) work += a.stiffness * a.point.of(dx).dot(a.moved);
  return work;
}

void Attachments::forget_moves() {
  for (auto& a : items) a.moved.setZero();
}

void Attachments::add_laplacian(Triplets& L) const {
  for (const auto& a : items)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) {
        const auto& [v, b] = a.point;
        if (b[j] != 0 && b[k] != 0 && v[j] >= v[k]) L.emplace_back(v[j], v[k], a.stiffness * b[j] * b[k]);
      }
}

void Attachments::add_hessian(const Points&, Curvature, HessianBlocks& H, Workspace&) const {
  for (const auto& a : items)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) {
        const auto& [v, b] = a.point;
        if (b[j] != 0 && b[k] != 0) H.add(v[j], v[k], a.stiffness * b[j] * b[k] * Eigen::Matrix3d::Identity());
      }
}

}  // namespace rebound::sim
