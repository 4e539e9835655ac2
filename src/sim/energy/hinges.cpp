#include "sim/energy/hinges.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "sim/energy/element_sum.hpp"
#include "sim/energy/triangle_batch.hpp"

namespace rebound::sim {
namespace {

constexpr int kHingesATask = 256;
/// The sine of a corner, squared, below which a triangle counts as one without area.
constexpr double kNoArea = 1e-12;

/// Columns: the slopes of the angle at the four vertices, 1/m.
using HingeSlopes = Eigen::Matrix<double, 3, 4>;

/// A hinge where its vertices are.
struct Fold {
  Fold(const Points& x, const std::array<int, 4>& vertex) {
    const Vec3 origin = x.row(vertex[0]).transpose();
    e = x.row(vertex[1]).transpose() - origin;
    u = x.row(vertex[2]).transpose() - origin;
    v = x.row(vertex[3]).transpose() - origin;
    N1 = e.cross(u);
    N2 = v.cross(e);
    const double squared = e.squaredNorm();
    has_angle = N1.squaredNorm() > kNoArea * squared * u.squaredNorm() &&
                N2.squaredNorm() > kNoArea * squared * v.squaredNorm();
    length = std::sqrt(squared);
    a = e.dot(u) / squared;
    b = e.dot(v) / squared;
  }

  double angle() const { return std::atan2(-length * N1.dot(v), N1.dot(N2)); }
  HingeSlopes slopes() const {
    HingeSlopes g;
    g.col(2) = -length / N1.squaredNorm() * N1;
    g.col(3) = -length / N2.squaredNorm() * N2;
    g.col(1) = -(a * g.col(2) + b * g.col(3));
    g.col(0) = -((1 - a) * g.col(2) + (1 - b) * g.col(3));
    return g;
  }

  Vec3 e, u, v, N1, N2;
  double length, a, b;
  bool has_angle;
};

/// Between -pi and pi.
double angle_between(double angle, double rest) {
  double off = angle - rest;
  if (off > std::numbers::pi) off -= 2 * std::numbers::pi;
  if (off < -std::numbers::pi) off += 2 * std::numbers::pi;
  return off;
}

Eigen::Matrix3d cross_matrix(const Vec3& a) {
  Eigen::Matrix3d matrix;
  matrix << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return matrix;
}

/// d(N/|N|^2)/dN.
Eigen::Matrix3d inversion(const Vec3& N) {
  const double squared = N.squaredNorm();
  return (Eigen::Matrix3d::Identity() - 2 / squared * N * N.transpose()) / squared;
}

/// d2theta by vertices: block(3 i, 3 j).
Eigen::Matrix<double, 12, 12> second_slopes(const Fold& fold, const HingeSlopes& g) {
  const auto& [e, u, v, N1, N2, length, a, b, has_angle] = fold;
  const Vec3 unit = e / length;
  const double squared = length * length;
  const Eigen::Matrix3d K1 = length * inversion(N1), K2 = length * inversion(N2), E = cross_matrix(e);
  // How the slopes at x2 and x3 change with e, and each with its own vertex.
  const Eigen::Matrix3d third_e = -N1 / N1.squaredNorm() * unit.transpose() + K1 * cross_matrix(u);
  const Eigen::Matrix3d fourth_e = -N2 / N2.squaredNorm() * unit.transpose() - K2 * cross_matrix(v);
  const Vec3 da = (u - 2 * a * e) / squared, db = (v - 2 * b * e) / squared;
  Eigen::Matrix<double, 12, 12> H = Eigen::Matrix<double, 12, 12>::Zero();
  H.block<3, 3>(3, 3) = -(g.col(2) * da.transpose() + a * third_e + g.col(3) * db.transpose() + b * fourth_e);
  H.block<3, 3>(6, 3) = third_e;
  H.block<3, 3>(9, 3) = fourth_e;
  H.block<3, 3>(3, 6) = third_e.transpose();
  H.block<3, 3>(3, 9) = fourth_e.transpose();
  H.block<3, 3>(6, 6) = -K1 * E;
  H.block<3, 3>(9, 9) = K2 * E;
  // Moved as a whole, nothing changes.
  for (int k = 3; k < 12; k += 3) {
    H.block<3, 3>(0, k) = -(H.block<3, 3>(3, k) + H.block<3, 3>(6, k) + H.block<3, 3>(9, k));
    H.block<3, 3>(k, 0) = H.block<3, 3>(0, k).transpose();
  }
  H.block<3, 3>(0, 0) = -(H.block<3, 3>(0, 3) + H.block<3, 3>(0, 6) + H.block<3, 3>(0, 9));
  return H;
}

double bending_stiffness(const MaterialValues& of) {
  return of.bending * of.young * std::pow(of.thickness, 3) / (24 * (1 - of.poisson * of.poisson));
}

/// A triangle at an edge, and its third vertex.
struct EdgeSide {
  int low, high, triangle, apex;
  bool operator<(const EdgeSide& other) const {
    return std::tie(low, high, triangle) < std::tie(other.low, other.high, other.triangle);
  }
};

std::vector<EdgeSide> sides_of(std::span<const std::array<int, 3>> triangles) {
  std::vector<EdgeSide> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), static_cast<int>(t), triangles[t][(k + 2) % 3]});
    }
  std::sort(sides.begin(), sides.end());
  return sides;
}

}  // namespace

