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
    const int vertex = model.colliders[static_cast<std::size_t>(inside.collider)].vertices[0];
    const auto [first, count] = model.bodies[static_cast<std::size_t>(inside.body)];
    if (vertex >= first && vertex < first + count) continue;
    most = std::max(most, inside.spot.point.squared_distance);
  }
  return std::sqrt(most);
}

}  // namespace rebound::papers
