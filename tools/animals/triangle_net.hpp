// A closed triangle mesh that can be changed an edge at a time.
#pragma once

#include <optional>
#include <utility>

#include "surface.hpp"

namespace rebound::animals {

using Edge = std::array<int, 2>;

struct TriangleNet {
  explicit TriangleNet(Mesh mesh);

  std::vector<Vector3d> points;
  std::vector<Triangle> triangles;     ///< a removed one is {-1, -1, -1}
  std::vector<std::vector<int>> fans;  ///< the triangles at each vertex, unordered; empty: the vertex is gone

  std::vector<Edge> edges() const;  ///< each once, lower number first, in the order of the triangles
  std::vector<int> neighbours(int v) const;
  bool adjacent(int a, int b) const;
  /// The vertices across the edge: first the one left of a -> b. None if a and b are not joined.
  std::optional<std::pair<int, int>> opposite(int a, int b) const;

  Vector3d area_vector(const Triangle& t) const;
  double sharpness(const Triangle& t) const;  ///< the cosine of its smallest angle

  void split(int a, int b, const Vector3d& middle);  ///< appends one vertex
  bool can_join(int a, int b, const Vector3d& middle) const;
  void join(int a, int b, const Vector3d& middle);  ///< b goes
  bool can_flip(int a, int b, int c, int d) const;  ///< c, d as opposite(a, b) says
  void flip(int a, int b, int c, int d);
  bool can_move(int v, const Vector3d& target) const;

  Mesh compact() const;  ///< what is left, numbered anew in the old order

 private:
  void replace(int triangle, const Triangle& by);
  void leave_fan(int v, int triangle);
  bool turns_over(const Triangle& t, int v, const Vector3d& target) const;
};

}  // namespace rebound::animals
