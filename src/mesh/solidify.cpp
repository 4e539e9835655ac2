#include "mesh/solidify.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mesh/geometry.hpp"
#include "mesh/improve.hpp"
#include "mesh/inspect.hpp"
#include "mesh/lattice.hpp"
#include "mesh/obstruction.hpp"
#include "mesh/repair.hpp"
#include "mesh/tetgen.hpp"
#include "mesh/text.hpp"
#include "mesh/winding.hpp"

namespace rebound::mesh {
namespace {

constexpr double kTetsPerTriangle = 3.5;  // what TetGen makes of a surface whose triangles it keeps, measured
constexpr double kTetsPerVolume = 2.2;    // tets = 1.9 to 2.2 V/a, measured
constexpr double kTooManyTets = 1.75;     // times the wanted number: then a lattice is faster by far
constexpr double kTooFewTets = 0.2;       // times the wanted number: then a lattice bends far better
constexpr double kMostTets = 2e6;
constexpr int kWorkSecondsUnasked = 5;  // for TetGen where the user did not ask for it

/// Tets that follow the surface, and what is against them.
struct Attempt {
  TetMesh tets;
  std::vector<int> vertices;  ///< a shown vertex: its vertex in `tets`
  TetQuality quality;
  double unevenness = 0;
  std::string objection;  ///< empty: none

  bool even() const { return quality.min_dihedral >= kSliverAngle && unevenness <= kMostUneven; }
  bool usable() const { return !tets.tetrahedra.empty() && quality.min_volume > 0; }
};

std::string slivers(const Attempt& attempt) {
  return "slivers (an angle of " + degrees_text(attempt.quality.min_dihedral) + ", the stiffest " +
         std::to_string(std::lround(attempt.unevenness)) + " times as stiff as the median)";
}

/// The message without the file's name in front and the remedy behind.
std::string reason_in(const MeshError& error, const std::string& name) {
  std::string reason = error.what();
  if (reason.starts_with(name + ": ")) reason.erase(0, name.size() + 2);
  return reason.substr(0, reason.rfind(';'));
}

/// What no change inside can mend.
std::string uneven_boundary(const TetMesh& tets) {
  if (tets.tetrahedra.empty()) return {};
  const Surface surface = boundary_of(tets).surface;
  double stiffest = 0;
  for (const auto& [a, b, c] : surface.triangles)
    stiffest = std::max(
        stiffest, triangle_stiffness(point(surface.points, a), point(surface.points, b), point(surface.points, c)));
  const double times = stiffest / median_stiffness(tets.points, tets.tetrahedra);
  if (times <= kMostUneven) return {};
  return "the surface's thinnest triangle would make a tet " + std::to_string(std::lround(times)) +
         " times as stiff as the median";
}

/// TetGen fills what inner shells bound too.
void drop_cavities(const Surface& skin, TetMesh& tets) {
  if (topology_of(skin).components < 2) return;
  const Bvh tree(skin);
  const Winding winding(tree);
  std::erase_if(tets.tetrahedra, [&](const Tetrahedron& tet) {
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    for (const int v : tet) middle += point(tets.points, v) / 4;
    return winding.at(middle) < 0.5;
  });
}

class Solidifier {
 public:
  Solidifier(const Surface& loaded, const SolidOptions& options, const Progress& progress)
      : options_(options), progress_(progress), shown_(loaded) {
    check_options();
    try {
      repaired_ = repair(loaded, progress_);
    } catch (const MeshError& error) {
      throw MeshError(options_.name + ": " + error.what(), error.triangles);
    }
    compact(shown_);
    refuse_too_few();
  }

