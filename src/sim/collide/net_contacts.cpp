// Points within the thickness of a net's faces.
#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/collide/body_contacts.hpp"

namespace rebound::sim {
namespace {

// A point and a spot of one net that were nearer than so many edges at rest are neighbours.
constexpr double kNeighbours = 1.5;
// A side is remembered, and a point that went through is pulled back, within so many thicknesses.
constexpr double kMemory = 4;
// A path that misses a face by less than this share of its size goes through it all the same: else it might slip
// between two.
constexpr double kSlack = 1e-3;
// Of contacts of one point whose directions are this alike (their cosine), the nearest one will do.
constexpr double kAlike = 0.5;

/// The contact of a point with a face, before others of the same point are preferred.
struct NetContact {
  double distance;
  int face;
  Contact contact;
};

// A face and a point, at the beginning or the end of their way.
struct Moment {
  Corners face;
  Vec3 p;
  Vec3 normal;         ///< unit, or zero
  TrianglePoint spot;  ///< nearest to p
  double height;       ///< of p over the plane, m

  Moment(const Corners& corners, const Vec3& point)
      : face(corners),
        p(point),
        normal(area_normal(corners).normalized()),
        spot(nearest_in_triangle(corners, point)),
        height(normal.dot(point - corners[0])) {}
  double distance() const { return std::sqrt(spot.squared_distance); }
};

// Where the path of the point, the face standing still beside it, goes through the plane; the weights of the corners,
// if that is in the face.
std::optional<Vec3> crossing(const Moment& from, const Moment& to) {
  if (!(from.height * to.height < 0)) return std::nullopt;
  const double s = from.height / (from.height - to.height);
  Corners face;
  for (std::size_t c = 0; c < 3; ++c) face[c] = (1 - s) * from.face[c] + s * to.face[c];
  const Vec3 p = (1 - s) * from.p + s * to.p;
  const TrianglePoint spot = nearest_in_triangle(face, p);
  const Vec3 normal = area_normal(face);
  const Vec3 off = p - spot.at, beside = off - off.dot(normal) / std::max(normal.squaredNorm(), 1e-300) * normal;
  if (beside.squaredNorm() > kSlack * kSlack * normal.norm()) return std::nullopt;
  return spot.weights;
}

}  // namespace

void BodyContactSearch::meet_net(const Model& model, const Points& x, const Traveller& traveller, int b,
                                 const std::vector<Side>& were, std::vector<Side>& are,
                                 std::vector<Contact>& found) const {
  const Body& body = bodies_[static_cast<std::size_t>(b)];
  const ContactBody& shape = *body.shape;
  const bool own = b == traveller.body;
  const double memory = kMemory * body.thickness;
  const auto remembered = [&](int face) -> std::optional<double> {
    for (const Side& side : were)
      if (side.body == b && side.face == face) return side.sign;
    for (const Side& side : were)
      if (side.body == b && shape.touch(side.face, face)) return side.sign;
    return std::nullopt;
  };
  const auto is_neighbour = [&](int face) {
    const Vec3 at_rest = shape.rest().row(traveller.point->vertices[0] - body.first);
    Corners corners = shape.corners(face, shape.rest(), 0);
    return nearest_in_triangle(corners, at_rest).squared_distance < std::pow(kNeighbours * shape.edge(), 2);
  };

  std::vector<NetContact> candidates;
  TreeBox way = way_of(traveller, body);
  way.widen(static_cast<float>(were.empty() ? body.thickness : memory));
  body.elements.visit(way, [&](int face) {
    const Moment from(shape.corners(face, x, body.first), traveller.from);
    const Moment to(shape.corners(face, ends_, body.first), traveller.to);
    const std::optional<Vec3> through = crossing(from, to);
    const double nearest = through ? 0 : std::min(from.distance(), to.distance());
    if (nearest >= memory || (own && is_neighbour(face))) return;
    const std::optional<double> was = remembered(face);
    const double sign = was ? *was : from.height < 0 ? -1 : 1;
    const bool beyond = was && *was * from.height < 0;
    if (!beyond && nearest >= body.thickness) {
      if (was) are.push_back({b, face, sign});
      return;
    }
    are.push_back({b, face, sign});
    // Over an edge the direction lies between those of the faces.
    Vec3 weights = from.spot.weights, n = sign * from.normal;
    const Vec3 off = from.p - from.spot.at;
    if (!beyond && from.distance() < body.thickness) {
      if (off.dot(n) > 0) n = off.normalized();
    } else if (through) {
      weights = *through;
    } else if (!beyond) {
      weights = to.spot.weights;
    }
    NetContact candidate{nearest, face, contact_at(model, traveller, body, face, weights, n)};
    candidate.contact.x_s = body.thickness * n;
    candidates.push_back(std::move(candidate));
  });

  std::sort(candidates.begin(), candidates.end(), [](const NetContact& l, const NetContact& r) {
    return l.distance != r.distance ? l.distance < r.distance : l.face < r.face;
  });
  const std::size_t before = found.size();
  for (const NetContact& candidate : candidates) {
    const auto alike = [&](const Contact& other) { return other.n.dot(candidate.contact.n) > kAlike; };
    if (std::none_of(found.begin() + static_cast<std::ptrdiff_t>(before), found.end(), alike))
      found.push_back(candidate.contact);
  }
}

}  // namespace rebound::sim
