#include "mesh/obstruction.hpp"

#include <algorithm>

#include "mesh/geometry.hpp"
#include "mesh/inspect.hpp"
#include "mesh/text.hpp"

namespace rebound::mesh {
namespace {

constexpr double kThinnest = 1e-4;    // of the extent: below it TetGen 1.5 hangs
constexpr double kTetsPerSquare = 8;  // of a plate, as wide as thick
constexpr std::size_t kNamed = 5;
constexpr std::size_t kEdgesSearched = 64;

/// The loaded triangles behind repaired ones, each once.
std::vector<int> loaded_triangles(const Repaired& repaired, const std::vector<int>& triangles) {
  std::vector<int> loaded;
  for (const int t : triangles) {
    const int from = repaired.triangle_of[t];
    if (from < 0 || loaded.size() >= kNamed) continue;
    if (std::find(loaded.begin(), loaded.end(), from) == loaded.end()) loaded.push_back(from);
  }
  return loaded;
}

std::vector<int> triangles_at(const Surface& surface, std::vector<Edge> edges) {
  edges.resize(std::min(edges.size(), kEdgesSearched));
  for (auto& [low, high] : edges)
    if (low > high) std::swap(low, high);
  std::vector<int> found;
  for (std::size_t t = 0; t < surface.triangles.size() && found.size() < kNamed; ++t) {
    const Triangle& triangle = surface.triangles[t];
    for (int k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(triangle[k], triangle[(k + 1) % 3]);
      if (std::find(edges.begin(), edges.end(), Edge{low, high}) == edges.end()) continue;
      found.push_back(static_cast<int>(t));
      break;
    }
  }
  return found;
}

/// Vertices that only dropped triangles use could not be embedded in tets that follow the surface.
bool lost_vertices(const Repaired& repaired) {
  std::vector<char> used(static_cast<std::size_t>(repaired.surface.points.rows()), 0);
  for (const Triangle& t : repaired.surface.triangles)
    for (const int v : t) used[v] = 1;
  return std::any_of(repaired.vertex_of.begin(), repaired.vertex_of.end(), [&](int v) { return v >= 0 && !used[v]; });
}

/// Each part on its own.
std::vector<Surface> parts_of(const Surface& surface, const Topology& topology) {
  std::vector<std::vector<int>> triangles(static_cast<std::size_t>(topology.components));
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    triangles[topology.component_of[t]].push_back(static_cast<int>(t));
  std::vector<int> number(static_cast<std::size_t>(surface.points.rows()));
  std::vector<Surface> parts;
  for (const auto& of_part : triangles) {
    Surface part;
    std::vector<int> vertices;
    for (const int t : of_part)
      for (const int v : surface.triangles[t]) vertices.push_back(v);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    part.points.resize(std::ssize(vertices), 3);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      number[vertices[i]] = static_cast<int>(i);
      part.points.row(static_cast<Eigen::Index>(i)) = surface.points.row(vertices[i]);
    }
    for (const int t : of_part) {
      const Triangle& triangle = surface.triangles[t];
      part.triangles.push_back({number[triangle[0]], number[triangle[1]], number[triangle[2]]});
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

/// What is flat, in words (a reason that is empty: nothing), and how many tets the thin parts take.
Obstruction judge_thickness(const Surface& surface, const Topology& topology) {
  const double whole = bounding_box(surface).sizes().maxCoeff();
  Obstruction result;
  for (const Surface& part : parts_of(surface, topology)) {
    const double share = thickness_of(part), extent = bounding_box(part).sizes().maxCoeff();
    if (!(share > kThinnest)) return {topology.components == 1 ? "the surface is flat" : "a part is flat", {}, 0};
    if (extent < kThinnest * whole) return {"a part is tiny beside the whole", {}, 0};
    result.least_tets += kTetsPerSquare * surface_area(part) / 2 / (share * share * extent * extent);
  }
  return result;
}

}  // namespace

Obstruction find_obstruction(const Repaired& repaired, const Progress& progress) {
  const Surface& surface = repaired.surface;
  progress.step("inspecting the surface", 0);
  const Topology topology = topology_of(surface);
  const auto loaded = [&](const std::vector<int>& triangles) { return loaded_triangles(repaired, triangles); };
  if (!topology.closed())
    return {"the surface is open (" + count_of(std::ssize(topology.open_edges), "boundary edge") + ")",
            loaded(triangles_at(surface, topology.open_edges)), 0};
  if (!topology.non_manifold_edges.empty())
    return {"more than two triangles meet at " + count_of(std::ssize(topology.non_manifold_edges), "edge"),
            loaded(triangles_at(surface, topology.non_manifold_edges)), 0};
  if (!topology.oriented()) return {"the surface has one side only", {}, 0};
  if (lost_vertices(repaired)) return {"some triangles have no area", {}, 0};
  const Obstruction thickness = judge_thickness(surface, topology);
  if (!thickness.reason.empty()) return thickness;
  const SelfIntersections crossings = self_intersections(surface, progress);
  if (crossings.count > 0) {
    std::vector<int> triangles;
    for (const auto& pair : crossings.first) triangles.insert(triangles.end(), pair.begin(), pair.end());
    return {"parts pass through each other in " + count_of(crossings.count, "place"), loaded(triangles), 0};
  }
  if (!(signed_volume(surface) > 0)) return {"the surface encloses no volume", {}, 0};
  return thickness;
}

}  // namespace rebound::mesh
