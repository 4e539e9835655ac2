#include "sim/contact/detect.hpp"

#include <algorithm>
#include <optional>

namespace rebound::sim {
namespace {

constexpr int kPointsPerPiece = 256;
// How far off a point is, as a share of the bodies' extent, when its spring goes away.
constexpr double kLingerShare = 2e-3;

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
  Search(const Model& model, const State& now, double h, const LastContacts& last)
      : model_(model), now_(now), h_(h), last_(last), near_(kLingerShare * model.extent) {
    for (const Obstacle& obstacle : model.obstacles) boxes_.push_back(box_around(obstacle));
  }

  void look_at(int collider, std::vector<Contact>& found) const {
    const BodyPoint& point = model_.colliders[static_cast<std::size_t>(collider)];
    const bool free =
        std::any_of(point.vertices.begin(), point.vertices.end(), [&](int v) { return !model_.fixed[v]; });
    if (!free) return;
    const Vec3 p = point.of(now_.x), q = p + h_ * point.of(now_.v) + h_ * h_ * model_.g;
    for (std::size_t o = 0; o < boxes_.size(); ++o) {
      const Obstacle& obstacle = model_.obstacles[o];
      auto at = meeting(o, p, q);
      if (!at && last_.find(collider, static_cast<int>(o)) != nullptr) at = lingering(obstacle, p, q);
      if (!at) continue;
      found.push_back({point, at->point, at->normal, obstacle.stiffness, obstacle.friction, static_cast<int>(o),
                       obstacle.moved(at->point), collider});
    }
  }

 private:
  // Where a point on its way from p to q meets it.
  std::optional<Nearest> meeting(std::size_t o, const Vec3& p, const Vec3& q) const {
    if (!boxes_[o].contains(p) && !boxes_[o].contains(q)) return std::nullopt;
    const Obstacle& obstacle = model_.obstacles[o];
    if (clearly_outside(obstacle, p) && clearly_outside(obstacle, q)) return std::nullopt;
    const Nearest at = nearest(obstacle, p);
    if (at.distance < 0) return at;
    const Nearest then = nearest(obstacle, q);
    if (then.distance >= 0) return std::nullopt;
    // Past the middle of an obstacle the nearest way out is forwards; the point is kept on the side it comes from.
    return then.normal.dot(p - then.point) >= 0 ? then : at;
  }

  // Where a point that meets it no more is still near. A plane that the point would be behind at q does not say where
  // the surface is there.
  std::optional<Nearest> lingering(const Obstacle& obstacle, const Vec3& p, const Vec3& q) const {
    const Nearest at = nearest(obstacle, p);
    const double end = at.normal.dot(q - at.point);
    if (at.distance > near_ || end < 0 || end > near_) return std::nullopt;
    return at;
  }

  const Model& model_;
  const State& now_;
  const double h_;
  const LastContacts& last_;
  const double near_;  ///< m
  std::vector<Eigen::AlignedBox3d> boxes_;
};

}  // namespace

std::vector<Contact> find_contacts(const Model& model, const State& now, double h, const LastContacts& last,
                                   Workers& workers) {
  if (model.obstacles.empty()) return {};
  const Search search(model, now, h, last);
  const int points = static_cast<int>(model.colliders.size()), pieces = (points + kPointsPerPiece - 1) / kPointsPerPiece;
  std::vector<std::vector<Contact>> found(static_cast<std::size_t>(pieces));
  workers.run(pieces, [&](int piece) {
    for (int i = piece * kPointsPerPiece; i < std::min(points, (piece + 1) * kPointsPerPiece); ++i)
      search.look_at(i, found[static_cast<std::size_t>(piece)]);
  });
  std::vector<Contact> all;
  for (const auto& some : found) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace rebound::sim
