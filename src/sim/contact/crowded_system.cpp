#include "sim/contact/crowded_system.hpp"

#include <algorithm>
#include <cmath>

#include "sim/contact/contact_rows.hpp"

namespace rebound::sim {
namespace {

constexpr int kMostIterations = 50;
/// Where contacts share vertices: how often what y leaves of r is spread again.
constexpr int kSweeps = 3;
/// Of what a step gains, where points begin far inside, nearly all is what their springs let go. A solve may not miss
/// more than this share of what moves the bodies.
constexpr double kMissOfBody = 1e-2;

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
  fixed_ = model.fixed;
  set_rows(std::move(rows), model.vertices());
  B_ = along_normals(A);
  ok_ = factor(with_contacts(B_), analysis, workers);
  return ok_;
}

void CrowdedSystem::set_rows(std::vector<Row> rows, Eigen::Index vertices) {
  rows_ = std::move(rows);
  W_.resize(static_cast<Eigen::Index>(rows_.size()));
  normals_.setZero(vertices, 3);
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const Row& row = rows_[c];
    W_[static_cast<Eigen::Index>(c)] = row.weight;
    for (int j = 0; j < row.U.count; ++j)
      normals_.row(row.U.vertices[j]) += row.weight * row.U.weights[j] * row.n.transpose();
  }
  for (Eigen::Index v = 0; v < normals_.rows(); ++v)
    if (const double size = normals_.row(v).norm(); size > 0) normals_.row(v) /= size;
  shares_.setZero(vertices);
  for (const Row& row : rows_) {
    double sum = 0;
    for (int j = 0; j < row.U.count; ++j) sum += std::abs(T(row, j));
    for (int j = 0; j < row.U.count; ++j) shares_[row.U.vertices[j]] += row.weight * std::abs(T(row, j)) * sum;
  }
}

// K only preconditions, so single precision is enough wherever it is possible. With ones on its diagonal, light
// vertices are kept as well as those that stiff contacts hold.
bool CrowdedSystem::factor(SparseMatrix K, const CholeskyAnalysis& analysis, Workers& workers) {
  K_.reset();
  K_single_.reset();
  scale_ = K.diagonal().cwiseSqrt().cwiseInverse();
  K = scale_.asDiagonal() * K * scale_.asDiagonal();
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
  b.array() *= scale_.array();
  if (K_) {
    K_->solve(b);
  } else {
    const auto order = plan_->order();
    for (std::size_t s = 0; s < order.size(); ++s) slots_[4 * s] = static_cast<float>(b[order[s]]);
    K_single_->solve(slots_.data(), workers);
    for (std::size_t s = 0; s < order.size(); ++s) b[order[s]] = slots_[4 * s];
  }
  b.array() *= scale_.array();
}

SparseMatrix CrowdedSystem::along_normals(const SparseMatrix& A) const {
  SparseMatrix B = A;
  for (int column = 0; column < B.outerSize(); ++column)
    for (SparseMatrix::InnerIterator it(B, column); it; ++it)
      if (it.row() != column) it.valueRef() *= normals_.row(it.row()).dot(normals_.row(column));
  return B;
}

