#include "sim/contact/obstacle_constraints.hpp"

#include <algorithm>
#include <cmath>

#include "sim/collide/surface_distance.hpp"

namespace rebound::sim {
namespace {

// Of the coordinates' size: below it a vertex is on the surface as far as can be told.
constexpr double kOnTheSurface = 1e-14;
// The same for pairs that may become active. What is nearer is taken along, at no cost that could be seen.
constexpr double kMayBeActive = 1e-10;
constexpr int kMostRounds = 100;

double scale_at(const Vec3& p) { return 1 + p.cwiseAbs().maxCoeff(); }

Eigen::Matrix3d flat() { return Eigen::Matrix3d::Zero(); }

// Of the distance from a ball about c.
Eigen::Matrix3d around_centre(const Vec3& away) {
  const double length = away.norm();
  if (!(length > 0)) return flat();
  const Vec3 n = away / length;
  return (Eigen::Matrix3d::Identity() - n * n.transpose()) / length;
}

struct CurvatureOf {
  const Vec3& p;

  Eigen::Matrix3d operator()(const Plane&) const { return flat(); }
  Eigen::Matrix3d operator()(const Sphere&) const { return around_centre(p); }
  Eigen::Matrix3d operator()(const Box&) const { return flat(); }
  Eigen::Matrix3d operator()(const Capsule& capsule) const {
    const double y = std::clamp(p.y(), -capsule.half_length, capsule.half_length);
    Eigen::Matrix3d K = around_centre(p - Vec3(0, y, 0));
    if (y == p.y()) {
      K.row(1).setZero();
      K.col(1).setZero();
    }
    return K;
  }
  // Round the tube by its centre line, and round the axis by how far it is from there.
  Eigen::Matrix3d operator()(const Torus& torus) const {
    const double length = std::hypot(p.x(), p.z());
    if (!(length > 0)) return flat();
    const Vec3 outward(p.x() / length, 0, p.z() / length), round(-outward.z(), 0, outward.x());
    const Vec3 away = p - torus.radius * outward;
    const double from_tube = away.norm();
    if (!(from_tube > 0)) return flat();
    const Vec3 n = away / from_tube, along = n.cross(round);
    return along * along.transpose() / from_tube + (n.dot(outward) / length) * (round * round.transpose());
  }
  Eigen::Matrix3d operator()(const TriangleSolid& solid) const { return solid.surface->curvature(p); }
};

}  // namespace

Eigen::Matrix3d curvature(const Shape& shape, const Vec3& p) { return std::visit(CurvatureOf{p}, shape); }

Eigen::Matrix3d curvature(const Obstacle& obstacle, const Vec3& p) {
  const Eigen::Matrix3d& R = obstacle.pose.R;
  return R * curvature(obstacle.shape, obstacle.pose.undo(p)) * R.transpose();
}

ObstacleConstraints::ObstacleConstraints(const Model& model) : model_(model) {}

void ObstacleConstraints::begin() {
  obstacles_.clear();
  vertices_.clear();
  projections_.clear();
  tangents_.clear();
  held_.clear();
  for (std::size_t o = 0; o < model_.obstacles.size(); ++o)
    if (model_.obstacles[o].constraint) obstacles_.push_back(static_cast<int>(o));
  if (!any()) return;
  for (const BodyPoint& point : model_.colliders)
    if (!model_.fixed[static_cast<std::size_t>(point.vertices[0])]) vertices_.push_back(point.vertices[0]);
  active_.assign(vertices_.size() * obstacles_.size(), 0);
}

void ObstacleConstraints::project(Points& x) {
  projections_.clear();
  for (std::size_t place = 0; place < vertices_.size(); ++place) project_vertex(place, x);
}

void ObstacleConstraints::project_vertex(std::size_t place, Points& x) {
  const int v = vertices_[place];
  for (int round = 0; round < kMostRounds; ++round) {
    bool moved = false;
    for (std::size_t o = 0; o < obstacles_.size(); ++o) {
      const Obstacle& obstacle = model_.obstacles[static_cast<std::size_t>(obstacles_[o])];
      const Vec3 at = x.row(v).transpose();
      const Nearest there = nearest(obstacle, at);
      const double rounding = kOnTheSurface * scale_at(at);
      const bool active = is_active(place, o);
      if (active ? std::abs(there.distance) <= rounding && round > 0 : !(there.distance < -rounding)) continue;
      projections_.push_back({v, active, there.normal, there.distance * curvature(obstacle, at)});
      moved = moved || std::abs(there.distance) > rounding;
      x.row(v) = there.point.transpose();
    }
    if (!moved || obstacles_.size() == 1) return;
  }
}

void ObstacleConstraints::way(Points& d) const {
  for (const Projection& at : projections_) {
    const Vec3 here = d.row(at.vertex).transpose();
    d.row(at.vertex) -= (at.n * at.n.dot(here) + at.bend * here).transpose();
  }
}

void ObstacleConstraints::reduce(Points& gradient) const {
  for (const Projection& at : projections_) {
    const double push = gradient.row(at.vertex).dot(at.n);
    if (at.active || push > 0) gradient.row(at.vertex) -= push * at.n.transpose();
  }
}

void ObstacleConstraints::activate(const Points& x, const Points& gradient) {
  tangents_.clear();
  held_.clear();
  std::fill(active_.begin(), active_.end(), 0);
  for (std::size_t place = 0; place < vertices_.size(); ++place)
    activate_vertex(place, x.row(vertices_[place]).transpose(), gradient.row(vertices_[place]).transpose());
}

// Each obstacle in turn takes what those before it leave.
void ObstacleConstraints::activate_vertex(std::size_t place, const Vec3& at, const Vec3& gradient) {
  constexpr double kParallel = 1e-6;
  const int v = vertices_[place];
  const std::size_t first = tangents_.size();
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const Obstacle& obstacle = model_.obstacles[static_cast<std::size_t>(obstacles_[o])];
    const Nearest there = nearest(obstacle, at);
    if (there.distance > kMayBeActive * scale_at(at) || !(gradient.dot(there.normal) >= 0)) continue;
    Vec3 n = there.normal;
    for (std::size_t i = first; i < tangents_.size(); ++i) n -= tangents_[i].n * tangents_[i].n.dot(there.normal);
    if (n.norm() < kParallel) continue;
    n.normalize();
    const double push = gradient.dot(n);
    if (!(push >= 0)) continue;
    active_[place * obstacles_.size() + o] = 1;
    tangents_.push_back({v, n, push, curvature(obstacle, at)});
    held_.push_back({v, obstacles_[o], n, push});
  }
  if (tangents_.size() > first + 1)
    for (std::size_t i = first; i < tangents_.size(); ++i) tangents_[i].K.setZero();
}

