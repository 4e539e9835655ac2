#include "sim/contact/cubic_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "sim/energy/curvature_filter.hpp"

namespace rebound::sim {
namespace {

constexpr double kEpsilon = 1e-15;  // m^2
constexpr int kCubicPointsAPiece = 256;

// f(d) = d sqrt(d + eps) and its derivatives.
struct CubicOfSquare {
  double f, df, ddf;
};
CubicOfSquare cubic_of_square(double d) {
  const double s = std::sqrt(d + kEpsilon);
  return {d * s, (3 * d + 2 * kEpsilon) / (2 * s), (3 * d + 4 * kEpsilon) / (4 * s * s * s)};
}

bool bodies_meet_by_cubes(const Model& model) { return model.body_contact.cubic && model.bodies_may_meet(); }

BodyPoint moved_by(BodyPoint point, int first) {
  for (int& vertex : point.vertices) vertex += first;
  return point;
}

Carriers carriers_of(const CubicTerm& term) {
  Carriers all{};
  for (std::size_t c = 0; c < static_cast<std::size_t>(term.corners); ++c) all[c] = &term.carriers[c];
  return all;
}

// The point, minus the spot that is nearest.
BodyRow row_of(const CubicTerm& term) {
  BodyRow row;
  for (std::size_t c = 0; c < static_cast<std::size_t>(term.corners); ++c)
    for (std::size_t k = 0; k < 4; ++k) {
      const double weight = term.carriers[c].weights[k] * (term.corners == 1 ? 1 : term.nearest.weights[c]);
      if (weight == 0) continue;
      int* end = row.vertices.data() + row.count;
      const int* same = std::find(row.vertices.data(), end, term.carriers[c].vertices[k]);
      if (same == end)
        row.add(term.carriers[c].vertices[k], weight);
      else
        row.weights[static_cast<std::size_t>(same - row.vertices.data())] += weight;
    }
  return row;
}

const CubicContacts* cubic_of(const Model& model) {
  for (const auto& energy : model.step_energies)
    if (const auto* cubic = dynamic_cast<const CubicContacts*>(energy.get())) return cubic;
  return nullptr;
}

}  // namespace

bool has_cubic_contacts(const Model& model) {
  const auto asks = [](const Obstacle& obstacle) { return obstacle.cubic > 0; };
  return bodies_meet_by_cubes(model) || std::any_of(model.obstacles.begin(), model.obstacles.end(), asks);
}

std::vector<CubicTouch> cubic_touches(const Model& model, const Points& x) {
  const CubicContacts* cubic = cubic_of(model);
  return cubic != nullptr ? cubic->touches(x) : std::vector<CubicTouch>();
}

CubicContacts::CubicContacts(const Model& model, Workers& workers) : model_(model), workers_(workers) {}

// ---- what is inside ----

const std::vector<CubicTerm>& CubicContacts::terms(const Points& x) const {
  if (x_.rows() != x.rows() || x_ != x) {
    find_in_bodies(x);
    x_ = x;
  }
  terms_.resize(in_bodies_);
  add_in_obstacles(x);
  return terms_;
}

void CubicContacts::find_in_bodies(const Points& x) const {
  terms_.clear();
  in_bodies_ = 0;
  if (!bodies_meet_by_cubes(model_) || !x.allFinite()) return;
  if (!search_) search_.emplace(model_);
  for (const InsidePoint& inside : search_->find_inside(model_, x, workers_)) {
    const auto b = static_cast<std::size_t>(inside.body);
    CubicTerm term;
    term.carriers[0] = model_.colliders[static_cast<std::size_t>(inside.collider)];
    for (int c = 0; c < 3; ++c)
      term.carriers[static_cast<std::size_t>(c) + 1] =
          moved_by(model_.contact_bodies[b]->corner(inside.spot.face, c), model_.bodies[b].first);
    term.corners = 4;
    term.other = inside.body;
    FourPoints corners{};
    for (std::size_t c = 0; c < 4; ++c) corners[c] = term.carriers[c].of(x);
    term.at = corners[0];
    term.nearest = feature_distance(FeaturePair::point_triangle, corners);
    terms_.push_back(term);
  }
  in_bodies_ = terms_.size();
}

void CubicContacts::add_in_obstacles(const Points& x) const {
  const auto& obstacles = model_.obstacles;
  if (std::none_of(obstacles.begin(), obstacles.end(), [](const Obstacle& o) { return o.cubic > 0; })) return;
  const auto is_held = [&](int vertex) { return model_.fixed[static_cast<std::size_t>(vertex)] != 0; };
  const int points = static_cast<int>(model_.colliders.size()),
            pieces = (points + kCubicPointsAPiece - 1) / kCubicPointsAPiece;
  std::vector<std::vector<CubicTerm>> found(static_cast<std::size_t>(pieces));
  workers_.run(pieces, [&](int piece) {
    for (int i = piece * kCubicPointsAPiece; i < std::min(points, (piece + 1) * kCubicPointsAPiece); ++i) {
      const BodyPoint& point = model_.colliders[static_cast<std::size_t>(i)];
      const Vec3 p = point.of(x);
      if (!p.allFinite() || std::all_of(point.vertices.begin(), point.vertices.end(), is_held)) continue;
      for (std::size_t o = 0; o < obstacles.size(); ++o) {
        if (!(obstacles[o].cubic > 0) || clearly_outside(obstacles[o], p)) continue;
        const Nearest at = nearest(obstacles[o], p);
        if (!(at.distance < 0)) continue;
        CubicTerm term;
        term.carriers[0] = point;
        term.obstacle = static_cast<int>(o);
        term.at = p;
        term.n = at.normal;
        term.depth = -at.distance;
        found[static_cast<std::size_t>(piece)].push_back(term);
      }
    }
  });
  for (const auto& some : found) terms_.insert(terms_.end(), some.begin(), some.end());
}

void CubicContacts::find_touching(const Points& x, std::vector<std::pair<int, int>>& touching) const {
  for (const CubicTerm& term : terms(x)) {
    const int body = static_cast<int>(model_.body_of(term.carriers[0].vertices[0]));
    if (body != term.other) touching.push_back(std::minmax(body, term.other));
  }
  std::sort(touching.begin(), touching.end());
  touching.erase(std::unique(touching.begin(), touching.end()), touching.end());
}

// ---- the energy ----

double CubicContacts::value_of(const CubicTerm& term) const {
  if (term.obstacle < 0) return *model_.body_contact.cubic * cubic_of_square(term.nearest.squared).f;
  return model_.obstacles[static_cast<std::size_t>(term.obstacle)].cubic * term.depth * term.depth * term.depth;
}

Vector12 CubicContacts::gradient_of(const CubicTerm& term) const {
  if (term.obstacle < 0)
    return *model_.body_contact.cubic * cubic_of_square(term.nearest.squared).df * distance_gradient(term.nearest);
  Vector12 g = Vector12::Zero();
  const double k = model_.obstacles[static_cast<std::size_t>(term.obstacle)].cubic;
  g.head<3>() = -3 * k * term.depth * term.depth * term.n;
  return g;
}

Matrix12 CubicContacts::hessian_of(const CubicTerm& term, const Points& x) const {
  if (term.obstacle < 0) {
    FourPoints corners{};
    for (std::size_t c = 0; c < 4; ++c) corners[c] = term.carriers[c].of(x);
    const CubicOfSquare f = cubic_of_square(term.nearest.squared);
    const Vector12 g = distance_gradient(term.nearest);
    return *model_.body_contact.cubic *
           (f.ddf * g * g.transpose() + f.df * distance_hessian(FeaturePair::point_triangle, corners, term.nearest));
  }
  Matrix12 H = Matrix12::Zero();
  const Obstacle& obstacle = model_.obstacles[static_cast<std::size_t>(term.obstacle)];
  H.topLeftCorner<3, 3>() = 6 * obstacle.cubic * term.depth * term.n * term.n.transpose() -
                            3 * obstacle.cubic * term.depth * term.depth * curvature(obstacle, term.at);
  return H;
}

double CubicContacts::value(const Points& x, Workspace&) const {
  double sum = 0;
  for (const CubicTerm& term : terms(x)) sum += value_of(term);
  return sum;
}

double CubicContacts::add_gradient(const Points& x, Points& gradient, Workspace&) const {
  double sum = 0;
  for (const CubicTerm& term : terms(x)) {
    sum += value_of(term);
    add_by_vertices(carriers_of(term), gradient_of(term), gradient);
  }
  return sum;
}

void CubicContacts::add_hessian(const Points& x, Curvature curvature, HessianBlocks& H, Workspace&) const {
  for (const CubicTerm& term : terms(x)) {
    const Matrix12 by_corners = hessian_of(term, x);
    add_by_vertices(carriers_of(term), counted(by_corners, curvature), H);
  }
}

void CubicContacts::add_pattern(std::vector<std::pair<int, int>>& links) const {
  LinkList list(links);
  for (const CubicTerm& term : terms_) list.add(carriers_of(term));
  list.finish();
}

bool CubicContacts::settle(const Points& x) const {
  terms(x);
  return true;
}

// ---- what it does in a step ----

double CubicContacts::work_of_movers(const Points& x) const {
  double work = 0;
  for (const CubicTerm& term : terms(x))
    if (term.obstacle >= 0)
      work -= gradient_of(term).head<3>().dot(model_.obstacles[static_cast<std::size_t>(term.obstacle)].moved(term.at));
  return work;
}

std::vector<CubicTouch> CubicContacts::touches(const Points& x) const {
  std::vector<CubicTouch> found;
  for (const CubicTerm& term : terms(x)) {
    const Vec3 force = -gradient_of(term).head<3>();
    if (const double size = force.norm(); size > 0) found.push_back({term.at, force / size, size});
  }
  return found;
}

void CubicContacts::rub(double impulse, double h, const Points& x, Points& v, ConstraintFriction& rubbed) const {
  rubbed.by_surface.resize(model_.obstacles.size());
  for (const CubicTerm& term : terms(x)) {
    const Vec3 force = -gradient_of(term).head<3>();
    const double size = force.norm();
    if (!(size > 0)) continue;
    PressedRow pressed{row_of(term), force / size, impulse * size, model_.body_contact.friction, Vec3::Zero()};
    if (term.obstacle < 0) {
      sim::rub(model_, pressed, v, rubbed.taken);
      continue;
    }
    const auto o = static_cast<std::size_t>(term.obstacle);
    pressed.friction = model_.obstacles[o].friction;
    pressed.with_it = model_.obstacles[o].moved_from(term.at) / h;
    rubbed.by_surface[o] += sim::rub(model_, pressed, v, rubbed.taken).dot(pressed.with_it);
  }
}

}  // namespace rebound::sim
