#include "sim/contact/detect.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "sim/collide/sweep.hpp"

namespace rebound::sim {
namespace {

constexpr int kPointsPerPiece = 256;
// How far off a point is, as a share of the bodies' extent, when its spring goes away.
constexpr double kLingerShare = 2e-3;
// How high above a surface, as a share of the obstacle's size, a place is outside, whatever is rounded.
constexpr double kLiftShare = 1e-8;

// The box in which an obstacle is, in world coordinates.
Eigen::AlignedBox3d box_around(const Obstacle& obstacle) {
  const Eigen::AlignedBox3d box = bounds(obstacle.shape);
  const Vec3 half = 0.5 * box.sizes();
  if (!half.allFinite()) return box;
  const Vec3 centre = obstacle.pose.apply(box.center()), reach = obstacle.pose.R.cwiseAbs() * half;
  return {centre - reach, centre + reach};
}

// A straight way that ends inside such a shape has gone in once, and not come out.
bool is_convex(const Shape& shape) {
  return !std::holds_alternative<Torus>(shape) && !std::holds_alternative<TriangleSolid>(shape);
}

// What takes things along from one pose to another; nothing, to the last bit, where both are the same.
Pose motion(const Pose& from, const Pose& to) {
  if (from == to) return {};
  const Eigen::Matrix3d R = to.R * from.R.transpose();
  return {R, to.t - R * from.t};
}

// What is known of an obstacle before any point is looked at.
struct Glance {
  explicit Glance(const Obstacle& obstacle)
      : box(box_around(obstacle)), moves(obstacle.moves()), convex(is_convex(obstacle.shape)) {
    if (box.sizes().allFinite()) lift = kLiftShare * box.diagonal().norm();
    if (obstacle.earlier) seen_before = motion(*obstacle.earlier, obstacle.pose);
    if (!moves && std::holds_alternative<Plane>(obstacle.shape)) {
      floor_n = obstacle.pose.R.col(1);
      floor_at = obstacle.pose.t;
    }
  }

  /// Of a floor that lies still: most points are above it all the time, and nothing else needs to be known of them.
  bool is_above_floor(const Vec3& p) const { return floor_n.dot(p - floor_at) > 0; }

  Eigen::AlignedBox3d box;
  bool moves, convex;
  double lift = 0;  ///< m
  Vec3 floor_n = Vec3::Zero(), floor_at = Vec3::Zero();
  std::optional<Pose> seen_before;  ///< takes what it had around it when the step before began to where that would be
};

double height(const Nearest& plate, const Vec3& p) { return plate.normal.dot(p - plate.point); }

class Search {
 public:
  Search(const Model& model, const State* before, const State& now, double h, const LastContacts& last)
      : model_(model),
        before_(before),
        now_(now),
        h_(h),
        last_(last),
        near_(kLingerShare * model.extent),
        glances_(model.obstacles.begin(), model.obstacles.end()) {}

  void look_at(int collider, std::vector<Contact>& found) const {
    const BodyPoint& point = model_.colliders[static_cast<std::size_t>(collider)];
    const Vec3 p = point.of(now_.x), q = p + h_ * point.of(now_.v) + h_ * h_ * model_.g;
    const auto is_free = [&] {
      return std::any_of(point.vertices.begin(), point.vertices.end(), [&](int v) { return !model_.fixed[v]; });
    };
    for (std::size_t o = 0; o < glances_.size(); ++o) {
      const Obstacle& obstacle = model_.obstacles[o];
      const bool had_contact = last_.find(collider, static_cast<int>(o)) != nullptr;
      if (!had_contact && glances_[o].is_above_floor(p) && glances_[o].is_above_floor(q)) continue;
      if (!obstacle.has_springs()) continue;
      if (!is_free()) return;
      auto at = meeting(o, collider, p, q);
      if (!at && had_contact) at = lingering(obstacle, p, q);
      if (!at) continue;
      found.push_back({point, at->point, at->normal, obstacle.stiffness, obstacle.friction, static_cast<int>(o),
                       moved(o, collider, p, *at), collider});
    }
  }

