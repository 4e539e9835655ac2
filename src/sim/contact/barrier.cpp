#include "sim/contact/barrier.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace rebound::sim {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// How much further than d^ the list of near pairs looks, on both sides, as a share of d^.
constexpr double kMargin = 1;
constexpr double kParallelShare = 1e-3;
constexpr std::size_t kPairsAPiece = 256;
constexpr int kTermsAPiece = 32;
// Links are kept for what comes a little nearer than it is, so that the pattern grows seldom.
constexpr double kLinkReach = 1.5;

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
  double c;
  Vector12 g;
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

Matrix12 without_negative_curvature(const Matrix12& H) {
  const Eigen::SelfAdjointEigenSolver<Matrix12> solver(H);
  if (solver.eigenvalues()[0] >= 0) return H;
  return solver.eigenvectors() * solver.eigenvalues().cwiseMax(0).asDiagonal() * solver.eigenvectors().transpose();
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

// ---- which terms there are ----

double Barrier::moved_since_list() const {
  if (p_list_.rows() != p_.rows()) return kInfinity;
  double most = 0;
  for (Eigen::Index i = 0; i < p_.rows(); ++i) most = std::max(most, (p_.row(i) - p_list_.row(i)).squaredNorm());
  return std::sqrt(most);
}

void Barrier::update_list() const {
  if (moved_since_list() <= kMargin * distance) return;
  near_.clear();
  search_.find(p_, nullptr, (1 + 2 * kMargin) * distance, workers_, near_);
  p_list_ = p_;
  pieces_.assign(1, 0);
  for (std::size_t i = 1; i < near_.size(); ++i) {
    const bool cuts =
        near_[i].kind != FeaturePair::edge_edge && near_[i].kind == near_[i - 1].kind && near_[i].a == near_[i - 1].a;
    if (!cuts && i - pieces_.back() >= kPairsAPiece) pieces_.push_back(i);
  }
  pieces_.push_back(near_.size());
}

const std::vector<BarrierTerm>& Barrier::terms(const Points& x) const {
  // Between steps an obstacle may have come or gone: of those that are left nothing is known yet.
  if (!surface_.has_shapes_of(model_)) {
    terms_.clear();
    p_terms_.resize(0, 3);
    return terms_;
  }
  places(x);
  if (p_terms_.rows() == p_.rows() && p_terms_ == p_) return terms_;
  update_list();
  const std::size_t pieces = pieces_.size() - 1;
  if (by_piece_.size() < pieces) by_piece_.resize(pieces);
  workers_.run(static_cast<int>(pieces), [&](int piece) {
    const auto i = static_cast<std::size_t>(piece);
    by_piece_[i].clear();
    collect(pieces_[i], pieces_[i + 1], by_piece_[i]);
  });
  terms_.clear();
  for (std::size_t i = 0; i < pieces; ++i) terms_.insert(terms_.end(), by_piece_[i].begin(), by_piece_[i].end());
  add_planes(terms_);
  p_terms_ = p_;
  return terms_;
}

void Barrier::collect(std::size_t begin, std::size_t end, std::vector<BarrierTerm>& terms) const {
  const auto& objects = surface_.objects();
  const auto object = [&](int point) -> const ContactObject& {
    return objects[static_cast<std::size_t>(surface_.object_of_point(point))];
  };
  while (begin < end) {
    const NearPair& pair = near_[begin];
    if (pair.kind == FeaturePair::point_triangle) {
      std::size_t last = begin + 1;
      while (last < end && near_[last].kind == pair.kind && near_[last].a == pair.a) ++last;
      collect_point(begin, last, terms);
      begin = last;
      continue;
    }
    ++begin;
    BarrierTerm term{pair.kind, search_.corners(pair)};
    term.offset = search_.offset(pair);
    FourPoints x{};
    for (std::size_t c = 0; c < 4; ++c)
      if (term.points[c] >= 0) x[c] = p_.row(term.points[c]).transpose();
    term.nearest = feature_distance(pair.kind, x);
    if (term.gap() >= distance) continue;
    if (pair.kind == FeaturePair::point_edge) {
      term.area = surface_.area(pair.a);
    } else {
      term.parallel = kParallelShare * surface_.squared_length(pair.a) * surface_.squared_length(pair.b);
      if (object(term.points[0]).round || object(term.points[2]).round)
        term.area = object(term.points[0]).round ? surface_.edge_area(pair.b) : surface_.edge_area(pair.a);
      else
        term.area = std::numbers::pi / 6 * surface_.width(pair.a) * surface_.width(pair.b);
    }
    terms.push_back(term);
  }
}

// A point, and all triangles that it is near to. Features that are nearest to it several times are counted once.
void Barrier::collect_point(std::size_t begin, std::size_t end, std::vector<BarrierTerm>& terms) const {
  const int point = near_[begin].a;
  const Vec3 at = p_.row(point).transpose();
  const std::size_t first = terms.size();
  const auto add = [&](FeaturePair kind, std::array<int, 4> corners, double sign, double offset) {
    FourPoints x{at, at, at, at};
    for (std::size_t c = 1; c < static_cast<std::size_t>(corners_of(kind)); ++c) x[c] = p_.row(corners[c]).transpose();
    FeatureDistance nearest = feature_distance(kind, x);
    if (std::sqrt(nearest.squared) - offset >= distance) return false;
    // What has no part in it is left out, so that the same feature is the same term.
    std::array<int, 4> used{point, -1, -1, -1};
    std::array<double, 4> weights{1, 0, 0, 0};
    std::size_t count = 1;
    for (std::size_t c = 1; c < 4; ++c)
      if (nearest.weights[c] != 0) {
        used[count] = corners[c];
        weights[count++] = nearest.weights[c];
      }
    kind = count == 2 ? FeaturePair::point_point : count == 3 ? FeaturePair::point_edge : FeaturePair::point_triangle;
    if (kind == FeaturePair::point_edge && used[1] > used[2]) {
      std::swap(used[1], used[2]);
      std::swap(weights[1], weights[2]);
    }
    nearest.weights = weights;
    for (std::size_t t = first; t < terms.size(); ++t)
      if (terms[t].points == used) {
        terms[t].area += sign;
        return true;
      }
    terms.push_back({kind, used, sign, offset, 0, -1, nearest});
    return true;
  };
  const auto& objects = surface_.objects();
  const ContactObject& mine = objects[static_cast<std::size_t>(surface_.object_of_point(point))];
  for (std::size_t i = begin; i < end; ++i) {
    const int f = near_[i].b;
    const auto& face = surface_.faces()[static_cast<std::size_t>(f)];
    const ContactObject& its = objects[static_cast<std::size_t>(surface_.object_of_point(face[0]))];
    const double offset = mine.offset + its.offset;
    if (mine.round) {
      // Its triangles alone: their own areas.
      add(FeaturePair::point_triangle, {point, face[0], face[1], face[2]}, surface_.face_area(f), offset);
      continue;
    }
    if (!add(FeaturePair::point_triangle, {point, face[0], face[1], face[2]}, 1, offset)) continue;
    const auto has_point = [&](int g) {
      const auto& c = surface_.faces()[static_cast<std::size_t>(g)];
      return c[0] == point || c[1] == point || c[2] == point;
    };
    for (const int e : surface_.own_edges(f)) {
      if (has_point(surface_.sides(e)[1])) continue;
      const auto& edge = surface_.edges()[static_cast<std::size_t>(e)];
      add(FeaturePair::point_edge, {point, edge[0], edge[1], -1}, -1, offset);
    }
    for (const int corner : surface_.own_corners(f)) {
      const auto around = surface_.around(corner);
      if (std::any_of(around.begin(), around.end(), has_point)) continue;
      add(FeaturePair::point_point, {point, corner, -1, -1}, 1, offset);
    }
  }
  if (!mine.round) {
    for (std::size_t t = first; t < terms.size(); ++t) {
      const bool obstacle =
          objects[static_cast<std::size_t>(surface_.object_of_point(terms[t].points[1]))].is_obstacle();
      terms[t].area *= surface_.area(point) * (obstacle ? 1 : 1.0 / 3);
    }
    std::erase_if(terms, [](const BarrierTerm& term) { return term.area == 0; });
  }
}

// A point of the plane and its normal, which is as long as the plane's turning makes it.
std::array<Vec3, 2> Barrier::plane_at(int obstacle, double progress) const {
  const Obstacle& plane = model_.obstacles[static_cast<std::size_t>(obstacle)];
  const Vec3 n = (1 - progress) * plane.before.R.col(1) + progress * plane.pose.R.col(1);
  const Vec3 t = (1 - progress) * plane.before.t + progress * plane.pose.t;
  return {t, n.normalized()};
}

void Barrier::add_planes(std::vector<BarrierTerm>& terms) const {
  for (const int plane : surface_.planes()) {
    const auto [o, n] = plane_at(plane, progress_);
    for (const ContactObject& object : surface_.objects()) {
      if (object.is_obstacle() || !object.moves) continue;
      for (int point = object.first_point; point < object.first_point + object.points; ++point) {
        const double height = n.dot(p_.row(point).transpose() - o);
        if (height - object.offset >= distance) continue;
        BarrierTerm term{FeaturePair::point_point, {point, -1, -1, -1}};
        term.area = surface_.area(point);
        term.offset = object.offset;
        term.plane = plane;
        // Below the plane there is no gap at all.
        term.nearest = {height > 0 ? height * height : 0, {1, 0, 0, 0}, n};
        terms.push_back(term);
      }
    }
  }
}

double Barrier::smallest_gap(const Points& x) const {
  double gap = kInfinity;
  for (const BarrierTerm& term : terms(x)) gap = std::min(gap, term.gap());
  return gap;
}

void Barrier::find_touching(const Points& x, const Points& d, std::vector<std::pair<int, int>>& touching) const {
  touching.clear();
  surface_.place(model_, x, 0, p_from_);
  surface_.place(model_, x + d, 1, p_way_);
  const auto add = [&](int a, int b) {
    if (a != b) touching.emplace_back(std::min(a, b), std::max(a, b));
  };
  for (const int plane : surface_.planes()) {
    const auto [o, n] = plane_at(plane, 1);
    for (const ContactObject& object : surface_.objects())
      for (int i = object.first_point; object.moves && i < object.first_point + object.points; ++i) {
        if (n.dot(p_way_.row(i).transpose() - o) > object.offset + 2 * distance) continue;
        add(-1, object.body);
        break;
      }
  }
  p_way_ -= p_from_;
  on_the_way_.clear();
  search_.find(p_from_, &p_way_, 2 * distance, workers_, on_the_way_);
  for (const NearPair& pair : on_the_way_) {
    const auto c = search_.corners(pair);
    const int other = pair.kind == FeaturePair::edge_edge ? c[2] : c[1];
    const auto body = [&](int point) {
      return surface_.objects()[static_cast<std::size_t>(surface_.object_of_point(point))].body;
    };
    add(body(c[0]), body(other));
  }
  std::sort(touching.begin(), touching.end());
  touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
}

// ---- value and derivatives ----

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

Matrix12 Barrier::hessian_of(const BarrierTerm& term) const {
  const double scale = stiffness * term.area;
  if (term.plane >= 0) {
    Matrix12 H = Matrix12::Zero();
    H.topLeftCorner<3, 3>() = scale * barrier(term.gap() / distance).ddb / (distance * distance) * term.nearest.r *
                              term.nearest.r.transpose();
    return H;
  }
  const FourPoints x = corners(term);
  const BarrierValue by_D = by_square(term, distance);
  const Vector12 g = distance_gradient(term.nearest);
  Matrix12 H = by_D.ddb * g * g.transpose() + by_D.db * distance_hessian(term.kind, x, term.nearest);
  if (term.parallel > 0) {
    const Crossness cross = crossness(x);
    const Mollifier m = mollifier(cross.c, term.parallel);
    H *= m.m;
    if (m.dm != 0) {
      const Matrix12 mixed = m.dm * by_D.db * cross.g * g.transpose();
      H += mixed + mixed.transpose() + by_D.b * (m.ddm * cross.g * cross.g.transpose() + m.dm * crossness_hessian(x));
    }
  }
  return scale * H;
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
    for (int c = 0; c < 4; ++c) {
      const int point = all[t].points[static_cast<std::size_t>(c)];
      if (point < 0 || !surface_.is_carried(point)) continue;
      const BodyPoint& carrier = surface_.carrier(point);
      for (std::size_t k = 0; k < 4; ++k)
        if (carrier.weights[k] != 0)
          gradient.row(carrier.vertices[k]) += carrier.weights[k] * gradients_[t].segment<3>(3 * c).transpose();
    }
  }
  return sum;
}

