#include "session/snapshot.hpp"

#include <algorithm>

#include "sim/collide/contact_body.hpp"
#include "sim/contact/barrier.hpp"
#include "sim/contact/cubic_contacts.hpp"

namespace rebound::session {
namespace {

template <class Corners>
sim::Vec3 middle(const sim::Points& x, int first, const Corners& corners) {
  sim::Vec3 sum = sim::Vec3::Zero();
  for (const int corner : corners) sum += x.row(first + corner).transpose();
  return sum / static_cast<double>(corners.size());
}

std::optional<sim::Vec3> place_of(const FailureSite& failure_site, const Session& s) {
  const sim::Points& x = s.state().x;
  if (const auto& vertex = failure_site.vertex)
    return x.row(s.model().bodies[static_cast<std::size_t>(vertex->body)].first + vertex->vertex).transpose();
  const auto& element = failure_site.element;
  if (!element) return std::nullopt;
  const auto body = static_cast<std::size_t>(element->body), at = static_cast<std::size_t>(element->element);
  const scene::BodyGeometry& geometry = s.world().bodies[body];
  const int first = s.model().bodies[body].first;
  return std::visit([&](const auto& list) { return middle(x, first, list[at]); }, geometry.elements);
}

// Where the surface is that of a body, the row is a difference, and the point itself is among the colliders.
sim::Vec3 place_of(const sim::Contact& contact, const sim::Model& model, const sim::Points& x) {
  if (contact.obstacle >= 0) return contact.point.of(x);
  return model.colliders[static_cast<std::size_t>(contact.collider)].of(x);
}

void look_at_constraints(const Session& s, const sim::Points& x, Snapshot& snapshot) {
  const sim::Model& model = s.model();
  snapshot.held.clear();
  snapshot.constraints = model.constraints.size();
  if (model.constraints.empty()) return;
  const auto forces = s.constraint_forces();
  for (std::size_t c = 0; c < forces.size(); ++c) {
    const double size = forces[c].on_first.norm();
    if (!(size > 0)) continue;
    const auto vertices = model.constraints[c]->vertices();
    // At a rod's other end the opposite acts.
    for (std::size_t end = 0; end < vertices.size(); ++end)
      if (!model.fixed[static_cast<std::size_t>(vertices[end])])
        snapshot.held.push_back(
            {x.row(vertices[end]).transpose(), (end == 0 ? 1.0 : -1.0) / size * forces[c].on_first, size});
  }
}

// An affine body has its vertices anywhere: what holds it is where the scene says, if the scene does.
void find_pinned(const Session& s, const sim::Points& x, Snapshot& snapshot) {
  const sim::Model& model = s.model();
  snapshot.pinned.clear();
  snapshot.pinned_vertices.clear();
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const auto [first, count] = model.bodies[b];
    const scene::BodyGeometry& geometry = s.world().bodies[b];
    for (int i = first; i < first + count; ++i) {
      if (!model.fixed[static_cast<std::size_t>(i)]) continue;
      snapshot.pinned_vertices.push_back(i);
      if (!geometry.is_affine()) snapshot.pinned.push_back(x.row(i).transpose());
    }
    if (!geometry.is_affine() || !model.fixed[static_cast<std::size_t>(first)]) continue;
    const sim::Points numbered = geometry.numbered_at(x.middleRows(first, count));
    for (const int v : scene::held_by_scene(s.world(), b)) snapshot.pinned.push_back(numbered.row(v).transpose());
  }
}

}  // namespace

void look(const Session& s, Snapshot& snapshot) { look(s, s.state().x, snapshot); }

