#include "mesh/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mesh/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/half_edges.hpp"
#include "mesh/inspect.hpp"
#include "mesh/lattice_select.hpp"
#include "mesh/text.hpp"

namespace rebound::mesh {
namespace {

using Eigen::Vector3d;

constexpr double kTetsPerCell = 12;

/// Tries this often to come within this share of the wanted number.
constexpr int kMostTries = 10;
constexpr double kNearEnough = 0.06;

/// Boxes around the parts of a skin: nothing inside lies outside of them.
std::vector<Eigen::AlignedBox3d> part_boxes(const Surface& skin) {
  const Topology topology = topology_of(skin);
  std::vector<Eigen::AlignedBox3d> boxes(static_cast<std::size_t>(topology.components));
  for (std::size_t t = 0; t < skin.triangles.size(); ++t)
    for (const int v : skin.triangles[t]) boxes[topology.component_of[t]].extend(point(skin.points, v));
  return boxes;
}

/// Else the winding number is a whole one everywhere: along each edge as many triangles run one way as the other.
bool has_openings(const Surface& skin) {
  bool open = false;
  for_each_edge(half_edges_of(skin), [&](std::span<const HalfEdge> edge) {
    int balance = 0;
    for (const HalfEdge& half : edge) balance += half.rising ? 1 : -1;
    open = open || balance != 0;
  });
  return open;
}

/// A guess at the cell size that gives `wanted` tets: those inside, a layer around the surface, and at least a row
/// along each part.
double guess_cell(const Surface& shown, const Surface& skin, const std::vector<Eigen::AlignedBox3d>& parts,
                  double wanted, double extent) {
  const double volume = std::abs(signed_volume(skin)), area = surface_area(shown);
  double length = 0;
  for (const auto& part : parts) length += part.diagonal().norm();
  double low = extent * 1e-6, high = extent * 4;
  for (int i = 0; i < 60; ++i) {
    const double cell = std::sqrt(low * high);
    const double tets =
        kTetsPerCell * (volume / (cell * cell * cell) + 0.4 * area / (cell * cell) + 0.3 * length / cell);
    (tets > wanted ? low : high) = cell;
  }
  return high;
}

/// A handful of triangles is soonest summed one by one; of more, the long ones are halved.
Surface prepared_for_winding(const Surface& skin) {
  constexpr std::size_t handful = 128, most_added = 400'000;
  const std::size_t most = 2 * skin.triangles.size() + most_added;
  if (skin.triangles.size() <= handful) return skin;
  Surface halved;
  double longest = bounding_box(skin).sizes().maxCoeff() / 32;
  do {
    halved = halve_long_triangles(skin, longest, most);
    longest *= 1.5;
  } while (halved.triangles.size() >= most);
  return halved;
}

/// Twenty points spread evenly over a tet, by their weights.
std::vector<std::array<double, 4>> fill_samples() {
  std::vector<std::array<double, 4>> samples;
  for (int i = 0; i <= 3; ++i)
    for (int j = 0; i + j <= 3; ++j)
      for (int k = 0; i + j + k <= 3; ++k)
        samples.push_back({(i + 0.25) / 4, (j + 0.25) / 4, (k + 0.25) / 4, (3 - i - j - k + 0.25) / 4});
  return samples;
}

class LatticeMaker {
 public:
  LatticeMaker(const Surface& shown, const Surface& skin, const LatticeOptions& options, const Progress& progress)
      : shown_(shown),
        skin_(skin),
        options_(options),
        progress_(progress),
        wound_(prepared_for_winding(skin)),
        tree_(wound_),
        winding_(tree_),
        parts_(part_boxes(skin_)),
        selector_(shown_, {winding_, parts_, has_openings(skin_) ? nullptr : &skin_}) {}

  Solid run() {
    if (!(selector_.extent() > 0) || !std::isfinite(selector_.extent()))
      throw MeshError(options_.name + ": has no extent; a body needs triangles that cover some area");
    selection_ = options_.max_volume ? select_by_volume() : select_by_count();
    Solid solid;
    solid.tets = make_tets();
    solid.fill = make_fill(solid.tets);
    solid.surface = shown_;
    solid.embedding = embed(solid.tets);
    solid.notes.push_back("simulated as a lattice of " + count_of(std::ssize(solid.tets.tetrahedra), "tet") +
                          " around the surface");
    progress_.step("filling with a lattice", 1);
    return solid;
  }

 private:
  [[noreturn]] void refuse_too_many() const {
    throw MeshError(options_.name + ": the lattice would have more than " + count_of(options_.most_tets, "tet") +
                    "; ask for larger or fewer tets");
  }

  LatticeSelection select_by_volume() const {
    progress_.step("filling with a lattice", 0.1);
    if (std::abs(signed_volume(skin_)) / *options_.max_volume > options_.most_tets) refuse_too_many();
    const double cell = std::cbrt(kTetsPerCell * *options_.max_volume);
    LatticeSelection selection = selector_.select(cell, options_.most_tets, progress_);
    if (selection.too_many) refuse_too_many();
    return selection;
  }

