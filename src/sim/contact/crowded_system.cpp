#include "sim/contact/crowded_system.hpp"

#include <algorithm>

namespace rebound::sim {
namespace {

constexpr int kMostIterations = 50;

double* find(SparseMatrix& K, int row, int column) {
  const int* begin = K.innerIndexPtr() + K.outerIndexPtr()[column];
  const int* end = K.innerIndexPtr() + K.outerIndexPtr()[column + 1];
  const int* at = std::lower_bound(begin, end, row);
  return at != end && *at == row ? K.valuePtr() + (at - K.innerIndexPtr()) : nullptr;
}

}  // namespace

bool CrowdedSystem::update(const Model& model, const SparseMatrix& A, double coefficient,
                           const CholeskyAnalysis& analysis, std::shared_ptr<const EliminationPlan> plan,
                           Workers& workers) {
  std::vector<Row> rows;
  for (const Contact& contact : model.contacts.items)
    rows.push_back({without_fixed(contact.point, model.fixed), contact.n, coefficient * contact.stiffness});
  if (ok_ && rows == rows_ && model.fixed == fixed_ && plan == plan_) return true;
  plan_ = std::move(plan);
  rows_ = std::move(rows);
  fixed_ = model.fixed;
  normals_.setZero(model.vertices(), 3);
  for (const Row& row : rows_)
    for (int j = 0; j < row.U.count; ++j)
      normals_.row(row.U.vertices[j]) += row.weight * row.U.weights[j] * row.n.transpose();
  for (Eigen::Index v = 0; v < normals_.rows(); ++v)
    if (const double size = normals_.row(v).norm(); size > 0) normals_.row(v) /= size;
  ok_ = factor(preconditioner(A), analysis, workers);
  return ok_;
}

// K only preconditions, so single precision is enough wherever it is possible.
bool CrowdedSystem::factor(const SparseMatrix& K, const CholeskyAnalysis& analysis, Workers& workers) {
  K_.reset();
  K_single_.reset();
  if (plan_) {
    K_single_ = std::make_unique<const BlockInverse>(*plan_, K, &workers);
    if (K_single_->ok()) {
      slots_ = AlignedBuffer<float>(4 * static_cast<std::size_t>(K_single_->slots()));
      return true;
    }
    K_single_.reset();
  }
  K_ = std::make_unique<const Cholesky>(analysis, K);
  return K_->ok();
}

void CrowdedSystem::solve_along_normals(Vector& b, Workers& workers) const {
  if (K_) return K_->solve(b);
  const auto order = plan_->order();
  for (std::size_t s = 0; s < order.size(); ++s) slots_[4 * s] = static_cast<float>(b[order[s]]);
  K_single_->solve(slots_.data(), workers);
  for (std::size_t s = 0; s < order.size(); ++s) b[order[s]] = slots_[4 * s];
}

SparseMatrix CrowdedSystem::preconditioner(const SparseMatrix& A) const {
  SparseMatrix K = A;
  for (int column = 0; column < K.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(K, column); it; ++it)
      if (it.row() != column) it.valueRef() *= normals_.row(it.row()).dot(normals_.row(column));
  for (const Row& row : rows_)
    for (int i = 0; i < row.U.count; ++i)
      for (int j = 0; j <= i; ++j) {
        const int a = row.U.vertices[i], b = row.U.vertices[j];
        const double T_a = row.U.weights[i] * normals_.row(a).dot(row.n);
        const double T_b = row.U.weights[j] * normals_.row(b).dot(row.n), k = row.weight * T_a * T_b;
        if (double* entry = find(K, std::max(a, b), std::min(a, b))) {
          *entry += k;
        } else {
          // Two bodies that touch: as much on the diagonal is safe.
          K.coeffRef(a, a) += std::abs(k);
          K.coeffRef(b, b) += std::abs(k);
        }
      }
  return K;
}

Vector CrowdedSystem::precondition(const Vector& r, Workers& workers) const {
  const auto count = static_cast<Eigen::Index>(rows_.size());
  const auto each = [&](const auto& visit) {
    for (Eigen::Index c = 0; c < count; ++c) {
      const Row& row = rows_[static_cast<std::size_t>(c)];
      for (int j = 0; j < row.U.count; ++j) {
        const int v = row.U.vertices[j];
        visit(c, v, row.weight * row.U.weights[j] * normals_.row(v).dot(row.n));
      }
    }
  };
  Vector along = Vector::Zero(normals_.rows());
  each([&](Eigen::Index c, int v, double WT) { along[v] += WT * r[c]; });
  solve_along_normals(along, workers);
  Vector result(count);
  for (Eigen::Index c = 0; c < count; ++c) result[c] = rows_[static_cast<std::size_t>(c)].weight * r[c];
  each([&](Eigen::Index c, int v, double WT) { result[c] -= WT * along[v]; });
  return result;
}

Vector CrowdedSystem::heights(const Points& x) const {
  Vector heights(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t c = 0; c < rows_.size(); ++c)
    heights[static_cast<Eigen::Index>(c)] = rows_[c].U.of(x).dot(rows_[c].n);
  return heights;
}

Points CrowdedSystem::forces(const Vector& lambda) const {
  Points f = Points::Zero(normals_.rows(), 3);
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const Row& row = rows_[c];
    for (int j = 0; j < row.U.count; ++j)
      f.row(row.U.vertices[j]) += lambda[static_cast<Eigen::Index>(c)] * row.U.weights[j] * row.n.transpose();
  }
  return f;
}

// With r what lambda leaves of its equation, the step misses the minimum of its quadratic model by r^T S^-1 r / 2, and
// has gained b^T d / 2 or more. Both W and the preconditioner P are above S^-1: W as S has W^-1 in it, P as it lets
// vertices move along their normals alone. P is nearer, and dearer.
void CrowdedSystem::solve(Points& b, ContactResponse& A, Workers& workers, double miss) const {
  Points d = b;
  A.respond(d, workers);
  Vector W(static_cast<Eigen::Index>(rows_.size()));
  for (std::size_t c = 0; c < rows_.size(); ++c) W[static_cast<Eigen::Index>(c)] = rows_[c].weight;

  Vector r = heights(d), p;
  double before = 0;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double enough = miss * b.cwiseProduct(d).sum();
    if (r.dot(W.cwiseProduct(r)) <= enough) break;
    const Vector s = precondition(r, workers);
    const double now = r.dot(s);
    if (now <= enough) break;
    if (iteration == 0) {
      p = s;
    } else {
      p = s + now / before * p;
    }
    before = now;
    Points q = forces(p);
    A.respond(q, workers);
    const Vector S_p = p.cwiseQuotient(W) + heights(q);
    const double step = now / p.dot(S_p);
    if (!std::isfinite(step)) break;
    r -= step * S_p;
    d -= step * q;
  }
  b = d;
}

}  // namespace rebound::sim
