// Tets, included where one is made of a material: here by materials.cpp alone.
#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "sim/base/first_root.hpp"
#include "sim/energy/element_sum.hpp"
#include "sim/energy/solid_batch.hpp"
#include "sim/energy/solid_kernel.hpp"
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
constexpr bool is_wide() {
  if constexpr (!kHasFloatLaw<Material>)
    return false;
  else
    return Material::kFloatLaw == FloatLaw::stvk || Material::kFloatLaw == FloatLaw::neo_hookean ||
         Material::kFloatLaw == FloatLaw::stable_neo_hookean;
}

template <TetMaterial Material>
const SolidLaw& wide_law() {
  const SolidKernel& kernel = solid_kernel();
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
  if constexpr (tets::is_wide<Material>()) return wide_gradients(x, nullptr, work);
  return sum_elements(tets_.size(), tets::kTetsATask, work, [&](std::size_t t) {
    const Tet& tet = tets_[t];
    return tet.volume * tet.material.psi(tets::edges(x, tet.vertex) * tet.inverse_rest);
  });
}

template <TetMaterial Material>
double Tets<Material>::add_gradient(const Points& x, Points& gradient, Workspace& work) const {
  const auto slots = work.element_forces(12 * tets_.size());
  if constexpr (tets::is_wide<Material>()) {
    const double sum = wide_gradients(x, slots.data(), work);
    incidence_.gather(slots, gradient, work.workers);
    return sum;
  }
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
    if constexpr (tets::is_wide<Material>())
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

// F := D_s of eight tetrahedra at x, the last of `count` again and again where there are fewer.
template <TetMaterial Material>
void Tets<Material>::read_edges(const Points& x, std::size_t first, int count, SolidInput& input) const {
  for (int lane = 0; lane < kSolidLanes; ++lane) {
    const Tet& tet = tets_[first + static_cast<std::size_t>(std::min(lane, count - 1))];
    const double* from = x.data() + 3 * static_cast<std::ptrdiff_t>(tet.vertex[0]);
    for (int k = 0; k < 3; ++k) {
      const double* to = x.data() + 3 * static_cast<std::ptrdiff_t>(tet.vertex[k + 1]);
      for (int c = 0; c < 3; ++c) input.F[3 * c + k][lane] = to[c] - from[c];
    }
  }
}

template <TetMaterial Material>
void Tets<Material>::read_wide(const Points& x, std::size_t first, int count, SolidInput& input) const {
  read_edges(x, first, count, input);
  for (int lane = 0; lane < kSolidLanes; ++lane) {
    const Tet& tet = tets_[first + static_cast<std::size_t>(std::min(lane, count - 1))];
    for (int i = 0; i < 9; ++i) input.inverse_rest[i][lane] = tet.inverse_rest(i / 3, i % 3);
    const Lame& of = tet.material.lame();
    input.mu[lane] = of.mu * tet.volume;
    input.lambda[lane] = of.lambda * tet.volume;
  }
  solid_kernel().deform(input);
}

// Where W is infinite it has neither slope nor curvature. Returns whether it is, a bit a lane.
template <TetMaterial Material>
unsigned Tets<Material>::set_aside_infinite(SolidInput& input) {
  unsigned infinite = 0;
  if constexpr (Material::kHasBarrier)
    for (int lane = 0; lane < kSolidLanes; ++lane) {
      if (Material::is_upright(input.J[lane])) {
        input.log_J[lane] = std::log(input.J[lane]);
        continue;
      }
      infinite |= 1u << lane;
      for (int i = 0; i < 9; ++i) input.F[i][lane] = i % 4 == 0 ? 1 : 0;
      input.J[lane] = 1;
      input.mu[lane] = input.lambda[lane] = input.log_J[lane] = 0;
    }
  return infinite;
}

// The forces of all, twelve numbers each, where slots is not null: eight at a time. Returns the sum of their energies.
template <TetMaterial Material>
double Tets<Material>::wide_gradients(const Points& x, double* slots, Workspace& work) const {
  return sum_tasks(element_tasks(tets_.size(), tets::kTetsATask), work, [&](int task) {
    const std::size_t first = static_cast<std::size_t>(task) * tets::kTetsATask;
    const std::size_t end = std::min(tets_.size(), first + tets::kTetsATask);
    SolidInput input;
    double energies[kSolidLanes], unwanted[12 * kSolidLanes], sum = 0;
    for (std::size_t group = first; group < end; group += kSolidLanes) {
      const int count = static_cast<int>(std::min<std::size_t>(kSolidLanes, end - group));
      read_wide(x, group, count, input);
      const unsigned infinite = set_aside_infinite(input);
      double* forces = slots != nullptr ? slots + 12 * group : unwanted;
      tets::wide_law<Material>().gradient(input, count, energies, forces);
      for (int lane = 0; lane < count; ++lane)
        sum += (infinite >> lane) % 2 == 0 ? energies[lane] : std::numeric_limits<double>::infinity();
    }
    return sum;
  });
}

// The blocks of the tetrahedra [first, end), eight at a time, where one of the eight is wanted.
template <TetMaterial Material>
void Tets<Material>::wide_hessians(const Points& x, std::size_t first, std::size_t end, const HessianBlocks& H,
                                   double* blocks) const {
  SolidInput input;
  for (std::size_t group = first; group < end; group += kSolidLanes) {
    const int count = static_cast<int>(std::min<std::size_t>(kSolidLanes, end - group));
    const auto wanted = [&](const Tet& tet) { return H.wants(tet.vertex[0]); };
    if (std::none_of(&tets_[group], &tets_[group] + count, wanted)) continue;
    read_wide(x, group, count, input);
    set_aside_infinite(input);
    tets::wide_law<Material>().hessian(input, count, blocks + HessianBlocks::kElementNumbers * group,
                                       HessianBlocks::kElementNumbers);
  }
}

template <TetMaterial Material>
std::unique_ptr<FloatBatch> Tets<Material>::float_batch(std::span<const int> place, const Partition& partition,
                                                        const FloatKernel& kernel) const {
  if constexpr (!kHasFloatLaw<Material>) {
    return Energy::float_batch(place, partition, kernel);
  } else {
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
}

// det(D_s + t dD_s) is a cubic in t: det F times a rest volume.
template <TetMaterial Material>
double Tets<Material>::largest_step(const Points& x, const Points& d, Workspace& work) const {
  if constexpr (Material::kHasBarrier) {
    const auto group_step = [&](std::size_t group, double first) {
      SolidInput of_x, of_d;
      double powers[4][kSolidLanes];
      const std::size_t begin = group * kSolidLanes;
      const int count = static_cast<int>(std::min<std::size_t>(kSolidLanes, tets_.size() - begin));
      read_edges(x, begin, count, of_x);
      read_edges(d, begin, count, of_d);
      solid_kernel().determinant(of_x, of_d, powers);
      for (int lane = 0; lane < count; ++lane) {
        const double a = powers[0][lane], b = powers[1][lane], c = powers[2][lane], e = powers[3][lane];
        if (!(a > 0)) return 0.0;
        // Most tetrahedra are far from flat.
        if (may_have_root(a, b, c, e, first)) first = std::min(first, first_root(a, b, c, e));
      }
      return first;
    };
    const std::size_t groups = (tets_.size() + kSolidLanes - 1) / kSolidLanes;
    constexpr int kGroupsATask = tets::kTetsATask / kSolidLanes;
    return kShareOfTheWay * least_of_elements(groups, kGroupsATask, kFarthestStep, work, group_step);
  }
  return std::numeric_limits<double>::infinity();
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
