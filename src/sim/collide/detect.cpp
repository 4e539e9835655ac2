#include "sim/collide/detect.hpp"

#include <algorithm>

namespace rebound::sim {
namespace {

constexpr int kPointsAPiece = 256;

// The box in which an obstacle is, in world coordinates.
Eigen::AlignedBox3d box_around(const Obstacle& obstacle) {
  const Eigen::AlignedBox3d box = bounds(obstacle.shape);
  const Vec3 half = 0.5 * box.sizes();
  if (!half.allFinite()) return box;
  const Vec3 centre = obstacle.pose.apply(box.center()), reach = obstacle.pose.R.cwiseAbs() * half;
  return {centre - reach, centre + reach};
}

class Search {
 public:
  Search(const Model& model, const State& now, double h) : model_(model), now_(now), h_(h) {
    for (const Obstacle& obstacle : model.obstacles) boxes_.push_back(box_around(obstacle));
  }

  void look_at(const BodyPoint& point, std::vector<Contact>& found) const {
    const bool free = std::any_of(point.vertices.begin(), point.vertices.end(), [&](int v) { return !model_.fixed[v]; });
    if (!free) return;
    const Vec3 p = point.of(now_.x), q = p + h_ * point.of(now_.v) + h_ * h_ * model_.g;
    for (std::size_t o = 0; o < boxes_.size(); ++o) {
      if (!boxes_[o].contains(p) && !boxes_[o].contains(q)) continue;
      const Obstacle& obstacle = model_.obstacles[o];
      if (clearly_outside(obstacle, p) && clearly_outside(obstacle, q)) continue;
      Nearest at = nearest(obstacle, p);
      if (at.distance >= 0) {
        const Nearest then = nearest(obstacle, q);
        if (then.distance >= 0) continue;
        // Past the middle of an obstacle the nearest way out is forwards; the point is kept on the side it comes from.
        if (then.normal.dot(p - then.point) >= 0) at = then;
      }
      found.push_back({point, at.point, at.normal, obstacle.stiffness, obstacle.friction, static_cast<int>(o),
                       obstacle.moved(at.point)});
    }
  }

 private:
  const Model& model_;
  const State& now_;
  const double h_;
  std::vector<Eigen::AlignedBox3d> boxes_;
};

}  // namespace

std::vector<Contact> find_contacts(const Model& model, const State& now, double h, Workers& workers) {
  if (model.obstacles.empty()) return {};
  const Search search(model, now, h);
  const auto& points = model.colliders;
  const int pieces = (static_cast<int>(points.size()) + kPointsAPiece - 1) / kPointsAPiece;
  std::vector<std::vector<Contact>> found(static_cast<std::size_t>(pieces));
  workers.run(pieces, [&](int piece) {
    const auto first = static_cast<std::size_t>(piece) * kPointsAPiece;
    for (std::size_t i = first; i < std::min(first + kPointsAPiece, points.size()); ++i)
      search.look_at(points[i], found[static_cast<std::size_t>(piece)]);
  });
  std::vector<Contact> all;
  for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace rebound::sim
