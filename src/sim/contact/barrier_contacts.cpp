#include "sim/contact/barrier_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "sim/collide/contact_body.hpp"
#include "sim/contact/penalty_contacts.hpp"

namespace rebound::sim {
namespace {

constexpr double kMostStiffer = 100, kStiffer = 2;
// Of the world's size: gaps below are near the rounding of coordinates.
constexpr double kSmallGap = 1e-9;
constexpr double kWayShare = 2;
// How much stiffer the barrier is than what it holds.
constexpr double kFirmness = 60;

double median(std::vector<double>& of) {
  if (of.empty()) return 0;
  const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
  std::nth_element(of.begin(), middle, of.end());
  return *middle;
}

// What is never in contact at rest would be pushed apart by a barrier that reaches further.
std::optional<TooWide> parts_too_near(const Model& model, const ContactSurface& surface, double distance,
                                      Workers& workers) {
  if (!model.body_contact.self) return std::nullopt;
  Points rest(model.vertices(), 3), p;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    rest.middleRows(model.bodies[b].first, model.bodies[b].count) = model.contact_bodies[b]->rest();
  surface.place(model, rest, 1, p);
  ContactSearch search(surface, model);
  std::vector<NearPair> near;
  search.find(p, nullptr, distance, workers, near);
  std::optional<TooWide> worst;
  for (const NearPair& pair : near) {
    const std::array<int, 4> points = search.corners(pair);
    const auto [object, other] = search.objects(pair);
    if (object != other) continue;
    FourPoints x{};
    for (std::size_t c = 0; c < 4; ++c)
      if (points[c] >= 0) x[c] = p.row(points[c]).transpose();
    const double gap = std::sqrt(feature_distance(pair.kind, x).squared) - search.offset(pair);
    if (gap < distance && (!worst || gap < worst->gap))
      worst = TooWide{surface.objects()[static_cast<std::size_t>(object)].body, gap, distance};
  }
  return worst;
}

}  // namespace

double barrier_stiffness(const Model& model, const ContactSurface& surface, double distance, double h) {
  const SparseMatrix L = model.laplacian();
  double inertia = 0, stiffness = 0;
  std::vector<double> masses, springs;
  for (const ContactObject& object : surface.objects()) {
    if (object.is_obstacle()) continue;
    masses.clear();
    springs.clear();
    for (int p = object.first_point; p < object.first_point + object.points; ++p) {
      const double area = surface.area(p);
      if (!(area > 0)) continue;
      const BodyPoint& carrier = surface.carrier(p);
      const int v = carrier.vertices[0];
      // Of an embedded point: the mass that answers a force there.
      double inverse = 0;
      for (std::size_t k = 0; k < 4; ++k)
        inverse += carrier.weights[k] * carrier.weights[k] / model.M[carrier.vertices[k]];
      masses.push_back(1 / (inverse * h * h * area));
      springs.push_back(L.valuePtr()[L.outerIndexPtr()[v]] / area);
    }
    inertia = std::max(inertia, median(masses));
    const double own = median(springs);
    if (own > 0) stiffness = stiffness > 0 ? std::min(stiffness, own) : own;
  }
  return kFirmness * distance * distance * (inertia + stiffness) / barrier(0.5).ddb;
}

void BarrierContacts::prepare(const Model& model, double h, Workers& workers) {
  const BarrierLaw& law = *model.body_contact.barrier;
  const bool same = surface_ && model_ == &model && surface_->has_shapes_of(model) && surface_->has_widths_of(model);
  if (!same) {
    // What comes and goes within a motion is energy that was nowhere before; another model is measured by whoever makes
    // it.
    if (surface_ && model_ == &model) memory_.counted = false;
    surface_ = std::make_shared<const ContactSurface>(model);
    barrier_ = std::make_shared<Barrier>(model, surface_, workers);
    crossings_.emplace(*surface_, model);
    model_ = &model;
    free_.resize(0, 3);
  }
  const bool another_width =
      !same || !law_.barrier || law_.barrier->distance != law.distance || law_.self != model.body_contact.self;
  law_ = model.body_contact;
  barrier_->distance = law.distance;
  if (another_width) too_wide_ = parts_too_near(model, *surface_, law.distance, workers);
  if (law.stiffness)
    memory_.stiffness = *law.stiffness;
  else if (memory_.wanted > 0)
    memory_.stiffness = memory_.wanted;
  else if (memory_.stiffness == 0)
    memory_.stiffness = memory_.first = barrier_stiffness(model, *surface_, law.distance, h);
  barrier_->stiffness = memory_.stiffness;
}

ContactStart BarrierContacts::begin_step(Model& model, const History& history, double h, double, Workspace& work) {
  before_ = memory_;
  const Points& x = history.now.x;
  prepare(model, h, work.workers);
  ContactStart start;
  start.too_wide = too_wide_;
  if (too_wide_) return start;
  barrier_->begin_step(x);
  if (free_.rows() != x.rows() || free_ != x) {
    const auto crossings = crossings_->find(barrier_->places(x), 1, work.workers);
    if (!crossings.empty()) {
      start.crossing = crossings.front();
      return start;
    }
    free_ = x;
  }
  Points d = h * history.now.v;
  d.rowwise() += h * h * model.g.transpose();
  const double fastest = std::sqrt(d.rowwise().squaredNorm().maxCoeff());
  barrier_->reach = kWayShare * (barrier_->distance + fastest);
  barrier_->find_touching(x, d, model.touching);
  model.step_energies = {barrier_};
  model.step_losses.clear();
  const double now = barrier_->value(x, work);
  auto sliding = std::make_shared<Sliding>(model, *barrier_, x, h);
  if (!sliding->empty()) model.step_losses.push_back(std::move(sliding));
  const double counted = memory_.counted && before_.stiffness > 0 ? now * before_.stiffness / memory_.stiffness : 0;
  start.stiffened = now - counted;
  memory_.counted = true;
  return start;
}

void BarrierContacts::abandon_step(Model& model) {
  memory_ = before_;
  model.step_losses.clear();
}

double BarrierContacts::end_step(Model& model, const State&, const State& next, const FrictionWork&) {
  free_ = next.x;
  model.step_losses.clear();
  const double gap = barrier_->smallest_gap(next.x);
  const bool shrinks = gap < kSmallGap * model.extent && memory_.gap < kSmallGap * model.extent && gap < memory_.gap;
  if (shrinks && memory_.first > 0) {
    memory_.wanted = std::min(kStiffer * memory_.stiffness, kMostStiffer * memory_.first);
  }
  memory_.gap = gap;
  return 0;
}

std::optional<Crossing> BarrierContacts::crossing(const Model& model, const Points& x, Workspace& work) {
  constexpr int kLooks = 16;
  // Where obstacles are when the step ends; and on their way there, if the solve has given up before.
  const double arrived = barrier_->progress();
  for (int look = arrived < 1 ? 1 : kLooks; look <= kLooks; ++look) {
    surface_->place(model, x, arrived + (1 - arrived) * look / kLooks, p_);
    const auto crossings = crossings_->find(p_, 1, work.workers);
    if (!crossings.empty()) return crossings.front();
  }
  return arrived < 1 ? nearest_pair(x) : std::nullopt;
}

std::optional<Crossing> BarrierContacts::nearest_pair(const Points& x) const {
  const auto& terms = barrier_->terms(x);
  const auto nearest = std::min_element(terms.begin(), terms.end(),
                                        [](const BarrierTerm& a, const BarrierTerm& b) { return a.gap() < b.gap(); });
  if (nearest == terms.end()) return std::nullopt;
  Crossing pair;
  const Points& p = barrier_->places(x);
  const auto corner = [&](int point) {
    const ContactObject& of = surface_->objects()[static_cast<std::size_t>(surface_->object_of_point(point))];
    const Vec3 at = p.row(point).transpose();
    return CrossingTriangle{of.body, of.obstacle, -1, {at, at, at}};
  };
  const int last = corners_of(nearest->kind) - 1;
  pair.one = corner(nearest->points[0]);
  pair.other = nearest->plane >= 0 ? CrossingTriangle{-1, nearest->plane, -1, pair.one.corners}
                                   : corner(nearest->points[static_cast<std::size_t>(last)]);
  if (pair.one.body < 0) std::swap(pair.one, pair.other);
  return pair;
}

void BarrierContacts::forget(Model& model) {
  memory_ = {};
  free_.resize(0, 3);
  model.step_energies.clear();
  model.step_losses.clear();
  model.touching.clear();
}

void BarrierContacts::law_changed(Model& model, const History& history, double h, double arm, Workspace& work) {
  memory_ = {};
  model_replaced();
  begin_step(model, history, h, arm, work);
  // Who has changed it measures what it does.
  memory_.counted = true;
}

void BarrierContacts::model_replaced() {
  crossings_.reset();
  surface_.reset();
  free_.resize(0, 3);
}

ContactMemory BarrierContacts::memory(const Model&) const { return {{}, {}, memory_}; }

void BarrierContacts::recall(const ContactMemory& memory, Model&) {
  memory_ = memory.barrier;
  if (barrier_ && memory_.stiffness > 0) barrier_->stiffness = memory_.stiffness;
}

std::unique_ptr<ContactModel> make_contact_model(const Model& model) {
  if (model.body_contact.barrier) return std::make_unique<BarrierContacts>();
  return std::make_unique<PenaltyContacts>();
}

}  // namespace rebound::sim
