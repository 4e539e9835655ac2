#include "sim/contact/barrier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/memory.hpp"
#include "sim/contact/relative_curvature.hpp"

namespace rebound::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kTermsAPiece = 32;

template <class Visit>
void each_piece(Workers& workers, std::size_t count, const Visit& visit) {
  const int pieces = static_cast<int>((count + kTermsAPiece - 1) / kTermsAPiece);
  workers.run(pieces, [&](int piece) {
    const auto begin = static_cast<std::size_t>(piece) * kTermsAPiece;
    for (std::size_t t = begin; t < std::min(count, begin + kTermsAPiece); ++t) visit(t);
  });
}

// c = |u x v|^2 and its derivatives by the corners of the edges (0, 1) and (2, 3).
struct Crossness {
  double c = 0;
  Vector12 g = Vector12::Zero();
};
Crossness crossness(const FourPoints& x) {
  const Vec3 u = x[1] - x[0], v = x[3] - x[2];
  const double uu = u.dot(u), vv = v.dot(v), uv = u.dot(v);
  const Vec3 c_u = 2 * (vv * u - uv * v), c_v = 2 * (uu * v - uv * u);
  Crossness result{u.cross(v).squaredNorm(), {}};
  result.g << -c_u, c_u, -c_v, c_v;
  return result;
}
Matrix12 crossness_hessian(const FourPoints& x) {
  const Vec3 u = x[1] - x[0], v = x[3] - x[2];
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  const Eigen::Matrix3d uu = 2 * (v.dot(v) * I - v * v.transpose()), vv = 2 * (u.dot(u) * I - u * u.transpose());
  const Eigen::Matrix3d uv = 4 * u * v.transpose() - 2 * v * u.transpose() - 2 * u.dot(v) * I;
  Matrix12 H;
  const std::array<double, 4> sign{-1, 1, -1, 1};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      const double s = sign[static_cast<std::size_t>(i)] * sign[static_cast<std::size_t>(j)];
      const Eigen::Matrix3d& block = i < 2 ? (j < 2 ? uu : uv) : vv;
      H.block<3, 3>(3 * i, 3 * j) = s * (i >= 2 && j < 2 ? Eigen::Matrix3d(uv.transpose()) : block);
    }
  return H;
}

struct Mollifier {
  double m = 1, dm = 0, ddm = 0;
};
Mollifier mollifier(double c, double e) {
  if (e == 0 || c >= e) return {};
  return {c / e * (2 - c / e), 2 / e * (1 - c / e), -2 / (e * e)};
}

// b as a function of D = d^2: for a gap of d - offset.
BarrierValue by_square(const BarrierTerm& term, double distance) {
  const double d = std::sqrt(term.nearest.squared);
  const BarrierValue at = barrier((d - term.offset) / distance);
  const double dd = at.db / distance, ddd = at.ddb / (distance * distance);
  return {at.b, dd / (2 * d), (ddd - dd / d) / (4 * d * d)};
}

}  // namespace

BarrierValue barrier(double u) {
  if (u >= 1) return {};
  if (!(u > 0)) return {kInfinity, -kInfinity, kInfinity};
  const double ln = std::log(u), w = u - 1;
  return {-w * w * ln, -2 * w * ln - w * w / u, -2 * ln - 4 * w / u + w * w / (u * u)};
}

double BarrierTerm::gap() const { return std::sqrt(nearest.squared) - offset; }

Barrier::Barrier(const Model& model, std::shared_ptr<const ContactSurface> surface, Workers& workers)
    : model_(model), kept_(std::move(surface)), surface_(*kept_), workers_(workers), search_(surface_, model) {}

void Barrier::begin_step(const Points& x) {
  progress_ = 0;
  begin_ = accepted_ = x;
}

const Points& Barrier::places(const Points& x) const {
  surface_.place(model_, x, progress_, p_);
  return p_;
}

FourPoints Barrier::corners(const BarrierTerm& term) const {
  FourPoints x{};
  for (std::size_t c = 0; c < 4; ++c)
    if (term.points[c] >= 0) x[c] = p_.row(term.points[c]).transpose();
  return x;
}

double Barrier::value(const Points& x, Workspace&) const {
  double sum = 0;
  for (const BarrierTerm& term : terms(x)) {
    const double gap = term.gap();
    if (!(gap > 0)) return kInfinity;
    const double m = term.parallel > 0 ? mollifier(crossness(corners(term)).c, term.parallel).m : 1;
    sum += stiffness * term.area * m * barrier(gap / distance).b;
  }
  return sum;
}

Vector12 Barrier::gradient_of(const BarrierTerm& term, double& value) const {
  const double scale = stiffness * term.area;
  if (term.plane >= 0) {
    const BarrierValue at = barrier(term.gap() / distance);
    value = scale * at.b;
    Vector12 g = Vector12::Zero();
    g.head<3>() = scale * at.db / distance * term.nearest.r;
    return g;
  }
  const BarrierValue by_D = by_square(term, distance);
  Vector12 g = distance_gradient(term.nearest) * by_D.db;
  Mollifier m;
  if (term.parallel > 0) {
    const Crossness cross = crossness(corners(term));
    m = mollifier(cross.c, term.parallel);
    g *= m.m;
    if (m.dm != 0) g += m.dm * by_D.b * cross.g;
  }
  value = scale * m.m * by_D.b;
  return scale * g;
}