void Barrier::add_hessian(const Points& x, bool project, HessianBlocks& H, Workspace&) const {
  const auto& all = terms(x);
  hessians_.resize(all.size());
  each_piece(workers_, all.size(), [&](std::size_t t) {
    hessians_[t] = hessian_of(all[t]);
    if (project) hessians_[t] = without_negative_curvature(hessians_[t]);
  });
  for (std::size_t t = 0; t < all.size(); ++t)
    for (int a = 0; a < 4; ++a) {
      const int p = all[t].points[static_cast<std::size_t>(a)];
      if (p < 0 || !surface_.is_carried(p)) continue;
      const BodyPoint& one = surface_.carrier(p);
      for (int b = 0; b < 4; ++b) {
        const int q = all[t].points[static_cast<std::size_t>(b)];
        if (q < 0 || !surface_.is_carried(q)) continue;
        const BodyPoint& other = surface_.carrier(q);
        const Eigen::Matrix3d block = hessians_[t].block<3, 3>(3 * a, 3 * b);
        for (std::size_t k = 0; k < 4; ++k)
          for (std::size_t l = 0; l < 4; ++l)
            if (one.weights[k] != 0 && other.weights[l] != 0 && one.vertices[k] >= other.vertices[l])
              H.add(one.vertices[k], other.vertices[l], one.weights[k] * other.weights[l] * block);
      }
    }
}

