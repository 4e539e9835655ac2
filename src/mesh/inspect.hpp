// Facts about a surface: whether it is a skin around something, and where it is not.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"

namespace rebound::mesh {

/// How the triangles of a surface hang together.
struct Topology {
  std::vector<int> component_of;  ///< a triangle: its component, joined across edges
  int components = 0;
  std::vector<std::vector<int>> holes;     ///< each a closed round of vertices along edges of one triangle
  std::vector<Edge> open_edges;            ///< edges of one triangle, the way it runs along them
  std::vector<Edge> non_manifold_edges;    ///< edges of three or more
  int clashing_edges = 0;                  ///< edges whose two triangles turn against each other
  std::vector<int> duplicate_triangles;    ///< same three vertices as an earlier triangle
  std::vector<int> degenerate_triangles;   ///< a vertex twice, or no area to speak of
  std::vector<int> non_manifold_vertices;  ///< where two or more fans of triangles meet in a point

  bool closed() const { return open_edges.empty(); }
  bool manifold() const { return non_manifold_edges.empty() && non_manifold_vertices.empty(); }
  bool oriented() const { return clashing_edges == 0; }
};

struct SelfIntersections {
  int count = 0;                          ///< pairs of triangles that meet elsewhere than in shared vertices
  std::vector<std::array<int, 2>> first;  ///< some of them
};

struct Inspection {
  Topology topology;
  SelfIntersections crossings;
  double volume = 0;  ///< m^3, signed: positive when outward and closed
  double area = 0;    ///< m^2
  Eigen::AlignedBox3d box;
  double thickness = 0;  ///< least extent along the principal axes, as a share of the greatest; 0: flat
};

/// Expects indices in range.
Topology topology_of(const Surface& surface);

/// Pairs are found by a tree of boxes and judged exactly; triangles without area are passed over. At most `keep` pairs
/// are returned, all are counted (up to `most`, where the search ends). Throws Cancelled.
SelfIntersections self_intersections(const Surface& surface, const Progress& progress = {}, int keep = 5,
                                     int most = 1'000'000);

double thickness_of(const Surface& surface);

/// All of the above.
Inspection inspect(const Surface& surface, const Progress& progress = {});

/// Triangles that say nothing: doubles of earlier ones, and those without area.
struct OddTriangles {
  std::vector<int> duplicate, degenerate;
};
OddTriangles odd_triangles(const Surface& surface);

/// Twice the area is at most this share of the square of the longest edge: the triangle has no area to speak of.
constexpr double kFlatTriangle = 1e-12;
bool has_area(const Surface& surface, const Triangle& triangle);

}  // namespace rebound::mesh
