// Tets, included by materials.cpp alone.
#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "sim/base/first_root.hpp"
#include "sim/energy/element_sum.hpp"
#include "sim/energy/solid_batch.hpp"
#include "sim/energy/solid_hessian_kernel.hpp"
#include "sim/energy/tets.hpp"

namespace rebound::sim {
namespace tets {

inline constexpr int kTetsATask = 128;

/// D_s of a tetrahedron: its edges from the first corner.
inline Eigen::Matrix3d edges(const Points& x, const std::array<int, 4>& v) {
  Eigen::Matrix3d D;
  for (int k = 0; k < 3; ++k) D.col(k) = (x.row(v[k + 1]) - x.row(v[0])).transpose();
  return D;
}

/// Row k is b_k.
inline Eigen::Matrix<double, 4, 3> gradients(const Eigen::Matrix3d& inverse_rest) {
  Eigen::Matrix<double, 4, 3> b;
  b.bottomRows<3>() = inverse_rest;
  b.row(0) = -inverse_rest.colwise().sum();
  return b;
}

/// Of laws whose P takes no rotation.
template <TetMaterial Material>
constexpr bool has_wide_hessian() {
  return Material::kFloatLaw == FloatLaw::stvk || Material::kFloatLaw == FloatLaw::neo_hookean ||
         Material::kFloatLaw == FloatLaw::stable_neo_hookean;
}

template <TetMaterial Material>
auto wide_hessian() {
  const SolidHessianKernel& kernel = solid_hessian_kernel();
  if constexpr (Material::kFloatLaw == FloatLaw::stvk) return kernel.stvk;
  if constexpr (Material::kFloatLaw == FloatLaw::neo_hookean) return kernel.neo_hookean;
  if constexpr (Material::kFloatLaw == FloatLaw::stable_neo_hookean) return kernel.stable_neo_hookean;
}

}  // namespace tets

template <TetMaterial Material>
Tets<Material>::Tets(const Points& rest, std::span<const std::array<int, 4>> tets,
                     std::span<const MaterialValues> values, std::span<const double> fill) {
  std::vector<int> vertex_of;
  tets_.reserve(tets.size());
  vertex_of.reserve(4 * tets.size());
  for (std::size_t t = 0; t < tets.size(); ++t) {
    const Eigen::Matrix3d Dm = tets::edges(rest, tets[t]);
    const double volume = Dm.determinant() / 6;
    assert(volume > 0);
    tets_.push_back({tets[t], Dm.inverse(), volume * fill[t], Material(values[t])});
    vertex_of.insert(vertex_of.end(), tets[t].begin(), tets[t].end());
  }
  incidence_ = Incidence(vertex_of);
}

template <TetMaterial Material>
double Tets<Material>::value(const Points& x, Workspace& work) const {
  return sum_elements(tets_.size(), tets::kTetsATask, work, [&](std::size_t t) {
    const Tet& tet = tets_[t];
    return tet.volume * tet.material.psi(tets::edges(x, tet.vertex) * tet.inverse_rest);
  });
}

template <TetMaterial Material>
double Tets<Material>::add_gradient(const Points& x, Points& gradient, Workspace& work) const {
  const auto slots = work.element_forces(12 * tets_.size());
  const double total = sum_elements(tets_.size(), tets::kTetsATask, work, [&](std::size_t t) {
    const Tet& tet = tets_[t];
    double psi = 0;
    const Eigen::Matrix3d P = tet.material.P(tets::edges(x, tet.vertex) * tet.inverse_rest, psi);
    const Eigen::Matrix3d corners = tet.volume * P * tet.inverse_rest.transpose();
    Eigen::Map<Eigen::Matrix<double, 3, 4>> forces(slots.data() + 12 * t);
    forces.template rightCols<3>() = corners;
    forces.col(0) = -corners.rowwise().sum();
    return tet.volume * psi;
  });
  incidence_.gather(slots, gradient, work.workers);
  return total;
}

template <TetMaterial Material>
void Tets<Material>::add_laplacian(Triplets& L) const {
  for (const Tet& tet : tets_) {
    const auto b = tets::gradients(tet.inverse_rest);
    const double weight = tet.volume * tet.material.rest_stiffness();
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k)
        if (tet.vertex[j] >= tet.vertex[k])
          L.emplace_back(tet.vertex[j], tet.vertex[k], weight * b.row(j).dot(b.row(k)));
  }
}

template <TetMaterial Material>
void Tets<Material>::add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const {
  if (!H.knows(this)) {
    std::vector<std::array<int, 4>> corners;
    corners.reserve(tets_.size());
    for (const Tet& tet : tets_) corners.push_back(tet.vertex);
    H.learn<4>(this, corners);
  }
  double* blocks = H.element_blocks(this).data();
  work.workers.run(element_tasks(tets_.size(), tets::kTetsATask), [&](int task) {
    const std::size_t first = static_cast<std::size_t>(task) * tets::kTetsATask;
    const std::size_t end = std::min(tets_.size(), first + tets::kTetsATask);
    if constexpr (tets::has_wide_hessian<Material>())
      if (curvature == Curvature::exact) return wide_hessians(x, first, end, H, blocks);
    for (std::size_t t = first; t < end; ++t)
      if (H.wants(tets_[t].vertex[0]))
        element_hessian(x, curvature, tets_[t], blocks + HessianBlocks::kElementNumbers * t);
  });
  H.add_element_blocks(this, work.workers);
}

