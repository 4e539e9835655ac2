#include "sim/energy/arap_tets.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cassert>

#include "sim/energy/arap_batch.hpp"
#include "sim/energy/element_sum.hpp"
#include "sim/energy/signed_svd.hpp"

namespace rebound::sim {
namespace {
constexpr int kGroupsATask = 32;
constexpr int kForcesAGroup = kLanes * 12;
}  // namespace

ArapTets::ArapTets(const Points& rest, std::span<const std::array<int, 4>> tets, std::span<const double> mu,
                   std::span<const double> fill)
    : groups_((tets.size() + kLanes - 1) / kLanes), tet_count_(tets.size()) {
  std::vector<int> vertex_of(groups_.size() * kLanes * 4, -1);
  for (std::size_t slot = 0; slot < groups_.size() * kLanes; ++slot) {
    TetGroup& group = groups_[slot / kLanes];
    const std::size_t lane = slot % kLanes;
    const std::size_t t = std::min(slot, tets.size() - 1);  // unused lanes repeat the last tet, with weight 0
    const Vec3 p0 = rest.row(tets[t][0]);
    Eigen::Matrix3d Dm;
    for (int k = 0; k < 3; ++k) Dm.col(k) = rest.row(tets[t][k + 1]).transpose() - p0;
    const double volume = Dm.determinant() / 6;
    assert(volume > 0);
    const Eigen::Matrix3d inverse = Dm.inverse();
    for (int i = 0; i < 9; ++i) group.inverse_rest[i][lane] = inverse(i / 3, i % 3);
    if (slot < tets.size()) volume_.push_back(volume * (fill.empty() ? 1 : fill[slot]));
    group.weight[lane] = slot < tets.size() ? 2 * mu[t] * volume : 0;
    for (int k = 0; k < 4; ++k) {
      group.vertex[k][lane] = tets[t][k];
      if (slot < tets.size()) vertex_of[slot * 4 + k] = tets[t][k];
    }
  }
  incidence_ = Incidence(vertex_of);
}

// F of one tetrahedron.
Eigen::Matrix3d ArapTets::deformation(const Points& x, std::size_t t) const {
  const TetGroup& group = groups_[t / kLanes];
  const std::size_t lane = t % kLanes;
  Eigen::Matrix3d D, inverse;
  for (int k = 0; k < 3; ++k) D.col(k) = (x.row(group.vertex[k + 1][lane]) - x.row(group.vertex[0][lane])).transpose();
  for (int i = 0; i < 9; ++i) inverse(i / 3, i % 3) = group.inverse_rest[i][lane];
  return D * inverse;
}

int ArapTets::tasks() const { return (static_cast<int>(groups_.size()) + kGroupsATask - 1) / kGroupsATask; }

double ArapTets::value(const Points& x, Workspace& work) const {
  const auto sums = work.partial_sums(tasks());
  const auto energy = arap_kernel().energy;
  work.workers.run(tasks(), [&](int task) {
    const int first = task * kGroupsATask;
    const int count = std::min(kGroupsATask, static_cast<int>(groups_.size()) - first);
    sums[task] = energy(groups_.data() + first, count, x.data());
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

double ArapTets::add_gradient(const Points& x, Points& gradient, Workspace& work) const {
  const auto sums = work.partial_sums(tasks());
  const auto slots = work.element_forces(groups_.size() * kForcesAGroup);
  const auto forces = arap_kernel().forces;
  work.workers.run(tasks(), [&](int task) {
    const int first = task * kGroupsATask;
    const int count = std::min(kGroupsATask, static_cast<int>(groups_.size()) - first);
    sums[task] = forces(groups_.data() + first, count, x.data(), slots.data() + std::size_t(first) * kForcesAGroup);
  });
  incidence_.gather(slots, gradient, work.workers);
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

void ArapTets::add_laplacian(Triplets& L) const {
  constexpr std::size_t kEntries = 10;
  L.reserve(L.size() + kEntries * tet_count_);
  for (std::size_t first = 0; first < tet_count_; first += kLanes) {
    const TetGroup& group = groups_[first / kLanes];
    // F = sum_k x_k b_k^T: b_k is row k - 1 of D_m^-1, and b_0 = -(b_1 + b_2 + b_3). L_jk = w b_j . b_k.
    using Lanes = Eigen::Array<double, kLanes, 1>;
    std::array<std::array<Lanes, 3>, 4> b;
    for (int c = 0; c < 3; ++c) {
      for (int k = 0; k < 3; ++k) b[k + 1][c] = Eigen::Map<const Lanes>(group.inverse_rest[3 * k + c]);
      b[0][c] = -(b[1][c] + b[2][c] + b[3][c]);
    }
    std::array<std::array<Lanes, 4>, 4> entry;
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k <= j; ++k)
        entry[j][k] = entry[k][j] =
            Eigen::Map<const Lanes>(group.weight) * (b[j][0] * b[k][0] + (b[j][1] * b[k][1] + b[j][2] * b[k][2]));
    const std::size_t count = std::min<std::size_t>(kLanes, tet_count_ - first);
    for (std::size_t lane = 0; lane < count; ++lane)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 4; ++k) {
          const int row = group.vertex[j][lane], column = group.vertex[k][lane];
          if (row >= column) L.emplace_back(row, column, entry[j][k][lane]);
        }
  }
}

// With F = U diag(s) V^T, the Hessian of w/2 |F - R|^2 is w (I - sum_i c_i q_i q_i^T), where q_i are the three twists
// U T_i V^T / sqrt 2 and c_i = 2 / (s_j + s_k): all its curvature that can be negative lies along them.
void ArapTets::add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace& work) const {
  if (!H.knows(this)) {
    std::vector<std::array<int, 4>> corners(tet_count_);
    for (std::size_t t = 0; t < tet_count_; ++t)
      for (int k = 0; k < 4; ++k) corners[t][k] = groups_[t / kLanes].vertex[k][t % kLanes];
    H.learn<4>(this, corners);
  }
  const std::span<double> blocks = H.element_blocks(this);
  work.workers.run(static_cast<int>(groups_.size()), [&](int group) {
    const std::size_t first = static_cast<std::size_t>(group) * kLanes, end = std::min(tet_count_, first + kLanes);
    for (std::size_t t = first; t < end; ++t)
      element_hessian(x, curvature, t, blocks.data() + HessianBlocks::kElementNumbers * t);
  });
  H.add_element_blocks(this, work.workers);
}

// The ten blocks of one tetrahedron.
void ArapTets::element_hessian(const Points& x, Curvature curvature, std::size_t t, double* blocks) const {
  const TetGroup& group = groups_[t / kLanes];
  const std::size_t lane = t % kLanes;
  Eigen::Matrix<double, 4, 3> b;
  Eigen::Matrix3d F = Eigen::Matrix3d::Zero();
  std::array<int, 4> v;
  for (int k = 0; k < 4; ++k) v[k] = group.vertex[k][lane];
  for (int k = 0; k < 3; ++k)
    for (int c = 0; c < 3; ++c) b(k + 1, c) = group.inverse_rest[3 * k + c][lane];
  b.row(0) = -(b.row(1) + b.row(2) + b.row(3));
  for (int k = 1; k < 4; ++k) F += (x.row(v[k]) - x.row(v[0])).transpose() * b.row(k);

  const SignedSvd svd = signed_svd(F);
  Eigen::Matrix<double, 3, 4> twisted[3];  // q_i b_k
  double c[3];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    Eigen::Matrix3d T = Eigen::Matrix3d::Zero();
    T(j, k) = -1;
    T(k, j) = 1;
    twisted[i] = std::sqrt(0.5) * svd.U * T * svd.V.transpose() * b.transpose();
    c[i] = 2 / std::max(svd.s[j] + svd.s[k], 1e-12);
    c[i] = 1 - counted(1 - c[i], curvature);
  }
  const double w = group.weight[lane];
  for (int j = 0; j < 4; ++j)
    for (int k = 0; k <= j; ++k, blocks += 9) {
      Eigen::Map<Eigen::Matrix3d> block(blocks);
      block = b.row(j).dot(b.row(k)) * Eigen::Matrix3d::Identity();
      for (int i = 0; i < 3; ++i) block -= c[i] * twisted[i].col(j) * twisted[i].col(k).transpose();
      block *= w;
    }
}

// w/2 |F - R|^2 with the rotation nearest to F: of F inside out its least singular value is negative.
void ArapTets::find_inside_out(const Points& x, InsideOut& found) const {
  for (std::size_t t = 0; t < tet_count_; ++t) {
    const TetGroup& group = groups_[t / kLanes];
    const std::size_t lane = t % kLanes;
    const auto corner = [&](int k) -> Vec3 { return x.row(group.vertex[k][lane]).transpose(); };
    // The window asks after every frame. At rest the volume is positive.
    const Vec3 p0 = corner(0);
    if ((corner(1) - p0).cross(corner(2) - p0).dot(corner(3) - p0) > 0) continue;
    const SignedSvd svd = signed_svd(deformation(x, t));
    ++found.elements;
    found.energy += 0.5 * group.weight[lane] * (svd.s - Vec3::Ones()).squaredNorm();
    found.middles.push_back((corner(0) + corner(1) + corner(2) + corner(3)) / 4);
  }
}

// W = mu |s - 1|^2, so that P F^T = U diag(2 mu (s - 1) s) U^T; the turn U changes neither stress nor strain in size.
void ArapTets::add_element_fields(const Points& x, std::vector<ElementField>& fields, Workspace& work) const {
  append_fields(tet_count_, fields, work, [&](std::size_t t) {
    const TetGroup& group = groups_[t / kLanes];
    const std::size_t lane = t % kLanes;
    const Vec3 s = signed_svd(deformation(x, t)).s;
    const double twice_mu = group.weight[lane] / volume_[t];
    ElementField field{{}, 4, volume_[t]};
    for (int k = 0; k < 4; ++k) field.vertices[k] = group.vertex[k][lane];
    const Vec3 P_Ft = twice_mu * (s - Vec3::Ones()).cwiseProduct(s);
    field.stress = von_mises_of(P_Ft.asDiagonal(), s.prod());
    field.strain = 0.5 * (s.array().square() - 1).abs().maxCoeff();
    field.energy = 0.5 * twice_mu * (s - Vec3::Ones()).squaredNorm();
    return field;
  });
}

std::unique_ptr<FloatBatch> ArapTets::float_batch(std::span<const int> place, const Partition& partition,
                                                  const FloatKernel& kernel) const {
  return std::make_unique<ArapBatch>(*this, place, partition, kernel);
}

}  // namespace rebound::sim