Matrix12 Barrier::hessian_of(const BarrierTerm& term, Curvature curvature) const {
  const double scale = stiffness * term.area;
  if (term.plane >= 0) {
    Matrix12 H = Matrix12::Zero();
    H.topLeftCorner<3, 3>() = scale * barrier(term.gap() / distance).ddb / (distance * distance) * term.nearest.r *
                              term.nearest.r.transpose();
    return H;
  }
  const FourPoints x = corners(term);
  const BarrierValue by_D = by_square(term, distance);
  Crossness cross;
  Mollifier m;
  if (term.parallel > 0) {
    cross = crossness(x);
    m = mollifier(cross.c, term.parallel);
  }
  if (m.dm == 0)
    return counted_of_distance(term.kind, x, term.nearest, scale * m.m * by_D.db, scale * m.m * by_D.ddb, curvature);
  const Vector12 g = distance_gradient(term.nearest);
  Matrix12 H = m.m * (by_D.ddb * g * g.transpose() + by_D.db * distance_hessian(term.kind, x, term.nearest));
  const Matrix12 mixed = m.dm * by_D.db * cross.g * g.transpose();
  H += mixed + mixed.transpose() + by_D.b * (m.ddm * cross.g * cross.g.transpose() + m.dm * crossness_hessian(x));
  H *= scale;
  return counted_relative(H, corners_of(term.kind), curvature);
}

Carriers Barrier::carriers(const std::array<int, 4>& points) const {
  Carriers all{};
  for (std::size_t c = 0; c < 4; ++c)
    if (points[c] >= 0 && surface_.is_carried(points[c])) all[c] = &surface_.carrier(points[c]);
  return all;
}

double Barrier::add_gradient(const Points& x, Points& gradient, Workspace& work) const {
  const auto& all = terms(x);
  for (const BarrierTerm& term : all)
    if (!(term.gap() > 0)) return kInfinity;
  gradients_.resize(all.size());
  auto values = work.partial_sums(all.size());
  each_piece(workers_, all.size(), [&](std::size_t t) { gradients_[t] = gradient_of(all[t], values[t]); });
  double sum = 0;
  for (std::size_t t = 0; t < all.size(); ++t) {
    sum += values[t];
    add_by_vertices(carriers(all[t].points), gradients_[t], gradient);
  }
  return sum;
}

void Barrier::add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace&) const {
  const auto& all = terms(x);
  if (all.size() > hessians_.capacity())
    require_memory(static_cast<double>(all.size()) * sizeof(Matrix12), "the curvature of all contacts",
                   ContactSearch::kRemedy);
  const int columns = static_cast<int>(x.rows());
  hessians_.resize(all.size());
  ranges_.resize(all.size());
  each_piece(workers_, all.size(), [&](std::size_t t) {
    hessians_[t] = hessian_of(all[t], curvature);
    ranges_[t] = ranges_of(carriers(all[t].points), columns);
  });
  if (all.empty()) return;
  each_range(workers_, columns, [&](const ColumnRange& range) {
    for (std::size_t t = 0; t < all.size(); ++t)
      if (ranges_[t] >> range.number & 1) add_by_vertices(carriers(all[t].points), hessians_[t], H, range);
  });
}

std::vector<BarrierTouch> Barrier::touches(const Points& x) const {
  std::vector<BarrierTouch> found;
  for (const BarrierTerm& term : terms(x)) {
    if (!(term.area > 0)) continue;
    const double gap = term.gap(), force = -stiffness * term.area * barrier(gap / distance).db / distance;
    Vec3 at = Vec3::Zero();
    for (std::size_t c = 0; c < 4; ++c)
      if (term.points[c] >= 0 && term.nearest.weights[c] > 0)
        at += term.nearest.weights[c] * p_.row(term.points[c]).transpose();
    found.push_back({at, term.plane >= 0 ? term.nearest.r : Vec3(term.nearest.r.normalized()), force, gap});
  }
  return found;
}

namespace {

const Barrier* barrier_of(const Model& model) {
  for (const auto& energy : model.step_energies)
    if (const auto* barrier = dynamic_cast<const Barrier*>(energy.get())) return barrier;
  return nullptr;
}

}  // namespace

std::vector<BarrierTouch> barrier_touches(const Model& model, const Points& x) {
  const Barrier* barrier = barrier_of(model);
  return barrier != nullptr ? barrier->touches(x) : std::vector<BarrierTouch>();
}

double barrier_firmness(const Model& model) {
  const Barrier* barrier = barrier_of(model);
  return barrier != nullptr ? barrier->stiffness : 0;
}

}  // namespace rebound::sim
