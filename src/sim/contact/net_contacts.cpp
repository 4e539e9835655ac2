// Points within the thickness of a net's faces.
#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/contact/body_contacts.hpp"

namespace rebound::sim {
namespace {

// A point and a spot of one net that were nearer than so many edges at rest are neighbours.
constexpr double kNetNeighbours = 1.5;
// A path that misses a face by less than this share of its size goes through it all the same: else it might slip
// between two.
constexpr double kContactSlack = 1e-3;
// Of contacts of one point whose directions are this alike (their cosine), the nearest one will do.
constexpr double kAlike = 0.5;
// Over an edge a point is above a face if the cosine between its direction and the normal is more than this.
constexpr double kAbove = 0.5;

// The contact of a point with a face, before others of the same point are preferred.
struct NetContact {
  double distance;
  int face;
  Contact contact;
};

// A face and a point, at the beginning or the end of their way.
struct Moment {
  Corners face;
  Vec3 p;
  Vec3 normal;    ///< unit, or zero
  double height;  ///< of p over the plane, m

  Moment(const Corners& corners, const Vec3& point)
      : face(corners), p(point), normal(area_normal(corners).normalized()), height(normal.dot(point - corners[0])) {}
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
  if (beside.squaredNorm() > kContactSlack * kContactSlack * normal.norm()) return std::nullopt;
  return spot.weights;
}

// How a point comes near a face in the step.
struct Approach {
  double distance;  ///< m, the least
  double sign;      ///< 1 on the side of the face's normal, -1 on the other
  Vec3 weights;     ///< of the corners, of the spot where they meet
  Vec3 n;           ///< unit, at the beginning
};

// None if they do not come within `thickness`, or if the point is beside the face. last_sign(): the sign that it had
// before, if that is known.
template <class LastSign>
std::optional<Approach> approach(const Moment& from, const Moment& to, double thickness, const LastSign& last_sign) {
  const double least = std::min(std::abs(from.height), std::abs(to.height));
  if (least >= thickness && from.height * to.height > 0) return std::nullopt;
  const std::optional<Vec3> through = crossing(from, to);
  const TrianglePoint begin = nearest_in_triangle(from.face, from.p), end = nearest_in_triangle(to.face, to.p);
  const double distance = through ? 0 : std::sqrt(std::min(begin.squared_distance, end.squared_distance));
  if (distance >= thickness) return std::nullopt;
  const double sign = last_sign().value_or(from.height < 0 ? -1 : 1);
  const bool close = begin.squared_distance < thickness * thickness;
  Approach result{distance, sign, close ? begin.weights : through.value_or(end.weights), sign * from.normal};
  if (through) return result;
  // Over an edge the direction lies between those of the faces.
  const Vec3 off = close ? from.p - begin.at : to.p - end.at;
  const bool above = off.dot(sign * (close ? from : to).normal) > kAbove * off.norm();
  if (!above && result.weights.minCoeff() <= 0) return std::nullopt;
  if (above && close) result.n = off.normalized();
  return result;
}

bool near_at_rest(const ContactBody& shape, int face, int vertex) {
  const Corners corners = shape.corners(face, shape.rest(), 0);
  const Vec3 at_rest = shape.rest().row(vertex);
  const double reach = kNetNeighbours * shape.edge();
  return std::any_of(corners.begin(), corners.end(),
                     [&](const Vec3& corner) { return (corner - at_rest).squaredNorm() < reach * reach; });
}

}  // namespace

void BodyContactSearch::meet_net(const Model& model, const Points& x, const Traveller& traveller, int b,
                                 const std::vector<Side>& were, std::vector<Side>& are,
                                 std::vector<Contact>& found) const {
  const Body& body = bodies_[static_cast<std::size_t>(b)];
  const ContactBody& shape = *body.shape;
  // A point that slides from a face to one beside it stays on its side.
  const auto last_sign = [&](int face) -> std::optional<double> {
    for (const Side& side : were)
      if (side.body == b && side.face == face) return side.sign;
    for (const Side& side : were)
      if (side.body == b && shape.touch(side.face, face)) return side.sign;
    return std::nullopt;
  };

  std::vector<NetContact> candidates;
  TreeBox way = way_of(traveller, body);
  way.widen(static_cast<float>(body.thickness));
  body.elements.visit(way, [&](int face) {
    if (b == traveller.body && near_at_rest(shape, face, traveller.point->vertices[0] - body.first)) return;
    const auto met = approach({shape.corners(face, x, body.first), traveller.from},
                              {shape.corners(face, ends_, body.first), traveller.to}, body.thickness,
                              [&] { return last_sign(face); });
    if (!met) return;
    are.push_back({b, face, met->sign});
    candidates.push_back({met->distance, face, contact_at(model, traveller, body, face, met->weights, met->n)});
    candidates.back().contact.x_s = body.thickness * met->n;
  });

  std::sort(candidates.begin(), candidates.end(), [](const NetContact& l, const NetContact& r) {
    return l.distance != r.distance ? l.distance < r.distance : l.face < r.face;
  });
  const auto before = static_cast<std::ptrdiff_t>(found.size());
  for (const NetContact& candidate : candidates) {
    const auto alike = [&](const Contact& other) { return other.n.dot(candidate.contact.n) > kAlike; };
    if (std::none_of(found.begin() + before, found.end(), alike)) found.push_back(candidate.contact);
  }
}

}  // namespace rebound::sim
