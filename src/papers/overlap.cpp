#include "papers/overlap.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::papers {

Overlap::Overlap(const sim::Model& model, int threads) : workers_(threads) {
  if (model.body_contact.bodies && model.bodies_may_meet()) search_.emplace(model);
}

double Overlap::deepest(const sim::Model& model, const sim::Points& x) {
  if (!search_ || !x.allFinite()) return 0;
  double most = 0;
  for (const sim::InsidePoint& inside : search_->find_inside(model, x, workers_)) {
    const sim::BodyPoint& point = model.colliders[static_cast<std::size_t>(inside.collider)];
    const auto body = static_cast<std::size_t>(inside.body);
    const auto [first, count] = model.bodies[body];
    if (point.vertices[0] >= first && point.vertices[0] < first + count) continue;
    // The tets of a lattice reach beyond the surface that hangs in it.
    const sim::Corners face = model.contact_bodies[body]->corners(inside.spot.face, x, first);
    if ((point.of(x) - inside.spot.point.at).dot(sim::area_normal(face)) > 0) continue;
    most = std::max(most, inside.spot.point.squared_distance);
  }
  return std::sqrt(most);
}

}  // namespace rebound::papers