SparseMatrix CrowdedSystem::with_contacts(SparseMatrix K) const {
  for (const Row& row : rows_)
    for (int i = 0; i < row.U.count; ++i)
      for (int j = 0; j <= i; ++j) {
        const int a = row.U.vertices[i], b = row.U.vertices[j];
        const double k = row.weight * T(row, i) * T(row, j);
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

double CrowdedSystem::T(const Row& row, int j) const {
  return row.U.weights[j] * normals_.row(row.U.vertices[j]).dot(row.n);
}

Vector CrowdedSystem::along_contacts(const Vector& y) const {
  Vector T_y = Vector::Zero(W_.size());
  for (std::size_t c = 0; c < rows_.size(); ++c)
    for (int j = 0; j < rows_[c].U.count; ++j)
      T_y[static_cast<Eigen::Index>(c)] += T(rows_[c], j) * y[rows_[c].U.vertices[j]];
  return T_y;
}

Vector CrowdedSystem::pushed_along_normals(const Vector& r) const {
  Vector pushed = Vector::Zero(normals_.rows());
  for (std::size_t c = 0; c < rows_.size(); ++c)
    for (int j = 0; j < rows_[c].U.count; ++j)
      pushed[rows_[c].U.vertices[j]] += rows_[c].weight * T(rows_[c], j) * r[static_cast<Eigen::Index>(c)];
  return pushed;
}

// Which springs are pressed after the step, and what that makes of them: contact_rows.hpp. Without heights all push and
// pull.
class CrowdedSystem::Springs {
 public:
  Springs(const Vector& W, std::span<const double> heights) : W_(W), one_sided_(!heights.empty()) {
    H_ = one_sided_ ? Vector(Eigen::Map<const Vector>(heights.data(), W.size())) : Vector(Vector::Zero(W.size()));
    least_ = W.cwiseProduct(H_.cwiseMin(0.0));
    pressed_ = Vector::Ones(W.size());
    if (one_sided_) pressed_ = (H_.array() < 0).cast<double>();
  }

  Vector masked(const Vector& r) const { return pressed_.cwiseProduct(r); }
  /// What is as far as it can be where the spring is not pressed.
  Vector admitted(const Vector& lambda) const {
    return one_sided_ ? Vector((pressed_.array() > 0).select(lambda.cwiseMax(least_), least_)) : lambda;
  }
  /// N^T U^T d as it has to be where the spring is pressed, m.
  Vector gains(const Vector& lambda) const { return lambda.cwiseQuotient(W_) + H_.cwiseMax(0.0); }
  /// Twice what springs hold before the step and by duality after it, kg m^2.
  double held(const Vector& lambda) const {
    if (!one_sided_) return lambda.dot(lambda.cwiseQuotient(W_));
    const Vector more = lambda - least_;
    return (2 * more.array() * H_.array() + more.array().square() / W_.array() +
            W_.array() * H_.array().cwiseMin(0.0).square())
        .sum();
  }
  /// Sets the pressed anew, `gains` being N^T U^T d. False if they are what they were.
  bool choose(const Vector& lambda, const Vector& gains) {
    if (!one_sided_) return false;
    const double touching = kBarelyPressed * std::max(gains.cwiseAbs().maxCoeff(), H_.cwiseAbs().maxCoeff());
    bool changed = false;
    for (Eigen::Index c = 0; c < W_.size(); ++c) {
      const bool was = pressed_[c] != 0, is = was ? lambda[c] > least_[c] : H_[c] - gains[c] < -touching;
      changed = changed || is != was;
      pressed_[c] = is;
    }
    return changed;
  }

 private:
  const Vector& W_;
  const bool one_sided_;
  Vector H_, least_, pressed_;
};

// For r = T y + rest: P r = W (rest + T u) with u = K^-1 (B y - T^T W rest), and -K^-1 T^T W r = u - y. Where every
// vertex has one contact at most, and that in itself, y is found at once and nothing is left.
CrowdedSystem::Preconditioned CrowdedSystem::precondition(const Vector& r, Workers& workers) const {
  Vector y = Vector::Zero(normals_.rows()), rest = r, pushed = pushed_along_normals(r);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (Eigen::Index v = 0; v < y.size(); ++v)
      if (shares_[v] > 0) y[v] += pushed[v] / shares_[v];
    rest = r - along_contacts(y);
    pushed = pushed_along_normals(rest);
  }
  Vector u = B_.selfadjointView<Eigen::Lower>() * y - pushed;
  solve_along_normals(u, workers);
  return {W_.cwiseProduct(along_contacts(u) + rest), u - y};
}

Vector CrowdedSystem::first_lambda(const Points& b, Workers& workers) const {
  Vector u = b.cwiseProduct(normals_).rowwise().sum();
  solve_along_normals(u, workers);
  return W_.cwiseProduct(along_contacts(u));
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

// d = A^-1 f, f = b - U N lambda, r = N^T U^T d - h(lambda), what a spring's gain misses of what lambda is for. By
// duality no step gains more than (d^T f + what the springs hold) / 2, d misses r^T W r / 2 of that at most, and d + n
// y, y = -K^-1 T^T W r, which moves vertices along their normals, r^T P r / 2.
void CrowdedSystem::solve(Points& b, std::span<const double> heights, ContactResponse& A, Workers& workers,
                          double miss) const {
  Springs springs(W_, heights);
  Vector lambda = springs.admitted(first_lambda(b, workers));
  Points d;
  for (int turn = 0; turn < kMostContactTurns; ++turn) {
    descend(b, springs, A, workers, miss, lambda, d);
    if (!springs.choose(lambda, this->heights(d))) break;
    lambda = springs.admitted(lambda);
  }
  b = d;
}

// Conjugate gradients over the pressed springs.
void CrowdedSystem::descend(const Points& b, const Springs& springs, ContactResponse& A, Workers& workers, double miss,
                            Vector& lambda, Points& d) const {
  Points f = b - forces(lambda);
  d = f;
  A.respond(d, workers);
  Vector r = springs.masked(heights(d) - springs.gains(lambda)), r_before, p;
  double before = 0;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const double body = d.cwiseProduct(f).sum(), most = body + springs.held(lambda), plain = r.dot(W_.cwiseProduct(r));
    const auto enough = [&](double missed) {
      return missed <= std::min(miss * (most - missed), kMissOfBody * (body - missed));
    };
    if (enough(plain)) return;
    const auto [P_r, y] = precondition(r, workers);
    const Vector s = springs.masked(P_r);
    const double now = r.dot(s);
    if (enough(now)) {
      d += y.asDiagonal() * normals_;
      return;
    }
    if (iteration == 0) {
      p = s;
    } else {
      p = s + s.dot(r - r_before) / before * p;
    }
    before = now;
    const Points pushed = forces(p);
    Points q = pushed;
    A.respond(q, workers);
    const Vector S_p = springs.masked(p.cwiseQuotient(W_) + heights(q));
    const double step = now / p.dot(S_p);
    if (!std::isfinite(step)) return;
    r_before = r;
    r -= step * S_p;
    d -= step * q;
    f -= step * pushed;
    lambda += step * p;
  }
}

}  // namespace rebound::sim