Hinges::Hinges(const Points& rest, std::span<const std::array<int, 3>> triangles,
               std::span<const MaterialValues> values) {
  const std::vector<EdgeSide> sides = sides_of(triangles);
  std::vector<int> vertex_of;
  for (std::size_t i = 1; i < sides.size(); ++i) {
    const EdgeSide &one = sides[i - 1], &other = sides[i];
    if (one.low != other.low || one.high != other.high) continue;
    const MaterialValues &of = values[static_cast<std::size_t>(one.triangle)],
                         &beside = values[static_cast<std::size_t>(other.triangle)];
    const double kappa = 0.5 * (bending_stiffness(of) + bending_stiffness(beside));
    if (!(kappa > 0)) continue;
    Hinge hinge{{one.low, one.high, one.apex, other.apex}, 0, 0, {}};
    const Fold fold(rest, hinge.vertex);
    hinge.rest_angle = fold.has_angle ? fold.angle() : 0;
    const double twice_1 = fold.N1.norm(), twice_2 = fold.N2.norm();
    hinge.stiffness = kappa * fold.length * fold.length / (0.5 * (twice_1 + twice_2));
    // The sheet that pretension has stretched is smaller at rest.
    const double smaller = 1 + 0.5 * (of.pretension + beside.pretension);
    const double third = smaller * fold.length / twice_1, fourth = smaller * fold.length / twice_2;
    hinge.slopes = {(1 - fold.a) * third + (1 - fold.b) * fourth, fold.a * third + fold.b * fourth, -third, -fourth};
    hinges_.push_back(hinge);
    vertex_of.insert(vertex_of.end(), hinge.vertex.begin(), hinge.vertex.end());
  }
  incidence_ = Incidence(vertex_of);
}

double Hinges::value(const Points& x, Workspace& work) const {
  return sum_elements(hinges_.size(), kHingesATask, work, [&](std::size_t h) {
    const Hinge& hinge = hinges_[h];
    const Fold fold(x, hinge.vertex);
    if (!fold.has_angle) return 0.0;
    const double off = angle_between(fold.angle(), hinge.rest_angle);
    return hinge.stiffness * off * off;
  });
}

double Hinges::add_gradient(const Points& x, Points& gradient, Workspace& work) const {
  const auto slots = work.element_forces(12 * hinges_.size());
  const double total = sum_elements(hinges_.size(), kHingesATask, work, [&](std::size_t h) {
    const Hinge& hinge = hinges_[h];
    Eigen::Map<HingeSlopes> forces(slots.data() + 12 * h);
    const Fold fold(x, hinge.vertex);
    if (!fold.has_angle) {
      forces.setZero();
      return 0.0;
    }
    const double off = angle_between(fold.angle(), hinge.rest_angle);
    forces = 2 * hinge.stiffness * off * fold.slopes();
    return hinge.stiffness * off * off;
  });
  incidence_.gather(slots, gradient, work.workers);
  return total;
}

void Hinges::add_laplacian(Triplets& L) const {
  for (const Hinge& hinge : hinges_)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 4; ++k)
        if (hinge.vertex[j] >= hinge.vertex[k])
          L.emplace_back(hinge.vertex[j], hinge.vertex[k], 2 * hinge.stiffness * hinge.slopes[j] * hinge.slopes[k]);
}

void Hinges::add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const {
  if (!H.knows(this)) {
    std::vector<std::array<int, 4>> corners;
    corners.reserve(hinges_.size());
    for (const Hinge& hinge : hinges_) corners.push_back(hinge.vertex);
    H.learn<4>(this, corners);
  }
  double* blocks = H.element_blocks(this).data();
  work.workers.run(element_tasks(hinges_.size(), kHingesATask), [&](int task) {
    const std::size_t first = static_cast<std::size_t>(task) * kHingesATask;
    const std::size_t end = std::min(hinges_.size(), first + kHingesATask);
    for (std::size_t h = first; h < end; ++h)
      element_hessian(x, curvature, hinges_[h], blocks + HessianBlocks::kElementNumbers * h);
  });
  H.add_element_blocks(this, work.workers);
}

void Hinges::element_hessian(const Points& x, Curvature curvature, const Hinge& hinge, double* blocks) const {
  const Fold fold(x, hinge.vertex);
  if (!fold.has_angle) {
    std::fill_n(blocks, HessianBlocks::kElementNumbers, 0.0);
    return;
  }
  const HingeSlopes g = fold.slopes();
  const double off = angle_between(fold.angle(), hinge.rest_angle);
  using Second = Eigen::Matrix<double, 12, 12>;
  const bool exact = curvature == Curvature::exact;
  const Second second = exact ? second_slopes(fold, g) : Second(Second::Zero());
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k <= j; ++k, blocks += 9) {
      Eigen::Map<Eigen::Matrix3d> block(blocks);
      block = g.col(j) * g.col(k).transpose();
      if (exact) block += off * second.block<3, 3>(3 * j, 3 * k);
      block *= 2 * hinge.stiffness;
    }
}

std::unique_ptr<FloatBatch> Hinges::float_batch(std::span<const int> place, const PartTree& tree,
                                                const FloatKernel& kernel) const {
  std::vector<FloatHinge> list;
  list.reserve(hinges_.size());
  for (const Hinge& hinge : hinges_) {
    FloatHinge one{{}, static_cast<float>(hinge.rest_angle), static_cast<float>(hinge.stiffness)};
    for (std::size_t k = 0; k < 4; ++k) one.vertex[k] = place[static_cast<std::size_t>(hinge.vertex[k])];
    list.push_back(one);
  }
  return std::make_unique<HingeBatch>(list, tree, kernel);
}

}  // namespace rebound::sim
