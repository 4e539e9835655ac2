#include "render/surface.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>

namespace rebound::render {

namespace {

Vec3 position_of(PositionSpan positions, int vertex) {
  return Eigen::Map<const Vec3>(positions.data() + 3 * static_cast<std::size_t>(vertex));
}

/// One side of an edge as a triangle sees it; `corner` is 3 * triangle + the place of the edge's first vertex.
struct EdgeSide {
  int low;
  int high;
  std::uint32_t corner;
};

std::vector<EdgeSide> sorted_edge_sides(std::span<const Triangle> triangles) {
  std::vector<EdgeSide> sides;
  sides.reserve(3 * triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const int a = triangles[t][k];
      const int b = triangles[t][(k + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), static_cast<std::uint32_t>(3 * t + k)});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const EdgeSide& s, const EdgeSide& other) {
    return std::tie(s.low, s.high, s.corner) < std::tie(other.low, other.high, other.corner);
  });
  return sides;
}

/// Sets of corners that share a normal.
class CornerSets {
 public:
  explicit CornerSets(std::size_t corners) : parent_(corners) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::uint32_t root(std::uint32_t corner) {
    while (parent_[corner] != corner) corner = parent_[corner] = parent_[parent_[corner]];
    return corner;
  }
  void unite(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

std::vector<Vec3> unit_normals(PositionSpan positions, std::span<const Triangle> triangles) {
  std::vector<Vec3> normals;
  normals.reserve(triangles.size());
  for (const Triangle& t : triangles) {
    const Vec3 p = position_of(positions, t[0]);
    normals.push_back((position_of(positions, t[1]) - p).cross(position_of(positions, t[2]) - p).normalized());
  }
  return normals;
}

void require_indices_in_range(PositionSpan positions, std::span<const Triangle> triangles) {
  const auto count = static_cast<int>(positions.size() / 3);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (const int vertex : triangles[i]) {
      if (vertex < 0 || vertex >= count) {
        throw std::invalid_argument("triangle " + std::to_string(i) + " uses vertex " + std::to_string(vertex) +
                                    " of " + std::to_string(count));
      }
    }
  }
}

/// An edge with exactly two triangles.
struct InnerEdge {
  EdgeSide one;
  EdgeSide other;
  bool is_crease;
};

/// The edges of a surface by kind.
struct Edges {
  std::vector<InnerEdge> inner;
  std::vector<bool> at_border;  ///< a vertex: whether it has an edge with one triangle, or with more than two
};

Edges edges_of(PositionSpan positions, std::span<const Triangle> triangles, float crease_angle) {
  const std::vector<Vec3> normals = unit_normals(positions, triangles);
  const float min_cosine = std::cos(crease_angle);
  const std::vector<EdgeSide> sides = sorted_edge_sides(triangles);
  Edges edges;
  edges.at_border.resize(positions.size() / 3);
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high) ++end;
    if (end - begin != 2) {
      for (const int vertex : {sides[begin].low, sides[begin].high}) {
        edges.at_border[static_cast<std::size_t>(vertex)] = true;
      }
      continue;
    }
    const float cosine = normals[sides[begin].corner / 3].dot(normals[sides[begin + 1].corner / 3]);
    edges.inner.push_back({sides[begin], sides[begin + 1], cosine < min_cosine});
  }
  return edges;
}

/// The other ends of the creases that meet at each vertex.
using CreaseNeighbours = std::vector<std::vector<int>>;

/// Whether a crease that arrives at `vertex` from `from` goes on from there: straight ahead, or from a corner where
/// three or more meet.
bool goes_on(PositionSpan positions, int from, int vertex, const CreaseNeighbours& neighbours) {
  constexpr float min_cosine = 0.8f;
  const std::vector<int>& ends = neighbours[static_cast<std::size_t>(vertex)];
  if (ends.size() != 2) return ends.size() > 2;
  const int next = ends[0] == from ? ends[1] : ends[0];
  const Vec3 middle = position_of(positions, vertex);
  const Vec3 in = (middle - position_of(positions, from)).normalized();
  return in.dot((position_of(positions, next) - middle).normalized()) > min_cosine;
}

