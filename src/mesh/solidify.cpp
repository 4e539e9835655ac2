#include "mesh/solidify.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/geometry.hpp"
#include "mesh/inspect.hpp"
#include "mesh/lattice.hpp"
#include "mesh/repair.hpp"
#include "mesh/tetgen.hpp"
#include "mesh/text.hpp"
#include "mesh/winding.hpp"

namespace rebound::mesh {
namespace {

constexpr double kThinnest = 1e-4;        // of the extent: below it TetGen 1.5 hangs
constexpr double kSmallestAngle = 5;      // degrees: slivers make a body stiff and steps slow
constexpr double kTetsPerTriangle = 3.2;  // what TetGen makes of a surface at quality 1.4, measured
constexpr double kTetsPerVolume = 2.2;    // tets = 1.9 to 2.2 V/a, measured
constexpr double kTooManyTets = 1.75;     // times the wanted number: then a lattice is faster by far
constexpr double kMostTets = 2e6;

/// Why a surface cannot be filled by TetGen: in words for a message, in words for a note, and where.
struct Obstacle {
  std::string reason;
  std::vector<int> triangles;  ///< of the loaded surface, at most five
};

class Solidifier {
 public:
  Solidifier(const Surface& loaded, const SolidOptions& options, const Progress& progress)
      : options_(options), progress_(progress), loaded_(loaded) {}

  Solid run() {
    check_options();
    try {
      repaired_ = repair(loaded_, progress_);
    } catch (const MeshError& error) {
      throw MeshError(options_.name + ": " + error.what(), error.triangles);
    }
    refuse_too_many();
    Solid solid = make();
    solid.notes.insert(solid.notes.begin(), repaired_.notes.begin(), repaired_.notes.end());
    progress_.step("ready", 1);
    return solid;
  }

 private:
  void check_options() const {
    if (options_.wanted_tets < 1 || options_.wanted_tets > kMostTets)
      throw MeshError(options_.name + ": " + std::to_string(options_.wanted_tets) +
                      " tets are wanted; ask for 1 to 2,000,000");
    if (options_.max_volume && !(*options_.max_volume > 0 && std::isfinite(*options_.max_volume)))
      throw MeshError(options_.name + ": the largest volume of a tet must be positive and finite");
    if (options_.quality && !(*options_.quality >= 1.1 && *options_.quality <= 10))
      throw MeshError(options_.name + ": a quality of " + std::to_string(*options_.quality) + " must lie in [1.1, 10]");
  }

  void refuse_too_many() const {
    if (!options_.max_volume) return;
    const double predicted = kTetsPerVolume * std::abs(signed_volume(repaired_.surface)) / *options_.max_volume;
    if (predicted > kMostTets)
      throw MeshError(options_.name + ": tets this small would be about " +
                      count_of(static_cast<std::int64_t>(std::min(predicted, 1e18)), "in number", "in number") +
                      "; ask for at most 2,000,000");
  }

  Solid make() {
    if (options_.method == SolidMethod::lattice) return make_lattice({});
    const bool forced = options_.method == SolidMethod::tetgen;
    if (!forced && too_fine())
      return make_lattice(count_of(std::ssize(repaired_.surface.triangles), "triangle") + " are more than " +
                          count_of(options_.wanted_tets, "tet") + " can follow");
    if (const Obstacle obstacle = find_obstacle(); !obstacle.reason.empty()) {
      if (!forced) return make_lattice(obstacle.reason);
      std::string message = options_.name + ": cannot be filled exactly: " + obstacle.reason;
      if (!obstacle.triangles.empty()) message += " (triangles";
      for (const int t : obstacle.triangles) (message += ' ') += std::to_string(t + 1);
      if (!obstacle.triangles.empty()) message += " first, counted from 1)";
      throw MeshError(message + "; mend it, or use the lattice method", obstacle.triangles);
    }
    if (forced) return make_conforming();
    try {
      return make_conforming();
    } catch (const MeshError& error) {
      std::string reason = error.what();
      if (reason.starts_with(options_.name + ": ")) reason.erase(0, options_.name.size() + 2);
      return make_lattice(reason.substr(0, reason.find(';')));
    }
  }

  /// Whether tets that follow every triangle would be far more than wanted.
  bool too_fine() const {
    return kTetsPerTriangle * static_cast<double>(repaired_.surface.triangles.size()) >
           kTooManyTets * options_.wanted_tets;
  }

  std::vector<int> first_loaded(std::vector<int> triangles) const {
    std::vector<int> loaded;
    for (const int t : triangles)
      if (const int from = repaired_.triangle_of[t]; from >= 0 && loaded.size() < 5)
        if (std::find(loaded.begin(), loaded.end(), from) == loaded.end()) loaded.push_back(from);
    return loaded;
  }

  /// Triangles with one of the edges.
  std::vector<int> triangles_at(const std::vector<Edge>& edges) const {
    std::vector<int> found;
    for (std::size_t t = 0; t < repaired_.surface.triangles.size() && found.size() < 5; ++t) {
      const Triangle& triangle = repaired_.surface.triangles[t];
      for (int k = 0; k < 3; ++k) {
        const Edge edge{std::min(triangle[k], triangle[(k + 1) % 3]), std::max(triangle[k], triangle[(k + 1) % 3])};
        if (std::find(edges.begin(), edges.end(), edge) == edges.end()) continue;
        found.push_back(static_cast<int>(t));
        break;
      }
    }
    return found;
  }

  std::vector<Edge> hole_edges(const Topology& topology) const {
    std::vector<Edge> edges;
    for (const auto& hole : topology.holes)
      for (std::size_t i = 0; i < hole.size() && edges.size() < 64; ++i) {
        const int a = hole[i], b = hole[(i + 1) % hole.size()];
        edges.push_back({std::min(a, b), std::max(a, b)});
      }
    return edges;
  }