void look(const Session& s, const sim::Points& x, Snapshot& snapshot) {
  snapshot.surfaces.resize(s.world().bodies.size());
  for (std::size_t body = 0; body < snapshot.surfaces.size(); ++body) {
    const mesh::Points surface = s.surface(static_cast<int>(body), x);
    snapshot.surfaces[body].resize(static_cast<std::size_t>(surface.size()));
    Eigen::Map<Eigen::Matrix<float, Eigen::Dynamic, 3, Eigen::RowMajor>>(snapshot.surfaces[body].data(), surface.rows(),
                                                                         3) = surface.cast<float>();
  }
  snapshot.grab.reset();
  if (const auto& grab = s.grab()) {
    snapshot.grab = {grab->point, grab->springs.front().point.of(x), grab->target(), grab->force(x).norm(), {}};
    for (std::size_t i = 1; i < grab->springs.size(); ++i)
      snapshot.grab->around.push_back(grab->springs[i].point.of(x));
  }
  find_pinned(s, x, snapshot);
  snapshot.attachments.clear();
  for (const auto& a : s.model().attachments.items) snapshot.attachments.emplace_back(a.point.of(x), a.target);
  snapshot.obstacles.clear();
  for (std::size_t o = 0; o < s.model().obstacles.size(); ++o)
    snapshot.obstacles.push_back(
        {s.model().obstacles[o].shape, s.model().obstacles[o].pose, s.obstacle_goal(static_cast<int>(o))});
  snapshot.contacts.clear();
  for (const sim::Contact& contact : s.contacts())
    if (const double force = contact.force(contact.height(x)); force > 0)
      snapshot.contacts.push_back({place_of(contact, s.model(), x), contact.n, force});
  snapshot.smallest_gap = 0;
  const auto& barrier = s.model().body_contact.barrier;
  snapshot.contact_distance = barrier ? barrier->distance : 0;
  snapshot.contact_firmness = sim::barrier_firmness(s.model());
  snapshot.finest_edge = 0;
  for (const auto& body : s.model().contact_bodies)
    snapshot.finest_edge = snapshot.finest_edge > 0 ? std::min(snapshot.finest_edge, body->edge()) : body->edge();
  for (const sim::BarrierTouch& touch : sim::barrier_touches(s.model(), x)) {
    snapshot.contacts.push_back({touch.at, touch.n, touch.force});
    snapshot.smallest_gap = snapshot.smallest_gap > 0 ? std::min(snapshot.smallest_gap, touch.gap) : touch.gap;
  }
  for (const sim::CubicTouch& touch : sim::cubic_touches(s.model(), x))
    snapshot.contacts.push_back({touch.at, touch.n, touch.force});
  look_at_constraints(s, x, snapshot);
  snapshot.crossing = s.crossing();
  snapshot.inside_out = s.model().inside_out(x);
  snapshot.solves = s.solves();
  snapshot.traces = s.traces();
  snapshot.wires.clear();
  for (const auto& constraint : s.model().constraints)
    if (auto path = constraint->path(x); !path.empty()) snapshot.wires.push_back(std::move(path));
  snapshot.record = s.record();
  // It may hold a whole mesh, and changes by hand only.
  if (snapshot.revision != s.revision()) {
    snapshot.description = s.description();
    snapshot.bodies = s.world().bodies;
    snapshot.regions = regions_of(s);
    snapshot.revision = s.revision();
  }
  snapshot.inner_places.clear();
  if (snapshot.regions) find_inner_places(s, *snapshot.regions, x, snapshot.inner_places);
  snapshot.left_by = s.left_by();
  snapshot.failure = s.failure();
  snapshot.outcome = s.outcome();
  snapshot.failure_site = s.failure_site();
  snapshot.failure_at = s.failure_site() ? place_of(*s.failure_site(), s) : std::nullopt;
  snapshot.stiffness_number = s.stiffness_number();
}

void add_vertices(const Timeline& timeline, bool shown, Moment& moment) {
  for (Snapshot& snapshot : moment.panes) {
    snapshot.vertices.clear();
    if (!shown) continue;
    const sim::Points& x = timeline.ensemble().find(snapshot.pane)->state().x;
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      for (int c = 0; c < 3; ++c) snapshot.vertices.push_back(static_cast<float>(x(i, c)));
  }
}

void look(const Timeline& timeline, Moment& moment) {
  const auto panes = timeline.ensemble().panes();
  moment.panes.resize(panes.size());
  for (std::size_t i = 0; i < panes.size(); ++i) {
    moment.panes[i].pane = panes[i].id;
    look(*panes[i].session, moment.panes[i]);
  }
  moment.frame = timeline.frame();
  moment.first = timeline.first();
  moment.last = timeline.last();
  moment.settled_since = timeline.settled_since();
  moment.branch = timeline.branch();
  moment.ghosts = timeline.ghosts();
  moment.can_undo = timeline.ensemble().can_undo();
  moment.can_redo = timeline.ensemble().can_redo();
  moment.replaying = timeline.follows();
  moment.divergence = timeline.divergence();
}

}  // namespace rebound::session
