#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "mesh/geometry.hpp"
#include "mesh/half_edges.hpp"
#include "mesh/inspect.hpp"

namespace rebound::mesh {
namespace {

/// Sets that grow together.
class Groups {
 public:
  explicit Groups(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(int a, int b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<int> parent_;
};

/// Corner 3 t + k; corners at one vertex that no edge links belong to different fans.
int corner_at(const Surface& surface, int triangle, int vertex) {
  const Triangle& t = surface.triangles[triangle];
  return 3 * triangle + (t[0] == vertex ? 0 : t[1] == vertex ? 1 : 2);
}

void find_split_vertices(const Surface& surface, Groups& fans, Topology& topology) {
  std::vector<int> fan_of(static_cast<std::size_t>(surface.points.rows()), -1);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int vertex = surface.triangles[t][k], fan = fans.find(static_cast<int>(3 * t) + k);
      if (fan_of[vertex] == -1) fan_of[vertex] = fan;
      if (fan_of[vertex] != fan) topology.non_manifold_vertices.push_back(vertex);
    }
  auto& vertices = topology.non_manifold_vertices;
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
}

void number_components(Groups& groups, Topology& topology) {
  topology.component_of.resize(topology.component_of.size());
  std::unordered_map<int, int> number_of;
  for (std::size_t t = 0; t < topology.component_of.size(); ++t)
    topology.component_of[t] =
        number_of.try_emplace(groups.find(static_cast<int>(t)), static_cast<int>(number_of.size())).first->second;
  topology.components = static_cast<int>(number_of.size());
}

/// Walks against the triangles' sense along edges that have only one, and closes a round at each vertex met again.
std::vector<std::vector<int>> trace_holes(const std::vector<Edge>& open_edges) {
  std::unordered_map<int, std::vector<int>> ways;
  for (const Edge& e : open_edges) ways[e[1]].push_back(e[0]);
  std::vector<std::vector<int>> holes;
  std::unordered_map<int, std::size_t> place_on_path;
  for (const Edge& first : open_edges) {
    std::vector<int> path{first[1]};
    place_on_path[first[1]] = 0;
    while (!path.empty()) {
      auto& onward = ways[path.back()];
      if (onward.empty()) break;
      const int next = onward.back();
      onward.pop_back();
      const auto met = place_on_path.find(next);
      if (met == place_on_path.end()) {
        place_on_path[next] = path.size();
        path.push_back(next);
        continue;
      }
      const std::size_t begin = met->second;
      holes.emplace_back(path.begin() + static_cast<std::ptrdiff_t>(begin), path.end());
      for (std::size_t i = begin + 1; i < path.size(); ++i) place_on_path.erase(path[i]);
      path.resize(begin + 1);
    }
    // Not clear(), which takes as long as the map was ever large.
    for (const int v : path) place_on_path.erase(v);
  }
  return holes;
}

}  // namespace

bool has_area(const Surface& surface, const Triangle& t) {
  if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) return false;
  const Eigen::Vector3d a = point(surface.points, t[0]), b = point(surface.points, t[1]),
                        c = point(surface.points, t[2]);
  const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
  return (b - a).cross(c - a).norm() > kFlatTriangle * longest;
}

std::vector<HalfEdge> half_edges_of(const Surface& surface) {
  // Into buckets by the lower end, then each bucket in order: far faster than sorting all at once.
  std::vector<std::size_t> begin(static_cast<std::size_t>(surface.points.rows()) + 1, 0);
  const auto for_each_side = [&](auto&& visit) {
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) {
        const int from = surface.triangles[t][k], to = surface.triangles[t][(k + 1) % 3];
        if (from != to) visit(HalfEdge{std::min(from, to), std::max(from, to), static_cast<int>(t), from < to});
      }
  };
  for_each_side([&](const HalfEdge& edge) { ++begin[static_cast<std::size_t>(edge.low) + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<HalfEdge> edges(begin.back());
  std::vector<std::size_t> next = begin;
  for_each_side([&](const HalfEdge& edge) { edges[next[edge.low]++] = edge; });
  for (std::size_t v = 0; v + 1 < begin.size(); ++v)
    std::sort(edges.begin() + static_cast<std::ptrdiff_t>(begin[v]),
              edges.begin() + static_cast<std::ptrdiff_t>(begin[v + 1]), [](const HalfEdge& a, const HalfEdge& b) {
                return std::tie(a.high, a.triangle) < std::tie(b.high, b.triangle);
              });
  return edges;
}

OddTriangles odd_triangles(const Surface& surface) {
  OddTriangles odd;
  // By their lowest vertex: only those can be the same.
  std::vector<std::size_t> begin(static_cast<std::size_t>(surface.points.rows()) + 1, 0);
  for (const Triangle& t : surface.triangles) ++begin[static_cast<std::size_t>(std::min({t[0], t[1], t[2]})) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::array<int, 3>> entries(surface.triangles.size());  // the other two vertices, and the triangle
  std::vector<std::size_t> next = begin;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (!has_area(surface, surface.triangles[t])) odd.degenerate.push_back(static_cast<int>(t));
    Triangle sorted = surface.triangles[t];
    std::sort(sorted.begin(), sorted.end());
    entries[next[sorted[0]]++] = {sorted[1], sorted[2], static_cast<int>(t)};
  }
  for (std::size_t v = 0; v + 1 < begin.size(); ++v) {
    std::sort(entries.begin() + static_cast<std::ptrdiff_t>(begin[v]),
              entries.begin() + static_cast<std::ptrdiff_t>(begin[v + 1]));
    for (std::size_t i = begin[v] + 1; i < begin[v + 1]; ++i)
      if (entries[i][0] == entries[i - 1][0] && entries[i][1] == entries[i - 1][1])
        odd.duplicate.push_back(entries[i][2]);
  }
  std::sort(odd.duplicate.begin(), odd.duplicate.end());
  return odd;
}

Topology topology_of(const Surface& surface) {
  Topology topology;
  topology.component_of.resize(surface.triangles.size());
  OddTriangles odd = odd_triangles(surface);
  topology.duplicate_triangles = std::move(odd.duplicate);
  topology.degenerate_triangles = std::move(odd.degenerate);
  Groups components(surface.triangles.size()), fans(3 * surface.triangles.size());
  for_each_edge(half_edges_of(surface), [&](std::span<const HalfEdge> around) {
    const HalfEdge& first = around[0];
    if (around.size() == 1)
      topology.open_edges.push_back(first.rising ? Edge{first.low, first.high} : Edge{first.high, first.low});
    if (around.size() == 2 && around[0].rising == around[1].rising) ++topology.clashing_edges;
    if (around.size() > 2) topology.non_manifold_edges.push_back({first.low, first.high});
    for (const HalfEdge& other : around.subspan(1)) {
      components.join(first.triangle, other.triangle);
      for (const int end : {first.low, first.high})
        fans.join(corner_at(surface, first.triangle, end), corner_at(surface, other.triangle, end));
    }
  });
  number_components(components, topology);
  find_split_vertices(surface, fans, topology);
  topology.holes = trace_holes(topology.open_edges);
  return topology;
}

}  // namespace rebound::mesh