void Barrier::add_pattern(std::vector<std::pair<int, int>>& links) const {
  std::vector<int> vertices;
  const std::size_t before = links.size();
  for (const NearPair& pair : near_) {
    const std::array<int, 4> points = search_.corners(pair);
    FourPoints x{};
    for (std::size_t c = 0; c < 4; ++c)
      if (points[c] >= 0) x[c] = p_.row(points[c]).transpose();
    if (std::sqrt(feature_distance(pair.kind, x).squared) - search_.offset(pair) >= kLinkReach * distance) continue;
    vertices.clear();
    for (const int point : points) {
      if (point < 0 || !surface_.is_carried(point)) continue;
      const BodyPoint& carrier = surface_.carrier(point);
      for (std::size_t k = 0; k < 4; ++k)
        if (carrier.weights[k] != 0) vertices.push_back(carrier.vertices[k]);
    }
    for (const int i : vertices)
      for (const int j : vertices)
        if (i > j) links.emplace_back(i, j);
  }
  std::sort(links.begin() + static_cast<std::ptrdiff_t>(before), links.end());
  links.erase(std::unique(links.begin() + static_cast<std::ptrdiff_t>(before), links.end()), links.end());
}

// ---- how far things may go ----

// near: no point goes further than the list looks ahead.
double Barrier::free_share(const Points& p, const Points& d, double from_progress, double to_progress,
                           bool near) const {
  const std::vector<NearPair>* pairs = &near_;
  if (!near) {
    on_the_way_.clear();
    search_.find(p, &d, 0, workers_, on_the_way_);
    pairs = &on_the_way_;
  }
  const std::size_t pieces = (pairs->size() + kPairsAPiece - 1) / kPairsAPiece;
  std::vector<double> shares(pieces, 1);
  workers_.run(static_cast<int>(pieces), [&](int piece) {
    const auto begin = static_cast<std::size_t>(piece) * kPairsAPiece;
    double& share = shares[static_cast<std::size_t>(piece)];
    for (std::size_t i = begin; i < std::min(pairs->size(), begin + kPairsAPiece); ++i) {
      const NearPair& pair = (*pairs)[i];
      const std::array<int, 4> points = search_.corners(pair);
      MovingPair moving{pair.kind, {}, {}, search_.offset(pair)};
      for (std::size_t c = 0; c < 4; ++c) {
        if (points[c] < 0) continue;
        moving.x[c] = p.row(points[c]).transpose();
        moving.d[c] = d.row(points[c]).transpose();
      }
      // Not below what others allow: this pair may have been the nearest at another time.
      share = std::min(share, free_way(moving, 1));
    }
  });
  double share = 1;
  for (const double of_piece : shares) share = std::min(share, of_piece);
  for (const int plane : surface_.planes()) {
    const auto [o_from, n_from] = plane_at(plane, from_progress);
    const auto [o_to, n_to] = plane_at(plane, to_progress);
    for (const ContactObject& object : surface_.objects()) {
      if (object.is_obstacle() || !object.moves) continue;
      for (int i = object.first_point; i < object.first_point + object.points; ++i) {
        const Vec3 at = p.row(i).transpose(), way = d.row(i).transpose();
        const double gap = n_from.dot(at - o_from) - object.offset;
        const double end = n_to.dot(at + way - o_to) - object.offset;
        if (end > kGapLeft * gap && gap > 0) continue;
        share = std::min(share, gap > 0 ? (1 - kGapLeft) * gap / (gap - end) : 0.0);
      }
    }
  }
  return share;
}