  /// The number of tets falls with the cell size like a power between 1 and 3: found by secants of the logarithms.
  LatticeSelection select_by_count() const {
    const double wanted = std::clamp(options_.wanted_tets, 1, options_.most_tets);
    double cell = guess_cell(shown_, skin_, parts_, wanted, selector_.extent());
    LatticeSelection best;
    double best_miss = INFINITY, last_cell = 0, last_count = 0, power = 2.6;
    for (int attempt = 0; attempt < kMostTries; ++attempt) {
      progress_.step("filling with a lattice", 0.05 + 0.6 * attempt / kMostTries);
      LatticeSelection selection = selector_.select(cell, 8 * static_cast<std::int64_t>(wanted) + 100'000, progress_);
      if (selection.too_many) {
        cell *= 1.6;
        continue;
      }
      const auto count = static_cast<double>(selection.tets.size());
      const double miss = std::abs(std::log(count / wanted));
      const double this_cell = cell;
      if (last_count > 0) power = std::clamp(std::log(last_count / count) / std::log(cell / last_cell), 1.0, 3.0);
      last_cell = cell;
      last_count = count;
      if (miss < best_miss) {
        best_miss = miss;
        best = std::move(selection);
      }
      if (miss < kNearEnough) break;
      cell = this_cell * std::pow(count / wanted, 1 / power);
    }
    // Parts so small and far apart that no count was reached: as fine as can be counted.
    for (int attempt = 0; best.tets.empty(); ++attempt) {
      if (attempt > 40) refuse_too_many();
      best = selector_.select(cell *= 1.6, options_.most_tets, progress_);
      if (best.too_many) best.tets.clear();
    }
    return best;
  }

  TetMesh make_tets() const {
    std::vector<std::array<int, 3>> corners;
    corners.reserve(4 * selection_.tets.size());
    for (const BccKey key : selection_.tets)
      for (const auto& corner : doubled_corners(tet_of(key))) corners.push_back({corner[2], corner[1], corner[0]});
    std::vector<std::array<int, 3>> vertices = corners;  // z first: neighbours in space are neighbours in memory
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());

    TetMesh mesh;
    mesh.points.resize(static_cast<Eigen::Index>(vertices.size()), 3);
    for (std::size_t i = 0; i < vertices.size(); ++i)
      mesh.points.row(static_cast<Eigen::Index>(i)) =
          selection_.place.to_world(Vector3d(vertices[i][2], vertices[i][1], vertices[i][0]) / 2).transpose();
    mesh.tetrahedra.resize(selection_.tets.size());
    for (std::size_t i = 0; i < corners.size(); ++i)
      mesh.tetrahedra[i / 4][i % 4] =
          static_cast<int>(std::lower_bound(vertices.begin(), vertices.end(), corners[i]) - vertices.begin());
    return mesh;
  }

  std::vector<double> make_fill(const TetMesh& tets) const {
    const auto samples = fill_samples();
    std::vector<double> fill(tets.tetrahedra.size(), 1);
    constexpr std::size_t often = 256;
    for (std::size_t t = 0; t < fill.size(); ++t) {
      if (t % often == 0)
        progress_.step("filling with a lattice", 0.7 + 0.3 * static_cast<double>(t) / static_cast<double>(fill.size()));
      if (!selection_.touched[t]) continue;
      int inside = 0;
      for (const auto& weights : samples) {
        Vector3d p = Vector3d::Zero();
        for (int k = 0; k < 4; ++k) p += weights[k] * point(tets.points, tets.tetrahedra[t][k]);
        inside += winding_.at(p) > 0.5;
      }
      fill[t] = std::max(options_.least_fill, static_cast<double>(inside) / static_cast<double>(samples.size()));
    }
    return fill;
  }

  Embedding embed(const TetMesh& tets) const {
    std::vector<char> used(static_cast<std::size_t>(shown_.points.rows()), 0);
    for (const Triangle& t : shown_.triangles)
      for (const int v : t) used[v] = 1;
    Embedding embedding;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const int vertex = used[i] ? static_cast<int>(i) : shown_.triangles[0][0];
      const Vector3d p = point(shown_.points, vertex);
      const BccKey key = key_of(locate(selection_.place.to_lattice(p)));
      const auto found = std::lower_bound(selection_.tets.begin(), selection_.tets.end(), key);
      const Tetrahedron& tet = tets.tetrahedra[static_cast<std::size_t>(found - selection_.tets.begin())];
      embedding.vertices.push_back(tet);
      embedding.weights.push_back(weights_within(tets.points, tet, p));
    }
    return embedding;
  }

  /// A point on a face may come out a rounding error outside.
  static std::array<double, 4> weights_within(const Points& points, const Tetrahedron& tet, const Vector3d& p) {
    std::array<double, 4> weights = barycentric(points, tet, p);
    for (double& w : weights) w = std::max(0.0, w);
    const double sum = weights[0] + weights[1] + weights[2] + weights[3];
    for (double& w : weights) w /= sum;
    return weights;
  }

  const Surface& shown_;
  const Surface& skin_;
  const LatticeOptions& options_;
  const Progress& progress_;
  Surface wound_;
  Bvh tree_;
  Winding winding_;
  std::vector<Eigen::AlignedBox3d> parts_;
  LatticeSelector selector_;
  LatticeSelection selection_;
};

}  // namespace

Solid lattice(const Surface& shown, const Surface& skin, const LatticeOptions& options, const Progress& progress) {
  if (shown.triangles.empty()) throw MeshError(options.name + ": holds no surface; a body needs triangles");
  return LatticeMaker(shown, skin, options, progress).run();
}

}  // namespace rebound::mesh