 private:
  // How far the surface moves in the step, for a point that begins it at p. Sideways that is where the spot under p
  // goes. Along the normal it is what the distance of p changes by: of one spot's way, a point beside something round
  // would have too much, and one under an edge, whose nearest side is another where the step ends, as much as the
  // whole way.
  Vec3 moved(std::size_t o, int collider, const Vec3& p, const Nearest& at) const {
    const Obstacle& obstacle = model_.obstacles[o];
    if (!glances_[o].moves) return Vec3::Zero();
    const Vec3 way = obstacle.moved_from(p), sideways = way - way.dot(at.normal) * at.normal;
    const Nearest begin = nearest(obstacle.shape, obstacle.before.undo(p));
    const double end = height(at, p), along = obstacle.moved(at.point).dot(at.normal);
    const bool is_nearest_to_p = std::abs(end - at.distance) <= kLiftShare * model_.extent;
    const bool is_same_side = at.normal.dot(obstacle.pose.R * begin.normal) > 0;
    if (is_nearest_to_p && is_same_side) return sideways + (begin.distance - end) * at.normal;
    // The plane of another side may begin no deeper than the point was.
    const Contact* last = last_.find(collider, static_cast<int>(o));
    const double depth = std::min(0.0, last != nullptr ? last->n.dot(p - last->x_s) : begin.distance);
    return sideways + std::max(along, depth - end) * at.normal;
  }

  // What the two ends of a way tell.
  struct Ends {
    std::optional<Nearest> at;
    bool begins_inside = false;
    double room_at_begin = 0, room_at_end = 0;  ///< m, how far around an end is free
  };

  // Where a point on its way from p to q meets it.
  std::optional<Nearest> meeting(std::size_t o, int collider, const Vec3& p, const Vec3& q) const {
    const Ends ends = look_at_ends(o, p, q);
    const Vec3 from = glances_[o].moves ? carried(o, p) : p;
    if (const auto through = gone_through(o, collider, from, ends)) return through;
    const bool kept_on_its_side = ends.at && height(*ends.at, from) >= 0;
    if (kept_on_its_side && glances_[o].convex) return ends.at;
    if (!glances_[o].moves) {
      if (ends.begins_inside) return ends.at;
      const double room = ends.room_at_begin + ends.room_at_end;
      if ((q - p).squaredNorm() < room * room) return ends.at;
    }
    const auto entry = enters(o, from, q);
    if (entry && !(kept_on_its_side && !entry->leaves)) return entry->at;
    if (kept_on_its_side || !glances_[o].moves) return ends.at;
    return kept_before_it(o, from, q, ends);
  }

  // Where it is met at one of the ends.
  Ends look_at_ends(std::size_t o, const Vec3& p, const Vec3& q) const {
    if (!glances_[o].box.contains(p) && !glances_[o].box.contains(q)) return {};
    const Obstacle& obstacle = model_.obstacles[o];
    if (clearly_outside(obstacle, p) && clearly_outside(obstacle, q)) {
      // Above a plane all that lies between two points is so as well.
      const double room = std::holds_alternative<Plane>(obstacle.shape) ? std::numeric_limits<double>::infinity() : 0;
      return {std::nullopt, false, room, room};
    }
    const Nearest at = nearest(obstacle, p);
    if (at.distance < 0) return {at, true};
    const Nearest then = nearest(obstacle, q);
    if (then.distance >= 0) return {std::nullopt, false, at.distance, then.distance};
    // Past the middle of an obstacle the nearest way out is forwards; the point is kept on the side it comes from.
    return {height(then, p) >= 0 ? then : at, false, at.distance};
  }