double Barrier::largest_step(const Points& x, const Points& d) const {
  places(x);
  p_from_ = p_;
  surface_.place(model_, x + d, progress_, p_way_);
  p_way_ -= p_from_;
  const double longest = std::sqrt(p_way_.rowwise().squaredNorm().maxCoeff());
  const double share = longest > reach ? reach / longest : 1;
  p_way_ *= share;
  const bool near = moved_since_list() + share * longest <= kMargin * distance;
  return share * free_share(p_from_, p_way_, progress_, progress_, near);
}

double Barrier::begin(const Points& from, const Points& to) const {
  if (to == accepted_) return 1;
  if (from == begin_) progress_ = 0;
  const double before = progress_;
  surface_.place(model_, from, before, p_from_);
  surface_.place(model_, to, 1, p_way_);
  p_way_ -= p_from_;
  const double share = free_share(p_from_, p_way_, before, 1, false);
  progress_ = share < 1 ? before + share * (1 - before) : 1;
  return share;
}

bool Barrier::settle(const Points& x) const {
  accepted_ = x;
  // The links are those of this place.
  terms(x);
  return progress_ == 1;
}

void Barrier::add_pull(const Points& x, Points& gradient) const {
  const double rest = 1 - progress_;
  for (const BarrierTerm& term : terms(x)) {
    const Matrix12 H = without_negative_curvature(hessian_of(term));
    Vector12 moved = Vector12::Zero();
    if (term.plane >= 0) {
      const Obstacle& plane = model_.obstacles[static_cast<std::size_t>(term.plane)];
      moved.head<3>() = -rest * plane.moved(plane.pose.apply(plane.before.undo(p_.row(term.points[0]).transpose())));
    }
    for (int c = 0; c < 4; ++c) {
      const int point = term.points[static_cast<std::size_t>(c)];
      if (point >= 0 && !surface_.is_carried(point)) moved.segment<3>(3 * c) = rest * surface_.way(model_, point);
    }
    if (moved.isZero()) continue;
    const Vector12 change = H * moved;
    for (int c = 0; c < 4; ++c) {
      const int point = term.points[static_cast<std::size_t>(c)];
      if (point < 0 || !surface_.is_carried(point)) continue;
      const BodyPoint& carrier = surface_.carrier(point);
      for (std::size_t k = 0; k < 4; ++k)
        if (carrier.weights[k] != 0)
          gradient.row(carrier.vertices[k]) += carrier.weights[k] * change.segment<3>(3 * c).transpose();
    }
  }
}

double Barrier::advance(const Points& x, const Points& d) const {
  const double before = progress_;
  surface_.place(model_, x, before, p_from_);
  surface_.place(model_, x + d, 1, p_way_);
  p_way_ -= p_from_;
  const double share = free_share(p_from_, p_way_, before, 1, false);
  progress_ = share < 1 ? before + share * (1 - before) : 1;
  return share;
}

double Barrier::work_of_movers(const Points& x) const {
  double work = 0, ignored = 0;
  for (const BarrierTerm& term : terms(x)) {
    if (term.plane >= 0) {
      const Obstacle& plane = model_.obstacles[static_cast<std::size_t>(term.plane)];
      if (plane.moves())
        work -= gradient_of(term, ignored).head<3>().dot(plane.moved(p_.row(term.points[0]).transpose()));
      continue;
    }
    const Vector12 g = gradient_of(term, ignored);
    for (int c = 0; c < 4; ++c) {
      const int point = term.points[static_cast<std::size_t>(c)];
      if (point >= 0 && !surface_.is_carried(point)) work += g.segment<3>(3 * c).dot(surface_.way(model_, point));
    }
  }
  return work;
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
