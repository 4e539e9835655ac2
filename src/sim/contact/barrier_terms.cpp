// Which terms a barrier has: what is near, counted as barrier.hpp says.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/contact/barrier.hpp"

namespace rebound::sim {
namespace {

constexpr double kParallelShare = 1e-3;
constexpr std::size_t kPairsAPiece = 256;
// As a share of a gap: more than it loses in single precision.
constexpr double kGapRounding = 1e-6;
// Links are kept for what comes a little nearer than it is, so that the pattern grows seldom; two points come nearer by
// what both have moved.
constexpr double kLinkReach = 1.5, kLinkMove = (kLinkReach - 1) / 2;

// Where the points of the surface are at p, m.
double gap_of(const NearPair& pair, const ContactSearch& search, const Points& p) {
  const std::array<int, 4> points = search.corners(pair);
  FourPoints x{};
  for (std::size_t c = 0; c < 4; ++c)
    if (points[c] >= 0) x[c] = p.row(points[c]).transpose();
  return std::sqrt(feature_distance(pair.kind, x).squared) - search.offset(pair);
}

}  // namespace

double Barrier::moved_since(const Points& before) const {
  if (before.rows() != p_.rows()) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (Eigen::Index i = 0; i < p_.rows(); ++i) most = std::max(most, (p_.row(i) - before.row(i)).squaredNorm());
  return std::sqrt(most);
}

void Barrier::update_list() const {
  if (moved_since(p_list_) <= kMargin * distance) return;
  p_links_.resize(0, 3);
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
  near_gaps_.resize(near_.size());
  workers_.run(static_cast<int>((near_.size() + kPairsAPiece - 1) / kPairsAPiece), [&](int piece) {
    const auto begin = static_cast<std::size_t>(piece) * kPairsAPiece;
    for (std::size_t i = begin; i < std::min(near_.size(), begin + kPairsAPiece); ++i) {
      const double gap = gap_of(near_[i], search_, p_);
      near_gaps_[i] = static_cast<float>(gap - kGapRounding * std::abs(gap));
    }
  });
}

bool Barrier::may_push(std::size_t pair) const {
  const auto [one, other] = search_.objects(near_[pair]);
  return near_gaps_[pair] - moved_[static_cast<std::size_t>(one)] - moved_[static_cast<std::size_t>(other)] < distance;
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
  moved_.clear();
  for (const ContactObject& object : surface_.objects()) {
    const auto now = p_.middleRows(object.first_point, object.points);
    const auto then = p_list_.middleRows(object.first_point, object.points);
    moved_.push_back(object.points > 0 ? std::sqrt((now - then).rowwise().squaredNorm().maxCoeff()) : 0);
  }
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
    if (!may_push(begin++)) continue;
    BarrierTerm term{pair.kind, search_.corners(pair)};
    term.offset = search_.offset(pair);
    FourPoints x{};
    for (std::size_t c = 0; c < 4; ++c)
      if (term.points[c] >= 0) x[c] = p_.row(term.points[c]).transpose();
    term.nearest = feature_distance(pair.kind, x);
    if (term.gap() >= distance) continue;
    const bool is_edge = pair.kind == FeaturePair::edge_edge;
    const ContactObject &one = object(term.points[0]), &other = object(term.points[is_edge ? 2 : 1]);
    if (is_edge) term.parallel = kParallelShare * surface_.squared_length(pair.a) * surface_.squared_length(pair.b);
    if (one.round) {
      term.area = surface_.edge_area(pair.b);
    } else if (other.round) {
      term.area = is_edge ? surface_.edge_area(pair.a) : surface_.area(pair.a);
    } else {
      // Of two that are bare there is one way to look at them.
      const double share = one.is_bare() && other.is_bare() ? 1 : 1.0 / 3;
      term.area = share * (is_edge ? std::numbers::pi / 2 * surface_.width(pair.a) * surface_.width(pair.b)
                                   : surface_.area(pair.a));
    }
    terms.push_back(term);
  }
}

bool Barrier::add_point_term(FeaturePair kind, const std::array<int, 4>& corners, double area, double offset,
                             std::size_t first, std::vector<BarrierTerm>& terms) const {
  FourPoints x{};
  for (std::size_t c = 0; c < static_cast<std::size_t>(corners_of(kind)); ++c) x[c] = p_.row(corners[c]).transpose();
  FeatureDistance nearest = feature_distance(kind, x);
  if (std::sqrt(nearest.squared) - offset >= distance) return false;
  // What has no part in it is left out, so that the same feature is the same term.
  std::array<int, 4> used{corners[0], -1, -1, -1};
  std::array<double, 4> weights{1, 0, 0, 0};
  std::size_t count = 1;
  for (std::size_t c = 1; c < 4; ++c)
    if (nearest.weights[c] != 0) {
      used[count] = corners[c];
      weights[count++] = nearest.weights[c];
    }
  constexpr std::array kinds{FeaturePair::point_point, FeaturePair::point_edge, FeaturePair::point_triangle};
  if (count == 3 && used[1] > used[2]) {
    std::swap(used[1], used[2]);
    std::swap(weights[1], weights[2]);
  }
  for (std::size_t t = first; t < terms.size(); ++t)
    if (terms[t].points == used) {
      terms[t].area += area;
      return true;
    }
  nearest.weights = weights;
  terms.push_back({kinds[count - 2], used, area, offset, 0, -1, nearest});
  return true;
}

