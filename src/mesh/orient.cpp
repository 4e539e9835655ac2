#include "mesh/orient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mesh/geometry.hpp"
#include "mesh/half_edges.hpp"
#include "mesh/inspect.hpp"

namespace rebound::mesh {
namespace {

/// Beyond this many parts, which lies within which is not asked.
constexpr int kMostNestedParts = 64;

/// Across its edges of two triangles, and whether they turn alike; -1: none.
struct Neighbours {
  std::array<int, 3> triangle{-1, -1, -1};
  std::array<bool, 3> agrees{};

  void add(int neighbour, bool alike) {
    int k = 0;
    while (k < 2 && triangle[k] >= 0) ++k;
    triangle[k] = neighbour;
    agrees[k] = alike;
  }
};

std::vector<Neighbours> neighbours_of(const Surface& surface) {
  std::vector<Neighbours> neighbours(surface.triangles.size());
  for_each_edge(half_edges_of(surface), [&](std::span<const HalfEdge> around) {
    if (around.size() != 2) return;
    const bool agrees = around[0].rising != around[1].rising;
    neighbours[around[0].triangle].add(around[1].triangle, agrees);
    neighbours[around[1].triangle].add(around[0].triangle, agrees);
  });
  return neighbours;
}

void turn(Triangle& t) { std::swap(t[1], t[2]); }

/// A part of the surface on its own.
struct Shell {
  Surface surface;
  std::vector<int> triangles;
  Eigen::AlignedBox3d box;
  double volume = 0;
  bool closed = false;
};

std::vector<Shell> shells_of(const Surface& surface) {
  const Topology topology = topology_of(surface);
  std::vector<Shell> shells(static_cast<std::size_t>(topology.components));
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    Shell& shell = shells[topology.component_of[t]];
    shell.triangles.push_back(static_cast<int>(t));
    for (const int v : surface.triangles[t]) shell.box.extend(point(surface.points, v));
  }
  std::vector<char> open_at(static_cast<std::size_t>(surface.points.rows()), 0);
  for (const Edge& edge : topology.open_edges) open_at[edge[0]] = 1;
  for (std::size_t s = 0; s < shells.size(); ++s) {
    // About the middle of its box, the volume of an open part is a fair guess at what its closing would hold.
    double volume = 0;
    for (const int t : shells[s].triangles) {
      const Triangle& triangle = surface.triangles[t];
      volume += (point(surface.points, triangle[0]) - shells[s].box.center()).dot(vector_area(surface, triangle)) / 3;
    }
    shells[s].volume = volume;
    shells[s].closed = std::none_of(shells[s].triangles.begin(), shells[s].triangles.end(), [&](int t) {
      const Triangle& triangle = surface.triangles[t];
      return open_at[triangle[0]] || open_at[triangle[1]] || open_at[triangle[2]];
    });
  }
  return shells;
}

double winding_of(const Surface& surface, const Shell& shell, const Eigen::Vector3d& p) {
  double sum = 0;
  for (const int t : shell.triangles) sum += solid_angle(surface, surface.triangles[t], p);
  return sum / (4 * kPi);
}

/// Whether the shell lies within an odd number of others, the tightest of which faces the other way.
bool is_cavity(const Surface& surface, const std::vector<Shell>& shells, std::size_t inner) {
  const Eigen::Vector3d p = point(surface.points, surface.triangles[shells[inner].triangles[0]][0]);
  int depth = 0;
  double tightest = std::numeric_limits<double>::infinity();
  bool opposite = false;
  for (std::size_t s = 0; s < shells.size(); ++s) {
    if (s == inner || !shells[s].closed || !shells[s].box.contains(shells[inner].box)) continue;
    if (std::abs(winding_of(surface, shells[s], p)) < 0.5) continue;
    ++depth;
    if (std::abs(shells[s].volume) >= tightest) continue;
    tightest = std::abs(shells[s].volume);
    opposite = (shells[s].volume > 0) != (shells[inner].volume > 0);
  }
  return depth % 2 == 1 && opposite;
}

}  // namespace

Turned turn_to_agree(Surface& surface) {
  Turned turned;
  const auto neighbours = neighbours_of(surface);
  std::vector<signed char> state(surface.triangles.size(), -1);  // -1 unseen, 0 as it is, 1 to be turned
  for (std::size_t seed = 0; seed < state.size(); ++seed) {
    if (state[seed] >= 0) continue;
    std::vector<int> part{static_cast<int>(seed)};
    state[seed] = 0;
    int to_turn = 0;
    for (std::size_t i = 0; i < part.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const int next = neighbours[part[i]].triangle[k];
        if (next < 0) continue;
        const auto wanted =
            static_cast<signed char>(neighbours[part[i]].agrees[k] ? state[part[i]] : 1 - state[part[i]]);
        if (state[next] < 0) {
          state[next] = wanted;
          to_turn += wanted;
          part.push_back(next);
        } else if (state[next] != wanted) {
          turned.one_sided = true;
        }
      }
    const bool other_way = 2 * to_turn > static_cast<int>(part.size());
    for (const int t : part)
      if ((state[t] == 1) != other_way) {
        turn(surface.triangles[t]);
        ++turned.triangles;
      }
  }
  return turned;
}

void turn_outwards(Surface& surface, Turned& turned) {
  const std::vector<Shell> shells = shells_of(surface);
  std::vector<char> to_turn(shells.size(), 0);
  for (std::size_t s = 0; s < shells.size(); ++s) {
    const Shell& shell = shells[s];
    const bool cavity = shells.size() <= kMostNestedParts && shell.closed && is_cavity(surface, shells, s);
    turned.cavities += cavity;
    // What hardly holds anything has no outside: a sheet stays as it is.
    if (std::abs(shell.volume) < 1e-9 * std::pow(shell.box.diagonal().norm(), 3)) continue;
    to_turn[s] = (shell.volume < 0) != cavity;
  }
  for (std::size_t s = 0; s < shells.size(); ++s) {
    if (!to_turn[s]) continue;
    ++turned.shells;
    for (const int t : shells[s].triangles) turn(surface.triangles[t]);
  }
}

}  // namespace rebound::mesh