/// Creases are lines, from corner to corner, border to border, or closed. Sharp edges that lead nowhere are the
/// roughness of a scan or of a coarse curve, and to split there would draw a saw; they are smoothed. Each round
/// shortens loose lines by an edge.
void keep_crease_lines(PositionSpan positions, Edges& edges) {
  constexpr int rounds = 8;
  bool changed = true;
  for (int round = 0; round < rounds && changed; ++round) {
    CreaseNeighbours neighbours(positions.size() / 3);
    for (const InnerEdge& edge : edges.inner) {
      if (!edge.is_crease) continue;
      neighbours[static_cast<std::size_t>(edge.one.low)].push_back(edge.one.high);
      neighbours[static_cast<std::size_t>(edge.one.high)].push_back(edge.one.low);
    }
    const auto holds = [&](int from, int to) {
      return edges.at_border[static_cast<std::size_t>(to)] || goes_on(positions, from, to, neighbours);
    };
    changed = false;
    for (InnerEdge& edge : edges.inner) {
      if (!edge.is_crease || (holds(edge.one.low, edge.one.high) && holds(edge.one.high, edge.one.low))) continue;
      edge.is_crease = false;
      changed = true;
    }
  }
}

void unite_over_smooth_edges(std::span<const Triangle> triangles, const std::vector<InnerEdge>& edges,
                             CornerSets& sets) {
  const auto next_corner = [](std::uint32_t corner) { return corner % 3 == 2 ? corner - 2 : corner + 1; };
  const auto vertex_at = [&](std::uint32_t corner) { return triangles[corner / 3][corner % 3]; };
  for (const InnerEdge& edge : edges) {
    if (edge.is_crease) continue;
    const std::uint32_t a = edge.one.corner;
    const std::uint32_t b = edge.other.corner;
    const bool opposed = vertex_at(a) != vertex_at(b);
    sets.unite(a, opposed ? next_corner(b) : b);
    sets.unite(next_corner(a), opposed ? b : next_corner(b));
  }
}

}  // namespace

ShadedSurface split_creases(PositionSpan rest_positions, std::span<const Triangle> triangles, float crease_angle) {
  require_indices_in_range(rest_positions, triangles);
  CornerSets sets(3 * triangles.size());
  Edges edges = edges_of(rest_positions, triangles, crease_angle);
  keep_crease_lines(rest_positions, edges);
  unite_over_smooth_edges(triangles, edges.inner, sets);

  constexpr auto unset = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> split_vertex(3 * triangles.size(), unset);
  ShadedSurface surface;
  surface.triangles.resize(triangles.size());
  for (std::uint32_t corner = 0; corner < split_vertex.size(); ++corner) {
    // A root is the smallest corner of its set, so it is met first.
    const std::uint32_t root = sets.root(corner);
    if (split_vertex[root] == unset) {
      split_vertex[root] = static_cast<std::uint32_t>(surface.source.size());
      surface.source.push_back(static_cast<std::uint32_t>(triangles[corner / 3][corner % 3]));
    }
    surface.triangles[corner / 3][corner % 3] = split_vertex[root];
  }
  return surface;
}

void shade(const ShadedSurface& surface, PositionSpan positions, std::vector<ShadedVertex>& vertices) {
  vertices.resize(surface.source.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const float* p = positions.data() + 3 * static_cast<std::size_t>(surface.source[i]);
    vertices[i] = {{p[0], p[1], p[2]}, {0, 0, 0}};
  }
  for (const auto& [i, j, k] : surface.triangles) {
    ShadedVertex& a = vertices[i];
    ShadedVertex& b = vertices[j];
    ShadedVertex& c = vertices[k];
    const Eigen::Map<const Vec3> pa(a.position.data()), pb(b.position.data()), pc(c.position.data());
    const Vec3 area = (pb - pa).cross(pc - pa);
    for (ShadedVertex* v : {&a, &b, &c}) Eigen::Map<Vec3>(v->normal.data()) += area;
  }
  for (ShadedVertex& v : vertices) {
    Eigen::Map<Vec3> normal(v.normal.data());
    const float length = normal.norm();
    // Also true of NaN, which must not reach the shader: one vertex would blacken its neighbours.
    if (!(length > 0) || !std::isfinite(length)) {
      normal = Vec3::UnitY();
    } else {
      normal /= length;
    }
  }
}

Box bounds_of(PositionSpan positions) {
  Box box;
  for (std::size_t i = 0; i + 2 < positions.size(); i += 3) {
    const Eigen::Map<const Vec3> point(positions.data() + i);
    if (point.allFinite()) box.extend(point);
  }
  return box;
}

}  // namespace rebound::render
