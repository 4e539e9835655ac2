// Triangles, included by membrane.cpp alone.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <limits>

#include "sim/base/first_root.hpp"
#include "sim/energy/element_sum.hpp"
#include "sim/energy/triangle_batch.hpp"
#include "sim/energy/triangles.hpp"

namespace rebound::sim {
namespace triangles {

inline constexpr int kTrianglesATask = 256;
inline constexpr int kBlockNumbers = 54;  ///< of the six blocks of a triangle

/// D_s: the edges from the first corner.
inline Matrix32 edges(const Points& x, const std::array<int, 3>& v) {
  Matrix32 D;
  for (int k = 0; k < 2; ++k) D.col(k) = (x.row(v[k + 1]) - x.row(v[0])).transpose();
  return D;
}

/// The same edges in the plane of the triangle, the first along the first axis.
inline Eigen::Matrix2d in_plane(const Matrix32& D) {
  const double length = D.col(0).norm();
  Eigen::Matrix2d plane;
  plane << length, D.col(0).dot(D.col(1)) / length, 0, D.col(0).cross(D.col(1)).norm() / length;
  return plane;
}

/// Row k is b_k.
inline Matrix32 gradients(const Eigen::Matrix2d& inverse_rest) {
  Matrix32 b;
  b.bottomRows<2>() = inverse_rest;
  b.row(0) = -inverse_rest.colwise().sum();
  return b;
}

}  // namespace triangles

template <TriangleMaterial Material>
Triangles<Material>::Triangles(const Points& rest, std::span<const std::array<int, 3>> given,
                               std::span<const MaterialValues> values) {
  std::vector<int> vertex_of;
  triangles_.reserve(given.size());
  vertex_of.reserve(3 * given.size());
  for (std::size_t t = 0; t < given.size(); ++t) {
    const Eigen::Matrix2d Dm = triangles::in_plane(triangles::edges(rest, given[t])) / (1 + values[t].pretension);
    const double area = 0.5 * Dm.determinant();
    assert(area > 0);
    triangles_.push_back({given[t], Dm.inverse(), area * values[t].thickness, Material(values[t])});
    vertex_of.insert(vertex_of.end(), given[t].begin(), given[t].end());
  }
  incidence_ = Incidence(vertex_of);
}

template <TriangleMaterial Material>
double Triangles<Material>::value(const Points& x, Workspace& work) const {
  return sum_elements(triangles_.size(), triangles::kTrianglesATask, work, [&](std::size_t t) {
    const Triangle& of = triangles_[t];
    return of.volume * of.material.psi(triangles::edges(x, of.vertex) * of.inverse_rest);
  });
}

template <TriangleMaterial Material>
double Triangles<Material>::add_gradient(const Points& x, Points& gradient, Workspace& work) const {
  const auto slots = work.element_forces(9 * triangles_.size());
  const double total = sum_elements(triangles_.size(), triangles::kTrianglesATask, work, [&](std::size_t t) {
    const Triangle& of = triangles_[t];
    double psi = 0;
    const Matrix32 P = of.material.P(triangles::edges(x, of.vertex) * of.inverse_rest, psi);
    const Matrix32 corners = of.volume * P * of.inverse_rest.transpose();
    Eigen::Map<Eigen::Matrix3d> forces(slots.data() + 9 * t);
    forces.template rightCols<2>() = corners;
    forces.col(0) = -corners.rowwise().sum();
    return of.volume * psi;
  });
  incidence_.gather(slots, gradient, work.workers);
  return total;
}

template <TriangleMaterial Material>
void Triangles<Material>::add_laplacian(Triplets& L) const {
  for (const Triangle& of : triangles_) {
    const Matrix32 b = triangles::gradients(of.inverse_rest);
    const double weight = of.volume * of.material.rest_stiffness();
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        if (of.vertex[j] >= of.vertex[k]) L.emplace_back(of.vertex[j], of.vertex[k], weight * b.row(j).dot(b.row(k)));
  }
}

template <TriangleMaterial Material>
void Triangles<Material>::add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const {
  if (!H.knows(this)) {
    std::vector<std::array<int, 3>> corners;
    corners.reserve(triangles_.size());
    for (const Triangle& of : triangles_) corners.push_back(of.vertex);
    H.learn<3>(this, corners);
  }
  double* blocks = H.element_blocks(this).data();
  work.workers.run(element_tasks(triangles_.size(), triangles::kTrianglesATask), [&](int task) {
    const std::size_t first = static_cast<std::size_t>(task) * triangles::kTrianglesATask;
    const std::size_t end = std::min(triangles_.size(), first + triangles::kTrianglesATask);
    for (std::size_t t = first; t < end; ++t)
      element_hessian(x, curvature, triangles_[t], blocks + triangles::kBlockNumbers * t);
  });
  H.add_element_blocks(this, work.workers);
}

template <TriangleMaterial Material>
void Triangles<Material>::element_hessian(const Points& x, Curvature curvature, const Triangle& of, double* blocks) const {
  const Matrix6 dPdF = of.material.dPdF(triangles::edges(x, of.vertex) * of.inverse_rest, curvature);
  const Matrix32 b = triangles::gradients(of.inverse_rest);
  for (int j = 0; j < 3; ++j) {
    const Eigen::Matrix<double, 3, 6> along =
        of.volume * (b(j, 0) * dPdF.template topRows<3>() + b(j, 1) * dPdF.template bottomRows<3>());
    for (int k = 0; k <= j; ++k, blocks += 9) {
      Eigen::Map<Eigen::Matrix3d> block(blocks);
      block = b(k, 0) * along.template leftCols<3>() + b(k, 1) * along.template rightCols<3>();
    }
  }
}

// With N the normal at x, N . ((e1 + t d1) x (e2 + t d2)) is a quadratic in t.
template <TriangleMaterial Material>
double Triangles<Material>::largest_step(const Points& x, const Points& d, Workspace& work) const {
  if constexpr (Material::kHasBarrier) {
    const auto triangle_step = [&](std::size_t t, double first) {
      const Triangle& of = triangles_[t];
      const Matrix32 e = triangles::edges(x, of.vertex), along = triangles::edges(d, of.vertex);
      const Vec3 N = e.col(0).cross(e.col(1));
      const double squared = N.squaredNorm();
      if (!(squared > 0)) return 0.0;
      const double linear = N.dot(e.col(0).cross(along.col(1)) + along.col(0).cross(e.col(1)));
      const double quadratic = N.dot(along.col(0).cross(along.col(1)));
      return may_have_root(squared, linear, quadratic, 0, first) ? first_root(squared, linear, quadratic, 0) : first;
    };
    constexpr int kATask = triangles::kTrianglesATask;
    return kShareOfTheWay * least_of_elements(triangles_.size(), kATask, kFarthestStep, work, triangle_step);
  }
  return std::numeric_limits<double>::infinity();
}

template <TriangleMaterial Material>
std::unique_ptr<FloatBatch> Triangles<Material>::float_batch(std::span<const int> place, const Partition& partition,
                                                             const FloatKernel& kernel) const {
  std::vector<FloatTriangle> list;
  list.reserve(triangles_.size());
  for (const Triangle& of : triangles_) {
    const PlaneLame& lame = of.material.lame();
    FloatTriangle triangle{{}, {}, static_cast<float>(lame.mu * of.volume), static_cast<float>(lame.lambda * of.volume)};
    for (int k = 0; k < 3; ++k) triangle.vertex[k] = place[static_cast<std::size_t>(of.vertex[k])];
    for (int i = 0; i < 4; ++i) triangle.inverse_rest[i] = static_cast<float>(of.inverse_rest(i / 2, i % 2));
    list.push_back(triangle);
  }
  return std::make_unique<TriangleBatch>(Material::kFloatLaw, list, partition, kernel);
}

template <TriangleMaterial Material>
void Triangles<Material>::add_element_fields(const Points& x, std::vector<ElementField>& fields, Workspace& work) const {
  append_fields(triangles_.size(), fields, work, [&](std::size_t t) {
    const Triangle& of = triangles_[t];
    const Matrix32 F = triangles::edges(x, of.vertex) * of.inverse_rest;
    ElementField field{{of.vertex[0], of.vertex[1], of.vertex[2]}, 3, of.volume};
    const Matrix32 P = of.material.P(F, field.energy);
    field.stress = von_mises_of(P * F.transpose(), F.col(0).cross(F.col(1)).norm());
    field.strain = largest_strain<2>(F.transpose() * F);
    return field;
  });
}

}  // namespace rebound::sim
