#include "sim/solve/crowded_system.hpp"

#include <algorithm>

#include "sim/solve/system_matrix.hpp"

namespace rebound::sim {
namespace {

std::array<Vector, 3> diagonal_weights(const Model& model) {
  std::array<Vector, 3> weights;
  weights.fill(Vector::Zero(model.vertices()));
  for (const Contact& contact : model.contacts.items) {
    const BodyRow& U = contact.point;
    double reach = 0;
    for (int j = 0; j < U.count; ++j) reach += std::abs(U.weights[j]);
    const Vec3 bound = contact.stiffness * reach * contact.n.lpNorm<1>() * contact.n.cwiseAbs();
    for (int axis = 0; axis < 3; ++axis)
      for (int j = 0; j < U.count; ++j) weights[axis][U.vertices[j]] += bound[axis] * std::abs(U.weights[j]);
  }
  return weights;
}

// Where a grab joins vertices that no element joins, the pattern is another one.
SparseMatrix with_grabs(const Model& model, const SparseMatrix& L) {
  Triplets entries;
  model.grabs.add_laplacian(entries);
  SparseMatrix grabs(L.rows(), L.cols());
  grabs.setFromTriplets(entries.begin(), entries.end());
  return L + grabs;
}

bool same(const Attachment& a, const Attachment& b) {
  return a.point.vertices == b.point.vertices && a.point.weights == b.point.weights && a.stiffness == b.stiffness;
}

}  // namespace

bool CrowdedSystem::update(const Model& model, const SparseMatrix& L, double coefficient,
                           const std::shared_ptr<const CholeskyAnalysis>& analysis, Workers& workers) {
  Made wanted{coefficient, model.fixed, model.grabs.items, diagonal_weights(model)};
  const bool base_stays =
      axes_[0] && wanted.coefficient == made_.coefficient && wanted.fixed == made_.fixed &&
      std::equal(wanted.grabs.begin(), wanted.grabs.end(), made_.grabs.begin(), made_.grabs.end(), same);
  std::array<bool, 3> stays{};
  for (int axis = 0; axis < 3; ++axis) stays[axis] = base_stays && wanted.weights[axis] == made_.weights[axis];
  made_ = std::move(wanted);
  if (stays[0] && stays[1] && stays[2]) return axes_[0]->ok() && axes_[1]->ok() && axes_[2]->ok();

  const SparseMatrix held = with_grabs(model, L);
  const auto pattern = held.nonZeros() == L.nonZeros() ? analysis : std::make_shared<const CholeskyAnalysis>(held);
  // The first axis with the same weights as this one.
  const auto like = [&](int axis) {
    int first = 0;
    while (made_.weights[first] != made_.weights[axis]) ++first;
    return first;
  };
  workers.run(3, [&](int axis) {
    if (stays[axis] || like(axis) != axis) return;
    SparseMatrix K = held;
    for (Eigen::Index v = 0; v < K.cols(); ++v) K.coeffRef(v, v) += made_.weights[axis][v];
    axes_[axis] = std::make_shared<const Cholesky>(*pattern, system_matrix(model.M, model.fixed, K, coefficient));
  });
  for (int axis = 0; axis < 3; ++axis) axes_[axis] = axes_[like(axis)];
  return axes_[0]->ok() && axes_[1]->ok() && axes_[2]->ok();
}

void CrowdedSystem::solve(Points& b, Workers& workers) const {
  // A factor has its own workspace: the axes that share one take turns.
  workers.run(3, [&](int axis) {
    if (std::find(axes_.begin(), axes_.begin() + axis, axes_[axis]) != axes_.begin() + axis) return;
    Vector column;
    for (int other = axis; other < 3; ++other) {
      if (axes_[other] != axes_[axis]) continue;
      column = b.col(other);
      axes_[axis]->solve(column);
      b.col(other) = column;
    }
  });
}

}  // namespace rebound::sim