void ObstacleConstraints::make_tangential(Points& v) const {
  for (const Tangent& at : tangents_) v.row(at.vertex) -= v.row(at.vertex).dot(at.n) * at.n.transpose();
}

void ObstacleConstraints::reduce_hessian(HessianBlocks& H, const Vector& M, bool curved) const {
  const auto n = static_cast<std::size_t>(model_.vertices());
  std::vector<Eigen::Matrix3d> J(n, Eigen::Matrix3d::Identity());
  std::vector<std::uint8_t> touched(n, 0);
  for (const Tangent& at : tangents_) {
    const auto v = static_cast<std::size_t>(at.vertex);
    J[v] -= at.n * at.n.transpose();
    touched[v] = 1;
    if (curved) H.add(at.vertex, at.vertex, -at.push * at.K);
  }
  SparseMatrix& A = H.matrix();
  const auto* begin = A.outerIndexPtr();
  double* values = A.valuePtr();
  for (std::size_t j = 0; j < n; ++j) {
    if (touched[j]) {
      const Eigen::Matrix3d B = H.diagonal_block(static_cast<int>(j));
      H.add(static_cast<int>(j), static_cast<int>(j),
            J[j] * B * J[j] + M[static_cast<Eigen::Index>(j)] * (Eigen::Matrix3d::Identity() - J[j]) - B);
    }
    // Beside the diagonal each block is three entries in each of three columns; of the diagonal's, the lower half.
    const auto* first = begin + 3 * j;
    const auto count = (first[1] - first[0] - 3) / 3;
    for (int k = 0; k < count; ++k) {
      const auto i = static_cast<std::size_t>(A.innerIndexPtr()[first[0] + 3 + 3 * k] / 3);
      if (!touched[i] && !touched[j]) continue;
      Eigen::Matrix3d B;
      for (int c = 0; c < 3; ++c) B.col(c) = Eigen::Map<const Vec3>(values + first[c] + (3 - c) + 3 * k);
      B = J[i] * B * J[j];
      for (int c = 0; c < 3; ++c) Eigen::Map<Vec3>(values + first[c] + (3 - c) + 3 * k) = B.col(c);
    }
  }
}

void ObstacleConstraints::add_curvature(const Points& p, Points& Hp) const {
  for (const Tangent& at : tangents_) Hp.row(at.vertex) -= at.push * (p.row(at.vertex) * at.K);
}

}  // namespace rebound::sim