  Solid run() {
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

  /// A sheet is given a lattice as thick as one of its cells, but a triangle or two are no sheet.
  void refuse_too_few() const {
    constexpr std::ptrdiff_t kFewest = 4;  // around a volume
    if (std::ssize(repaired_.surface.triangles) >= kFewest) return;
    throw MeshError(options_.name + ": has " + count_of(std::ssize(repaired_.surface.triangles), "triangle") +
                    ", too few to hold a volume; give a closed surface");
  }

  void refuse_too_many() const {
    if (!options_.max_volume) return;
    const double predicted = kTetsPerVolume * std::abs(signed_volume(repaired_.surface)) / *options_.max_volume;
    if (predicted > kMostTets)
      throw MeshError(options_.name + ": about " +
                      count_of(static_cast<std::int64_t>(std::min(predicted, 1e18)), "tet") +
                      " would be needed; at most 2,000,000 are made: raise the largest volume");
  }

  Solid make() {
    if (options_.method == SolidMethod::lattice) return make_lattice({});
    const bool forced = options_.method == SolidMethod::tetgen;
    if (!forced && follows_surface() > most_tets())
      return make_lattice(count_of(std::ssize(repaired_.surface.triangles), "triangle") + " are more than " +
                          count_of(options_.wanted_tets, "tet") + " can follow");
    const Obstruction obstruction = find_obstruction(repaired_, progress_);
    if (!obstruction.reason.empty()) {
      if (forced) refuse(obstruction);
      return make_lattice(obstruction.reason);
    }
    if (!forced && !options_.max_volume && obstruction.least_tets > most_tets())
      return make_lattice("it is thinner than " + count_of(options_.wanted_tets, "tet") + " can follow");
    Attempt attempt = fill_exactly(forced);
    if (attempt.objection.empty() || (forced && attempt.usable())) return conforming(std::move(attempt));
    if (forced) throw MeshError(options_.name + ": " + attempt.objection + "; use the lattice method");
    return make_lattice(attempt.objection);
  }

  [[noreturn]] void refuse(const Obstruction& obstruction) const {
    std::string message = options_.name + ": cannot be filled exactly: " + obstruction.reason;
    if (!obstruction.triangles.empty()) message += " (triangles";
    for (const int t : obstruction.triangles) (message += ' ') += std::to_string(t + 1);
    if (!obstruction.triangles.empty()) message += " first, counted from 1)";
    throw MeshError(message + "; mend it, or use the lattice method", obstruction.triangles);
  }

  double most_tets() const {
    return options_.wanted_tets * (options_.most_off ? 1 + *options_.most_off : kTooManyTets);
  }
  double least_tets() const {
    return options_.wanted_tets * (options_.most_off ? 1 - *options_.most_off : kTooFewTets);
  }

  /// About how many tets keep to every triangle of the surface.
  double follows_surface() const { return kTetsPerTriangle * static_cast<double>(repaired_.surface.triangles.size()); }

  /// A fine surface is kept as it is; a coarse one is cut finer to match small tets, and if that gives slivers or too
  /// many, kept, or cut less fine.
  Attempt fill_exactly(bool forced) {
    if (!options_.refine) return attempt_with(false, 1, forced);
    const bool fine = follows_surface() > 0.5 * options_.wanted_tets && !options_.max_volume;
    const auto enough = [forced](const Attempt& a) { return a.objection.empty() || (forced && a.usable()); };
    Attempt first = attempt_with(fine, 1, forced);
    if (fine || enough(first)) return first;
    const double excess = static_cast<double>(first.tets.tetrahedra.size()) / options_.wanted_tets;
    Attempt second = attempt_with(true, 1, forced);
    if (enough(second) || !(excess > 1)) return second;
    Attempt third = attempt_with(false, 1.3 * excess, forced);
    return third.objection.empty() ? third : first;
  }

  /// `coarser`: how many times larger the tets may be than the wanted number asks for.
  TetgenOptions tetgen_options(bool keep_boundary, double coarser, bool forced) const {
    TetgenOptions options;
    options.name = options_.name;
    options.keep_boundary = keep_boundary;
    options.wall_seconds = options_.wall_seconds;
    if (!forced) options.work_seconds = kWorkSecondsUnasked;
    if (options_.quality) options.quality = *options_.quality;
    options.max_volume = options_.max_volume;
    options.refine = options_.refine;
    // As fine inside as the wanted number allows, unless the surface alone needs as many.
    if (!options.max_volume && options.refine && follows_surface() < options_.wanted_tets)
      options.max_volume = coarser * kTetsPerVolume * signed_volume(repaired_.surface) / options_.wanted_tets;
    return options;
  }

  Attempt attempt_with(bool keep_boundary, double coarser, bool forced) {
    Attempt attempt;
    try {
      Surface skin = repaired_.surface;
      const std::vector<int> skin_vertex = compact(skin);
      attempt.tets = tetgen(skin, tetgen_options(keep_boundary, coarser, forced), progress_);
      drop_cavities(skin, attempt.tets);
      if (!forced && evened_out()) {
        attempt.objection = uneven_boundary(attempt.tets);
        if (!attempt.objection.empty()) return attempt;
      }
      even_out(attempt.tets, skin.points.rows());
      const std::vector<int> kept = compact(attempt.tets);
      for (const int v : repaired_.vertex_of)
        if (v >= 0) attempt.vertices.push_back(kept[skin_vertex[v]]);
      attempt.quality = quality_of(attempt.tets);
      attempt.unevenness = unevenness(attempt.tets.points, attempt.tets.tetrahedra);
      attempt.objection = objection_to(attempt);
    } catch (const TetgenInterrupted&) {
      throw;  // a lattice in its place would be another body, for the machine's sake
    } catch (const MeshError& error) {
      attempt.tets = {};
      attempt.objection = reason_in(error, options_.name);
    }
    return attempt;
  }

  /// Not where the user said what TetGen is to strive for.
  bool evened_out() const { return options_.refine && !options_.quality; }

  /// The skin's vertices are the first.
  void even_out(TetMesh& tets, Eigen::Index skin_vertices) const {
    if (!evened_out()) return;
    const bool sound = std::all_of(tets.tetrahedra.begin(), tets.tetrahedra.end(),
                                   [&](const Tetrahedron& tet) { return tet_volume(tets.points, tet) > 0; });
    if (!sound) return;
    std::vector<int> kept(static_cast<std::size_t>(skin_vertices));
    std::iota(kept.begin(), kept.end(), 0);
    ImproveOptions options;
    if (options_.max_volume) options.most_volume = *options_.max_volume;
    improve(tets, kept, options, progress_);
  }

  std::string objection_to(Attempt& attempt) const {
    if (std::find(attempt.vertices.begin(), attempt.vertices.end(), -1) != attempt.vertices.end()) {
      attempt.tets = {};
      return "TetGen left out a part of the surface";
    }
    if (!attempt.usable()) return "tets that follow the surface would be without volume";
    const auto count = static_cast<double>(attempt.tets.tetrahedra.size());
    if (!options_.max_volume && count > most_tets())
      return count_of(std::ssize(attempt.tets.tetrahedra), "tet") + " would be needed to follow the surface";
    if (!options_.max_volume && count < least_tets())
      return "only " + count_of(std::ssize(attempt.tets.tetrahedra), "tet") + " would follow the surface";
    const bool slivers_wanted = !evened_out() && attempt.quality.min_dihedral >= kSliverAngle;
    if (!attempt.even() && !slivers_wanted) return "tets that follow the surface would be " + slivers(attempt);
    return {};
  }

  Solid conforming(Attempt attempt) {
    Solid solid;
    solid.tets = std::move(attempt.tets);
    solid.surface = shown_;
    solid.embedding = embed_vertices(attempt.vertices);
    solid.fill.assign(solid.tets.tetrahedra.size(), 1);
    solid.notes.push_back("simulated as " + count_of(std::ssize(solid.tets.tetrahedra), "tet") +
                          " that follow the surface exactly");
    if (!attempt.even()) solid.notes.push_back("some of them are " + slivers(attempt) + ": steps may be slow");
    return solid;
  }

  Solid make_lattice(const std::string& reason) {
    LatticeOptions options;
    options.wanted_tets = options_.wanted_tets;
    options.max_volume = options_.max_volume;
    options.name = options_.name;
    Solid solid = lattice(shown_, repaired_.surface, options, progress_);
    if (!reason.empty()) solid.notes.back() = reason + ": " + solid.notes.back();
    return solid;
  }

  const SolidOptions& options_;
  const Progress& progress_;
  Surface shown_;  ///< as loaded, without the vertices that no triangle uses
  Repaired repaired_;
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