// Minus the inner edges of a triangle, plus its inner corners: those alone all of whose triangles count.
void Barrier::add_inner_features(int point, int face, double offset, std::size_t first,
                                 std::vector<BarrierTerm>& terms) const {
  const auto has_point = [&](int f) {
    const auto& c = surface_.faces()[static_cast<std::size_t>(f)];
    return c[0] == point || c[1] == point || c[2] == point;
  };
  for (const int e : surface_.own_edges(face)) {
    if (has_point(surface_.sides(e)[1])) continue;
    const auto& edge = surface_.edges()[static_cast<std::size_t>(e)];
    add_point_term(FeaturePair::point_edge, {point, edge[0], edge[1], -1}, -1, offset, first, terms);
  }
  for (const int corner : surface_.own_corners(face)) {
    const auto around = surface_.around(corner);
    if (std::none_of(around.begin(), around.end(), has_point))
      add_point_term(FeaturePair::point_point, {point, corner, -1, -1}, 1, offset, first, terms);
  }
}

// A point, and all triangles that it is near to. Features that are nearest to it several times are counted once.
void Barrier::collect_point(std::size_t begin, std::size_t end, std::vector<BarrierTerm>& terms) const {
  const int point = near_[begin].a;
  const auto object = [&](int p) -> const ContactObject& {
    return surface_.objects()[static_cast<std::size_t>(surface_.object_of_point(p))];
  };
  const ContactObject& mine = object(point);
  const std::size_t first = terms.size();
  for (std::size_t i = begin; i < end; ++i) {
    if (!may_push(i)) continue;
    const int f = near_[i].b;
    const auto& face = surface_.faces()[static_cast<std::size_t>(f)];
    const double offset = mine.offset + object(face[0]).offset;
    // A round obstacle meets triangles, each with its own area.
    const double area = mine.round ? surface_.face_area(f) : 1;
    const bool near =
        add_point_term(FeaturePair::point_triangle, {point, face[0], face[1], face[2]}, area, offset, first, terms);
    if (near && !mine.round) add_inner_features(point, f, offset, first, terms);
  }
  if (mine.round) return;
  for (std::size_t t = first; t < terms.size(); ++t)
    terms[t].area *= surface_.area(point) * (object(terms[t].points[1]).is_obstacle() ? 1 : 1.0 / 3);
  std::erase_if(terms, [](const BarrierTerm& term) { return term.area == 0; });
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
      if (!object.may_meet_obstacle(model_, plane)) continue;
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
  double gap = std::numeric_limits<double>::infinity();
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
    // What goes away is pressed where it begins.
    const auto [o, n] = plane_at(plane, 0);
    const auto [o_end, n_end] = plane_at(plane, 1);
    for (const ContactObject& object : surface_.objects()) {
      if (!object.may_meet_obstacle(model_, plane)) continue;
      const double near = object.offset + 2 * distance;
      for (int i = object.first_point; i < object.first_point + object.points; ++i) {
        if (n.dot(p_from_.row(i).transpose() - o) > near && n_end.dot(p_way_.row(i).transpose() - o_end) > near)
          continue;
        add(-1, object.body);
        break;
      }
    }
  }
  p_way_ -= p_from_;
  near_objects_.clear();
  search_.find_objects(p_from_, &p_way_, 2 * distance, workers_, near_objects_);
  const auto body = [&](int object) { return surface_.objects()[static_cast<std::size_t>(object)].body; };
  for (const auto& [one, other] : near_objects_) add(body(one), body(other));
  std::sort(touching.begin(), touching.end());
  touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
}

void Barrier::add_pattern(std::vector<std::pair<int, int>>& links) const {
  p_links_ = p_;
  linked_.resize(near_.size());
  workers_.run(static_cast<int>((near_.size() + kPairsAPiece - 1) / kPairsAPiece), [&](int piece) {
    const auto begin = static_cast<std::size_t>(piece) * kPairsAPiece;
    for (std::size_t i = begin; i < std::min(near_.size(), begin + kPairsAPiece); ++i) {
      linked_[i] = gap_of(near_[i], search_, p_) < kLinkReach * distance;
    }
  });
  LinkList list(links);
  for (std::size_t i = 0; i < near_.size(); ++i)
    if (linked_[i]) list.add(carriers(search_.corners(near_[i])));
  list.finish();
}

// What is closer than d^ now was closer than kLinkReach d^ there, and in the same list.
bool Barrier::has_new_links(const Points& x) const {
  terms(x);
  return moved_since(p_links_) > kLinkMove * distance;
}

}  // namespace rebound::sim
