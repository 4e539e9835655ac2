// What crosses in a world, counted without the search of the barrier: all edges against all triangles.
#pragma once

#include <algorithm>
#include <variant>

#include "sim/collide/contact_body.hpp"
#include "sim/model/model.hpp"

namespace rebound::test {

/// Möller and Trumbore, in long double. What lies in one plane does not cross.
inline bool crosses(const sim::Vec3& a, const sim::Vec3& b, const sim::Corners& t) {
  using Long = Eigen::Matrix<long double, 3, 1>;
  const Long o = a.cast<long double>(), d = (b - a).cast<long double>();
  const Long u = (t[1] - t[0]).cast<long double>(), v = (t[2] - t[0]).cast<long double>();
  const Long p = d.cross(v);
  const long double det = u.dot(p);
  if (std::abs(det) < 1e-14L * d.norm() * u.norm() * v.norm()) return false;
  const Long s = o - t[0].cast<long double>();
  const long double first = s.dot(p) / det;
  const Long q = s.cross(u);
  const long double second = d.dot(q) / det, way = v.dot(q) / det;
  return first > 0 && second > 0 && first + second < 1 && way > 0 && way < 1;
}

/// Edges through triangles, of a body with itself where the world asks for that; and corners below a plane.
inline int crossings(const sim::Model& model, const sim::Points& x) {
  struct Face {
    std::size_t body;
    std::array<int, 3> names;
    sim::Corners at;
    sim::Vec3 low, high;
  };
  std::vector<Face> faces;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const sim::ContactBody& body = *model.contact_bodies[b];
    for (std::size_t f = 0; f < body.faces().size(); ++f) {
      Face face{b, body.faces()[f], body.corners(static_cast<int>(f), x, model.bodies[b].first), {}, {}};
      face.low = face.at[0].cwiseMin(face.at[1]).cwiseMin(face.at[2]);
      face.high = face.at[0].cwiseMax(face.at[1]).cwiseMax(face.at[2]);
      faces.push_back(face);
    }
  }
  int found = 0;
  for (const Face& one : faces)
    for (const Face& other : faces) {
      const bool same = one.body == other.body;
      if ((same && !model.body_contact.self) || (one.low.array() > other.high.array()).any() ||
          (one.high.array() < other.low.array()).any())
        continue;
      for (std::size_t c = 0; c < 3; ++c) {
        const int a = one.names[c], b = one.names[(c + 1) % 3];
        const bool joined =
            same && std::any_of(other.names.begin(), other.names.end(), [&](int v) { return v == a || v == b; });
        if (!joined) found += crosses(one.at[c], one.at[(c + 1) % 3], other.at);
      }
    }
  for (const sim::Obstacle& o : model.obstacles)
    if (std::holds_alternative<sim::Plane>(o.shape))
      for (const Face& face : faces)
        for (const sim::Vec3& corner : face.at) found += o.pose.R.col(1).dot(corner - o.pose.t) <= 0;
  return found;
}

}  // namespace rebound::test