// The ten blocks of one tetrahedron.
template <TetMaterial Material>
void Tets<Material>::element_hessian(const Points& x, Curvature curvature, const Tet& tet, double* blocks) const {
  const Matrix9 dPdF = tet.material.dPdF(tets::edges(x, tet.vertex) * tet.inverse_rest, curvature);
  const auto b = tets::gradients(tet.inverse_rest);
  Eigen::Matrix<double, 9, 3> along[4];
  for (int k = 0; k < 4; ++k)
    along[k] =
        tet.volume * (b(k, 0) * dPdF.leftCols<3>() + b(k, 1) * dPdF.middleCols<3>(3) + b(k, 2) * dPdF.rightCols<3>());
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k <= j; ++k, blocks += 9) {
      Eigen::Map<Eigen::Matrix3d> block(blocks);
      block = b(j, 0) * along[k].template topRows<3>() + b(j, 1) * along[k].template middleRows<3>(3) +
              b(j, 2) * along[k].template bottomRows<3>();
    }
}

// Those of the tetrahedra [first, end), eight at a time, where one of the eight is wanted.
template <TetMaterial Material>
void Tets<Material>::wide_hessians(const Points& x, std::size_t first, std::size_t end, const HessianBlocks& H,
                                   double* blocks) const {
  SolidHessianInput input;
  for (std::size_t group = first; group < end; group += kHessianLanes) {
    const int count = static_cast<int>(std::min<std::size_t>(kHessianLanes, end - group));
    const auto wanted = [&](const Tet& tet) { return H.wants(tet.vertex[0]); };
    if (std::none_of(&tets_[group], &tets_[group] + count, wanted)) continue;
    for (int lane = 0; lane < kHessianLanes; ++lane) {
      const Tet& tet = tets_[group + static_cast<std::size_t>(std::min(lane, count - 1))];
      Eigen::Matrix3d F = tets::edges(x, tet.vertex) * tet.inverse_rest;
      // Where W is infinite it has no curvature.
      const double J = F.determinant();
      const double share = Material::kHasBarrier && !(J > 0) ? 0 : tet.volume;
      if (share == 0) F.setIdentity();
      for (int i = 0; i < 9; ++i) {
        input.F[i][lane] = F(i / 3, i % 3);
        input.inverse_rest[i][lane] = tet.inverse_rest(i / 3, i % 3);
      }
      const Lame& of = tet.material.lame();
      input.mu[lane] = of.mu * share;
      input.lambda[lane] = of.lambda * share;
      if constexpr (Material::kHasBarrier) input.log_J[lane] = share == 0 ? 0 : std::log(J);
    }
    tets::wide_hessian<Material>()(input, count, blocks + HessianBlocks::kElementNumbers * group,
                                   HessianBlocks::kElementNumbers);
  }
}

template <TetMaterial Material>
std::unique_ptr<FloatBatch> Tets<Material>::float_batch(std::span<const int> place, const Partition& partition,
                                                        const FloatKernel& kernel) const {
  std::vector<FloatSolid> solids;
  solids.reserve(tets_.size());
  for (const Tet& tet : tets_) {
    const Lame& of = tet.material.lame();
    FloatSolid solid{{}, {}, static_cast<float>(of.mu * tet.volume), static_cast<float>(of.lambda * tet.volume)};
    for (int k = 0; k < 4; ++k) solid.vertex[k] = place[static_cast<std::size_t>(tet.vertex[k])];
    for (int i = 0; i < 9; ++i) solid.inverse_rest[i] = static_cast<float>(tet.inverse_rest(i / 3, i % 3));
    solids.push_back(solid);
  }
  return std::make_unique<SolidBatch>(Material::kFloatLaw, solids, partition, kernel);
}

// det(F + t dF) is a cubic in t.
template <TetMaterial Material>
double Tets<Material>::largest_step(const Points& x, const Points& d) const {
  double first = std::numeric_limits<double>::infinity();
  if constexpr (Material::kHasBarrier) {
    first = kFarthestStep;
    for (const Tet& tet : tets_) {
      const Eigen::Matrix3d F = tets::edges(x, tet.vertex) * tet.inverse_rest;
      const Eigen::Matrix3d dF = tets::edges(d, tet.vertex) * tet.inverse_rest;
      const double J = F.determinant();
      if (!(J > 0)) return 0;
      const double b = cofactor(F).cwiseProduct(dF).sum(), c = cofactor(dF).cwiseProduct(F).sum(), e = dF.determinant();
      // Most tetrahedra are far from flat.
      if (may_have_root(J, b, c, e, first)) first = std::min(first, first_root(J, b, c, e));
    }
  }
  return kShareOfTheWay * first;
}

template <TetMaterial Material>
void Tets<Material>::find_inside_out(const Points& x, InsideOut& found) const {
  for (const Tet& tet : tets_) {
    const Eigen::Matrix3d D = tets::edges(x, tet.vertex);
    if (D.determinant() > 0) continue;  // at rest it is positive
    ++found.elements;
    found.energy += tet.volume * tet.material.psi(D * tet.inverse_rest);
    found.middles.push_back(x.row(tet.vertex[0]).transpose() + D.rowwise().sum() / 4);
  }
}

template <TetMaterial Material>
void Tets<Material>::add_element_fields(const Points& x, std::vector<ElementField>& fields, Workspace& work) const {
  append_fields(tets_.size(), fields, work, [&](std::size_t t) {
    const Tet& tet = tets_[t];
    const Eigen::Matrix3d F = tets::edges(x, tet.vertex) * tet.inverse_rest;
    ElementField field{tet.vertex, 4, tet.volume};
    const Eigen::Matrix3d P = tet.material.P(F, field.energy);
    field.stress = von_mises_of(P * F.transpose(), F.determinant());
    field.strain = largest_strain<3>(F.transpose() * F);
    return field;
  });
}

}  // namespace rebound::sim