  Obstacle find_obstacle() const {
    const Surface& surface = repaired_.surface;
    progress_.step("inspecting the surface", 0);
    const Topology topology = topology_of(surface);
    if (!topology.closed())
      return {"the surface is open (" + count_of(topology.boundary_edges, "boundary edge") + ")",
              first_loaded(triangles_at(hole_edges(topology)))};
    if (!topology.non_manifold_edges.empty()) {
      auto edges = topology.non_manifold_edges;
      edges.resize(std::min<std::size_t>(edges.size(), 64));
      return {"more than two triangles meet at " + count_of(std::ssize(topology.non_manifold_edges), "edge"),
              first_loaded(triangles_at(edges))};
    }
    if (!topology.oriented()) return {"the surface has one side only", {}};
    for (std::size_t v = 0; v < repaired_.vertex_of.size(); ++v)
      if (repaired_.vertex_of[v] >= 0 && !is_used(repaired_.vertex_of[v])) return {"some triangles have no area", {}};
    if (const double thickness = thickness_of(surface); !(thickness > kThinnest)) return {"the surface is flat", {}};
    const SelfIntersections crossings = self_intersections(surface, progress_);
    if (crossings.count > 0) {
      std::vector<int> triangles;
      for (const auto& pair : crossings.first) triangles.insert(triangles.end(), pair.begin(), pair.end());
      return {"parts pass through each other in " + count_of(crossings.count, "place"), first_loaded(triangles)};
    }
    if (!(signed_volume(surface) > 0)) return {"the surface encloses no volume", {}};
    return {};
  }

  bool is_used(int vertex) const {
    if (used_.empty()) {
      used_.assign(static_cast<std::size_t>(repaired_.surface.points.rows()), 0);
      for (const Triangle& t : repaired_.surface.triangles)
        for (const int v : t) used_[v] = 1;
    }
    return used_[vertex];
  }

  /// The loaded surface without vertices that no triangle uses.
  Surface shown() const {
    Surface surface = loaded_;
    compact(surface);
    return surface;
  }

  TetgenOptions tetgen_options() const {
    TetgenOptions options;
    options.name = options_.name;
    if (options_.quality) options.quality = *options_.quality;
    if (options_.max_volume) {
      options.max_volume = options_.max_volume;
    } else {
      // As fine inside as the wanted number allows; the surface alone may already need more.
      options.max_volume = kTetsPerVolume * signed_volume(repaired_.surface) / options_.wanted_tets;
    }
    return options;
  }

  Solid make_conforming() {
    Solid solid;
    std::vector<int> kept;
    Surface skin = repaired_.surface;
    const std::vector<int> skin_vertex = compact(skin);
    solid.tets = tetgen(skin, tetgen_options(), progress_);
    drop_cavities(skin, solid.tets);
    kept = compact(solid.tets);
    const TetQuality quality = quality_of(solid.tets);
    if (!(quality.min_volume > 0) || quality.min_dihedral < kSmallestAngle) {
      std::string angle = std::to_string(quality.min_dihedral);
      angle.resize(std::min<std::size_t>(angle.size(), 4));
      throw MeshError(options_.name + ": tets that follow the surface would be slivers (the smallest angle " + angle +
                      " degrees; 5 are needed); use the lattice method");
    }
    std::vector<int> vertices;
    for (const int v : repaired_.vertex_of) {
      if (v < 0) continue;
      const int tet_vertex = kept[skin_vertex[v]];
      if (tet_vertex < 0) throw MeshError(options_.name + ": TetGen left out a part; use the lattice method");
      vertices.push_back(tet_vertex);
    }
    solid.surface = shown();
    solid.embedding = embed_vertices(vertices);
    solid.fill.assign(solid.tets.tetrahedra.size(), 1);
    solid.notes.push_back("simulated as " + count_of(std::ssize(solid.tets.tetrahedra), "tet") +
                          " that follow the surface exactly");
    return solid;
  }

  /// TetGen fills what inner shells bound too.
  static void drop_cavities(const Surface& skin, TetMesh& tets) {
    if (topology_of(skin).components < 2) return;
    const Bvh tree(skin);
    const Winding winding(tree);
    std::erase_if(tets.tetrahedra, [&](const Tetrahedron& tet) {
      Eigen::Vector3d middle = Eigen::Vector3d::Zero();
      for (const int v : tet) middle += point(tets.points, v) / 4;
      return winding.at(middle) < 0.5;
    });
  }

  Solid make_lattice(const std::string& reason) {
    LatticeOptions options;
    options.wanted_tets = options_.wanted_tets;
    options.max_volume = options_.max_volume;
    options.name = options_.name;
    Solid solid = lattice(shown(), repaired_.surface, options, progress_);
    if (!reason.empty()) solid.notes.back() = reason + ": " + solid.notes.back();
    return solid;
  }

  const SolidOptions& options_;
  const Progress& progress_;
  const Surface& loaded_;
  Repaired repaired_;
  mutable std::vector<char> used_;
};

}  // namespace

Solid solidify(const Surface& loaded, const SolidOptions& options, const Progress& progress) {
  return Solidifier(loaded, options, progress).run();
}

SolidMethod solid_method(const std::string& word) {
  if (word == "automatic" || word == "auto") return SolidMethod::automatic;
  if (word == "tetgen") return SolidMethod::tetgen;
  if (word == "lattice") return SolidMethod::lattice;
  throw MeshError("'" + word + "' is not a method; use 'auto', 'tetgen' or 'lattice'");
}

}  // namespace rebound::mesh