  // A soft spring lets a point sink in past the middle, or through; forces of the body may throw it through where no
  // spring was. Then it comes back the way that it went: from the spot where a spring has held it, or else from where
  // it was a step ago. What leaves by another side has slid over an edge, and is free.
  std::optional<Nearest> gone_through(std::size_t o, int collider, const Vec3& p, const Ends& ends) const {
    const auto begin = side_of(o, collider, p, ends);
    if (!begin) return std::nullopt;
    const auto entry = enters(o, *begin, p);
    if (!entry) return std::nullopt;
    const Nearest out = nearest(model_.obstacles[o], p);
    const Vec3 way_out = entry->leaves ? entry->leaves->normal : out.normal;
    if (way_out.dot(entry->at.normal) >= 0) return std::nullopt;
    // Inside a bowl the plane where it went in does not lead back: what lies across the wall does.
    if (!glances_[o].convex && -height(entry->at, p) < out.distance) {
      const auto back = enters(o, p, p - (out.distance + glances_[o].box.diagonal().norm()) * out.normal);
      if (back && back->leaves) return back->leaves;
    }
    return entry->at;
  }

  // A place outside, on the side of a point that may have gone through; none if it is known that it has not.
  std::optional<Vec3> side_of(std::size_t o, int collider, const Vec3& p, const Ends& ends) const {
    const Glance& glance = glances_[o];
    const Obstacle& obstacle = model_.obstacles[o];
    if (const Contact* last = last_.find(collider, static_cast<int>(o))) {
      Nearest held{0, last->n, last->x_s};
      if (glance.moves) held = {0, obstacle.pose.R * (obstacle.before.R.transpose() * last->n), carried(o, last->x_s)};
      if (!glance.moves && ends.begins_inside && ends.at->normal.dot(held.normal) >= 0) return std::nullopt;
      if (glance.convex && height(held, p) >= 0) return std::nullopt;
      return held.point + glance.lift * held.normal;
    }
    if (before_ == nullptr || !glance.seen_before) return std::nullopt;
    const Vec3 begin = glance.seen_before->apply(model_.colliders[static_cast<std::size_t>(collider)].of(before_->x));
    if (!glance.moves && (p - begin).squaredNorm() < ends.room_at_begin * ends.room_at_begin) return std::nullopt;
    if (!glance.box.contains(begin) || clearly_outside(obstacle, begin)) return begin;
    const Nearest out = nearest(obstacle, begin);
    return out.distance < 0 ? Vec3(out.point + glance.lift * out.normal) : begin;
  }

  // An obstacle sets off with a point in it or before it, and where it has got to another side is nearer: the side is
  // that of the beginning.
  std::optional<Nearest> kept_before_it(std::size_t o, const Vec3& p, const Vec3& q, const Ends& ends) const {
    const Nearest out = nearest(model_.obstacles[o], p);
    if (ends.at) return out.normal.dot(ends.at->normal) < 0 ? out : ends.at;
    return out.distance < 0 && height(out, q) < 0 ? std::optional(out) : std::nullopt;
  }

  // What is at p at the beginning of the step, and goes with the obstacle, is there at its end.
  Vec3 carried(std::size_t o, const Vec3& p) const {
    const Obstacle& obstacle = model_.obstacles[o];
    return obstacle.pose.apply(obstacle.before.undo(p));
  }

  // In world coordinates, where the obstacle is at the end of the step.
  std::optional<Entry> enters(std::size_t o, const Vec3& from, const Vec3& to) const {
    if (!glances_[o].box.intersects(Eigen::AlignedBox3d(from.cwiseMin(to), from.cwiseMax(to)))) return std::nullopt;
    const Obstacle& obstacle = model_.obstacles[o];
    const Pose& pose = obstacle.pose;
    auto entry = first_entry(obstacle.shape, pose.undo(from), pose.undo(to));
    if (!entry) return std::nullopt;
    const auto place = [&](Nearest& n) { n = {0, pose.R * n.normal, pose.apply(n.point)}; };
    place(entry->at);
    if (entry->leaves) place(*entry->leaves);
    return entry;
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
  const State* before_;
  const State& now_;
  const double h_;
  const LastContacts& last_;
  const double near_;  ///< m
  const std::vector<Glance> glances_;
};

}  // namespace

std::vector<Contact> find_contacts(const Model& model, const State& now, double h, const LastContacts& last,
                                   Workers& workers, const State* before) {
  if (model.obstacles.empty()) return {};
  const Search search(model, before, now, h, last);
  const int points = static_cast<int>(model.colliders.size()),
            pieces = (points + kPointsPerPiece - 1) / kPointsPerPiece;
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
