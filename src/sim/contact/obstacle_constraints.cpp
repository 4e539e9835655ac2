#include "sim/contact/obstacle_constraints.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "sim/collide/surface_distance.hpp"

namespace rebound::sim {
namespace {

// Of the coordinates' size: below it a vertex is on the surface as far as can be told.
constexpr double kOnTheSurface = 1e-14;
// The same for pairs that may become active. What is nearer is taken along, at no cost that could be seen.
constexpr double kMayBeActive = 1e-10;
constexpr int kMostRounds = 100;

double scale_at(const Vec3& p) { return 1 + p.cwiseAbs().maxCoeff(); }

/// What walls hold of a gradient: g = rest + sum of push times the normal of a wall.
struct Support {
  Vec3 rest;
  std::array<int, 3> walls{};
  Vec3 push = Vec3::Zero();
  int count = 0;
};

/// The least rest of all push >= 0. Three walls are enough for it, so that all sets of up to three are tried, the small
/// ones first. A larger set has to be better by more than rounding; a single wall holds what barely presses on it.
Support support(const Vec3& g, std::span<const Vec3> n) {
  constexpr double kParallel = 1e-12, kSmaller = 1 - 1e-9;
  Support best{g};
  std::array<int, 3> walls{};
  const auto consider = [&](int count) {
    Eigen::Matrix3d N = Eigen::Matrix3d::Identity();
    for (int i = 0; i < count; ++i) N.col(i) = n[static_cast<std::size_t>(walls[static_cast<std::size_t>(i)])];
    // Normal equations of the walls; beside them the identity.
    Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
    Vec3 b = Vec3::Zero();
    A.topLeftCorner(count, count) = N.leftCols(count).transpose() * N.leftCols(count);
    b.head(count) = N.leftCols(count).transpose() * g;
    if (std::abs(A.determinant()) < kParallel) return;
    const Vec3 push = A.inverse() * b;
    if (push.head(count).minCoeff() < 0) return;
    const Vec3 rest = count == 3 ? Vec3::Zero().eval() : (g - N.leftCols(count) * push.head(count)).eval();
    if (rest.norm() < kSmaller * best.rest.norm()) best = {rest, walls, push, count};
  };
  const int all = static_cast<int>(n.size());
  for (int i = 0; i < all; ++i) {
    const Vec3& wall = n[static_cast<std::size_t>(i)];
    const double push = g.dot(wall);
    const Vec3 rest = g - push * wall;
    if (push >= 0 && (best.count == 0 || rest.norm() < best.rest.norm())) best = {rest, {i}, {push, 0, 0}, 1};
  }
  for (walls[0] = 0; walls[0] < all; ++walls[0])
    for (walls[1] = walls[0] + 1; walls[1] < all; ++walls[1]) consider(2);
  for (walls[0] = 0; walls[0] < all; ++walls[0])
    for (walls[1] = walls[0] + 1; walls[1] < all; ++walls[1])
      for (walls[2] = walls[1] + 1; walls[2] < all; ++walls[2]) consider(3);
  return best;
}

/// A point, and the walls that push it there.
struct Corner {
  Vec3 p;
  std::array<int, 3> walls{};
  int count = 0;
};

// Of `from`: the nearest point in front of all walls, and on those that are kept. Three walls are enough to push it
// there, so that all sets of up to three are tried. Empty where no set will do to within `rounding`.
std::optional<Corner> nearest_in_front(const Vec3& from, std::span<const ConstraintWall> walls, double rounding) {
  constexpr double kParallel = 1e-12;
  std::optional<Corner> best;
  std::array<int, 3> chosen{};
  const int all = static_cast<int>(walls.size());
  const auto wall = [&](int i) -> const ConstraintWall& { return walls[static_cast<std::size_t>(i)]; };
  const auto consider = [&](int count) {
    Eigen::Matrix3d N = Eigen::Matrix3d::Identity(), A = N;
    Vec3 c = Vec3::Zero();
    for (int i = 0; i < count; ++i) {
      N.col(i) = wall(chosen[static_cast<std::size_t>(i)]).n;
      c[i] = wall(chosen[static_cast<std::size_t>(i)]).b - N.col(i).dot(from);
    }
    A.topLeftCorner(count, count) = N.leftCols(count).transpose() * N.leftCols(count);
    if (std::abs(A.determinant()) < kParallel) return;
    const Vec3 push = A.inverse() * c;
    for (int i = 0; i < count; ++i)
      if (!wall(chosen[static_cast<std::size_t>(i)]).kept && push[i] < 0) return;
    Vec3 p = from + N.leftCols(count) * push.head(count);
    // Once more, for what rounding has left.
    for (int i = 0; i < count; ++i) c[i] = wall(chosen[static_cast<std::size_t>(i)]).b - N.col(i).dot(p);
    p += N.leftCols(count) * (A.inverse() * c).head(count);
    if (best && (p - from).norm() >= (best->p - from).norm()) return;
    for (const ConstraintWall& w : walls) {
      const double phi = w.n.dot(p) - w.b;
      if (phi < -rounding || (w.kept && phi > rounding)) return;
    }
    best = Corner{p, chosen, count};
  };
  consider(0);
  for (chosen[0] = 0; chosen[0] < all; ++chosen[0]) {
    consider(1);
    for (chosen[1] = chosen[0] + 1; chosen[1] < all; ++chosen[1]) {
      consider(2);
      for (chosen[2] = chosen[1] + 1; chosen[2] < all; ++chosen[2]) consider(3);
    }
  }
  return best;
}

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

// How a vertex is held: by one of a box's pairs of faces, 1 to 3 by their axis, or by anything else.
constexpr std::uint8_t kHeldByNoFace = 4;

std::uint8_t hold_of(const Obstacle& obstacle, const Vec3& n) {
  if (!std::holds_alternative<Box>(obstacle.shape)) return kHeldByNoFace;
  Eigen::Index axis = 0;
  (obstacle.pose.R.transpose() * n).cwiseAbs().maxCoeff(&axis);
  return static_cast<std::uint8_t>(1 + axis);
}

// A face ends at its edges: what is beyond them in its plane is free. Held there, it would never get off.
bool has_slid_off(const Obstacle& obstacle, std::uint8_t hold, const Vec3& p) {
  if (hold == 0 || hold == kHeldByNoFace) return false;
  const Vec3 beyond = obstacle.pose.undo(p).cwiseAbs() - std::get<Box>(obstacle.shape).half;
  for (int axis = 0; axis < 3; ++axis)
    if (axis != hold - 1 && beyond[axis] > 0) return true;
  return false;
}

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

// The walls are the obstacles' tangent planes at the nearest points, so that one wall is met at once, and several flat
// ones in as many rounds as it takes to find them.
void ObstacleConstraints::project_vertex(std::size_t place, Points& x) {
  const int v = vertices_[place];
  const Vec3 from = x.row(v).transpose();
  const double rounding = kOnTheSurface * scale_at(from);
  const std::size_t first = projections_.size();
  std::vector<ConstraintWall>& walls = walls_;
  walls.clear();
  std::optional<Projection> only;
  Vec3 p = from;
  for (int round = 0; round < kMostRounds; ++round) {
    bool broken = false;
    Nearest one{};
    for (std::size_t o = 0; o < obstacles_.size(); ++o) {
      const Obstacle& obstacle = model_.obstacles[static_cast<std::size_t>(obstacles_[o])];
      const bool active = is_active(place, o) && !has_slid_off(obstacle, active_[place * obstacles_.size() + o], p);
      const auto known =
          std::find_if(walls.begin(), walls.end(), [o](const ConstraintWall& w) { return w.obstacle == o; });
      const Nearest there = nearest(obstacle, p);
      const bool off = there.distance < -rounding || (active && std::abs(there.distance) > rounding);
      if (!off && !active && known == walls.end()) continue;
      broken = broken || off;
      const ConstraintWall wall{o, there.normal, there.normal.dot(p) - there.distance, active};
      if (known != walls.end()) {
        *known = wall;
      } else {
        walls.push_back(wall);
      }
      if (walls.size() == 1) one = there;
    }
    // What is active has a tangent to go along, moved or not.
    if (walls.empty() || (!broken && round > 0)) return;
    projections_.erase(projections_.begin() + static_cast<std::ptrdiff_t>(first), projections_.end());
    const Vec3 before = p;
    if (walls.size() == 1) {
      const Obstacle& obstacle = model_.obstacles[static_cast<std::size_t>(obstacles_[walls[0].obstacle])];
      if (!only) only = {v, place, one.normal, one.distance * curvature(obstacle, p)};
      projections_.push_back(*only);
      p = one.point;
    } else if (const auto corner = nearest_in_front(from, walls, 4 * rounding)) {
      p = corner->p;
      for (int i = 0; i < corner->count; ++i) {
        Vec3 n = walls[static_cast<std::size_t>(corner->walls[static_cast<std::size_t>(i)])].n;
        for (std::size_t k = first; k < projections_.size(); ++k) n -= projections_[k].n * projections_[k].n.dot(n);
        projections_.push_back({v, place, n.normalized(), flat()});
      }
    } else {
      // Walls that leave no room, or are too nearly parallel to tell: one after the other.
      for (const ConstraintWall& w : walls) {
        const double phi = w.n.dot(p) - w.b;
        if (phi >= 0 && !w.kept) continue;
        p -= phi * w.n;
        projections_.push_back({v, place, w.n, flat()});
      }
    }
    x.row(v) = p.transpose();
    if (obstacles_.size() == 1 || (p - before).cwiseAbs().maxCoeff() <= rounding) return;
  }
}

void ObstacleConstraints::way(Points& d) const {
  for (const Projection& at : projections_) {
    const Vec3 here = d.row(at.vertex).transpose();
    d.row(at.vertex) -= (at.n * at.n.dot(here) + at.bend * here).transpose();
  }
}

void ObstacleConstraints::reduce(const Points& x, Points& gradient) const {
  Touching touching;
  int done = -1;
  for (const Projection& at : projections_) {
    if (at.vertex == done) continue;
    done = at.vertex;
    find_touching(x.row(done).transpose(), touching);
    // What is active stays on its obstacle in this search, pressed on or not.
    for (std::size_t i = 0, all = touching.n.size(); i < all; ++i)
      if (is_active(at.place, touching.obstacles[i])) touching.n.push_back(-touching.n[i]);
    gradient.row(done) = support(gradient.row(done).transpose(), touching.n).rest.transpose();
  }
}

void ObstacleConstraints::activate(const Points& x, const Points& gradient) {
  tangents_.clear();
  held_.clear();
  std::fill(active_.begin(), active_.end(), 0);
  for (std::size_t place = 0; place < vertices_.size(); ++place)
    activate_vertex(place, x.row(vertices_[place]).transpose(), gradient.row(vertices_[place]).transpose());
}

void ObstacleConstraints::find_touching(const Vec3& at, Touching& touching) const {
  touching.obstacles.clear();
  touching.n.clear();
  for (std::size_t o = 0; o < obstacles_.size(); ++o) {
    const Nearest there = nearest(model_.obstacles[static_cast<std::size_t>(obstacles_[o])], at);
    if (there.distance > kMayBeActive * scale_at(at)) continue;
    touching.obstacles.push_back(o);
    touching.n.push_back(there.normal);
  }
}

void ObstacleConstraints::activate_vertex(std::size_t place, const Vec3& at, const Vec3& gradient) {
  find_touching(at, touching_);
  if (touching_.n.empty()) return;
  const Support held = support(gradient, touching_.n);
  const std::size_t first = tangents_.size();
  for (int i = 0; i < held.count; ++i) {
    const auto wall = static_cast<std::size_t>(held.walls[static_cast<std::size_t>(i)]);
    const std::size_t o = touching_.obstacles[wall];
    const Obstacle& obstacle = model_.obstacles[static_cast<std::size_t>(obstacles_[o])];
    active_[place * obstacles_.size() + o] = hold_of(obstacle, touching_.n[wall]);
    held_.push_back({vertices_[place], obstacles_[o], touching_.n[wall], held.push[i]});
    Vec3 n = touching_.n[wall];
    for (std::size_t k = first; k < tangents_.size(); ++k) n -= tangents_[k].n * tangents_[k].n.dot(n);
    tangents_.push_back(
        {vertices_[place], n.normalized(), held.push[i], held.count == 1 ? curvature(obstacle, at) : flat()});
  }
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
