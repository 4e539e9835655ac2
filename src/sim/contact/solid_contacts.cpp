// Points inside tets.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/contact/body_contacts.hpp"

namespace rebound::sim {
namespace {

// A point and a tet of one body that were nearer than so many edges at rest are neighbours: what brings them together
// is for the elements between them to resist.
constexpr double kSolidNeighbours = 2;
// A point is held in sight until it is so many edges away from the surface.
constexpr double kLingerEdges = 0.5;
// A point so much nearer to the surface than an edge is long has no direction of its own to it.
constexpr double kTouching = 1e-6;

std::array<Vec3, 4> corners_of(const std::array<int, 4>& tet, const Points& x, int first) {
  return {x.row(first + tet[0]), x.row(first + tet[1]), x.row(first + tet[2]), x.row(first + tet[3])};
}

bool carried_by(const BodyPoint& point, const std::array<int, 4>& tet, int first) {
  for (int j = 0; j < 4; ++j)
    for (const int v : tet)
      if (point.weights[j] != 0 && point.vertices[j] == first + v) return true;
  return false;
}

// From the surface outwards, towards the point's way out.
Vec3 outwards(const Corners& face, const SurfaceSpot& spot, const Vec3& p, double edge) {
  const Vec3 normal = area_normal(face).normalized(), way = spot.point.at - p;
  const double length = way.norm();
  // Over an edge or a corner the direction lies between those of the faces.
  return length > kTouching * edge && way.dot(normal) > 0 ? Vec3(way / length) : normal;
}

}  // namespace

std::optional<Eigen::Vector4d> weights_inside(const std::array<Vec3, 4>& corners, const Vec3& p, bool anywhere) {
  const Vec3 a = corners[1] - corners[0], b = corners[2] - corners[0], c = corners[3] - corners[0], d = p - corners[0];
  const Vec3 bc = b.cross(c);
  const double volume = a.dot(bc);
  if (volume == 0) return std::nullopt;
  const Vec3 ad = a.cross(d);
  Eigen::Vector4d weights;
  weights[1] = d.dot(bc) / volume;
  weights[2] = c.dot(ad) / volume;
  weights[3] = -b.dot(ad) / volume;
  weights[0] = 1 - weights[1] - weights[2] - weights[3];
  if (anywhere || weights.minCoeff() >= 0) return weights;
  return std::nullopt;
}

bool BodyContactSearch::is_own(const Traveller& traveller, const Body& body) const {
  return bodies_[static_cast<std::size_t>(traveller.body)].first == body.first;
}

// Of one of its points.
Vec3 BodyContactSearch::place_at_rest(const BodyPoint& point, const Body& body) {
  Vec3 at = Vec3::Zero();
  for (int j = 0; j < 4; ++j)
    if (point.weights[j] != 0)
      at += point.weights[j] * body.shape->rest().row(point.vertices[j] - body.first).transpose();
  return at;
}

// Out of the tets that hold the point at the beginning of the step; if there is none, of those that hold it at the end.
// Of several ways the shortest.
std::array<BodyContactSearch::WayOut, 2> BodyContactSearch::ways_out(const Points& x, const Traveller& traveller,
                                                                     const Body& body, double reach) const {
  const ContactBody& shape = *body.shape;
  const BodyPoint& point = *traveller.point;
  const bool own = is_own(traveller, body);
  const Vec3 at_rest = own ? place_at_rest(point, body) : Vec3(Vec3::Zero());

  const auto try_tet = [&](int t, const Points& where, const Vec3& p, WayOut& best) {
    const auto& tet = shape.tets()[static_cast<std::size_t>(t)];
    const auto weights = weights_inside(corners_of(tet, where, body.first), p, !shape.cage().empty());
    if (!weights) return;
    Vec3 X = Vec3::Zero();
    for (int c = 0; c < 4; ++c) X += (*weights)[c] * shape.rest().row(tet[static_cast<std::size_t>(c)]).transpose();
    if (own && (X - at_rest).norm() < reach) return;
    const SurfaceSpot spot = shape.way_out(t, X);
    if (spot.face < 0) return;
    const double depth = std::sqrt(spot.point.squared_distance);
    if (best.spot.face < 0 || depth < best.depth) best = {spot, depth};
  };
  // Most tets of its own whose boxes a point meets are around it: all of such a tet is near at rest.
  const auto is_near = [&](const std::array<int, 4>& tet) {
    return std::all_of(tet.begin(), tet.end(), [&](int v) {
      return (shape.rest().row(v).transpose() - at_rest).squaredNorm() < reach * reach;
    });
  };
  std::array<WayOut, 2> ways;
  body.elements.visit(way_of(traveller, body), [&](int t) {
    const auto& tet = shape.tets()[static_cast<std::size_t>(t)];
    if (own && (is_near(tet) || carried_by(point, tet, body.first))) return;
    try_tet(t, x, traveller.from, ways[0]);
    if (ways[0].spot.face < 0) try_tet(t, ends_, traveller.to, ways[1]);
  });
  return ways;
}

void BodyContactSearch::meet_solid(const Model& model, const Points& x, const Traveller& traveller, int b,
                                   const std::vector<Side>& were, std::vector<Side>& are,
                                   std::vector<Contact>& found) const {
  const Body& body = bodies_[static_cast<std::size_t>(b)];
  const ContactBody& shape = *body.shape;
  const auto add = [&](int face) {
    const SurfaceSpot spot = shape.descend(face, traveller.between, between_, body.first);
    const Vec3 n = outwards(shape.corners(spot.face, between_, body.first), spot, traveller.between, shape.edge());
    are.push_back({b, spot.face, 1});
    // A spot in the middle of a flat side that slides into another body's edge is not held by that: the edge is above
    // the side.
    const Body& own = bodies_[static_cast<std::size_t>(traveller.body)];
    if (!own.shape->is_solid() || own.shape->can_be_pressed(*traveller.point, n, between_, own.first))
      found.push_back(contact_at(model, traveller, body, spot.face, spot.point.weights, n));
  };
  const auto is_outside = [&](int face) {
    const Corners corners = shape.corners(face, x, body.first);
    return area_normal(corners).dot(traveller.from - corners[0]) >= 0;
  };

  const auto [now, then] = ways_out(x, traveller, body, kSolidNeighbours * shape.edge());
  if (now.spot.face >= 0) return add(now.spot.face);
  if (then.spot.face >= 0) {
    // Past the middle of a body the nearest way out is forwards; the point is kept on the side it comes from.
    const int end = shape.descend(then.spot.face, traveller.to, ends_, body.first).face;
    for (const int face : {end, shape.descend(end, traveller.from, x, body.first).face})
      if (is_outside(face)) return add(face);
    return;
  }
  for (const Side& last : were) {
    if (last.body != b) continue;
    const SurfaceSpot spot = shape.descend(last.face, traveller.from, x, body.first);
    const double far = kLingerEdges * shape.edge();
    if (spot.point.squared_distance < far * far && is_outside(spot.face)) add(spot.face);
    return;
  }
}

// Of faces that are equally near the first counts, so that the answer is the same whatever was known. Where a point
// goes into a tet that counts, it goes through a face that does: else its distance, and E, would jump.
SurfaceSpot BodyContactSearch::nearest_spot(const Points& x, const Traveller& traveller, const Body& body,
                                            const std::array<int, 2>& known) const {
  constexpr double kTie = 1e-9, kSamePlace = 1e-9;
  const ContactBody& shape = *body.shape;
  const bool own = is_own(traveller, body);
  const Vec3 at_rest = own ? place_at_rest(*traveller.point, body) : Vec3(Vec3::Zero());
  const auto has_it = [&](int face) {
    return own && nearest_in_triangle(shape.corners(face, shape.rest(), 0), at_rest).squared_distance <=
                      kSamePlace * kSamePlace * shape.edge() * shape.edge();
  };
  SurfaceSpot best;
  best.point.squared_distance = std::numeric_limits<double>::infinity();
  const auto try_face = [&](int face, double) {
    const TrianglePoint spot = nearest_in_triangle(shape.corners(face, x, body.first), traveller.from);
    const double least = best.point.squared_distance;
    const bool better = spot.squared_distance < least || (spot.squared_distance == least && face < best.face);
    if (better && !has_it(face)) best = {face, spot};
    return (1 + kTie) * best.point.squared_distance + std::numeric_limits<double>::min();
  };
  double bound = std::numeric_limits<double>::infinity();
  for (const int face : known)
    if (face >= 0) bound = try_face(face, bound);
  body.surface.nearest(traveller.from, bound, try_face);
  return best;
}

void BodyContactSearch::look_inside(const Model& model, int collider, std::vector<InsidePoint>& found) {
  const Traveller point = traveller(model, still_, collider);
  auto& sides = sides_[static_cast<std::size_t>(collider)];
  for (const int b : bodies_[static_cast<std::size_t>(point.body)].partners) {
    const Body& body = bodies_[static_cast<std::size_t>(b)];
    if (!body.shape->is_solid()) continue;
    const int at_rest = ways_out(still_.x, point, body, 0)[0].spot.face;
    if (at_rest < 0) continue;
    const auto last = std::find_if(sides.begin(), sides.end(), [b](const Side& side) { return side.body == b; });
    const SurfaceSpot spot = nearest_spot(still_.x, point, body, {at_rest, last != sides.end() ? last->face : -1});
    if (spot.face < 0) continue;
    found.push_back({collider, b, spot});
    if (last != sides.end())
      last->face = spot.face;
    else
      sides.push_back({b, spot.face, 1});
  }
}

}  // namespace rebound::sim
