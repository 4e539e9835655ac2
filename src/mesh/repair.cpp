#include "mesh/repair.hpp"

#include <algorithm>
#include <cmath>

#include "mesh/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/holes.hpp"
#include "mesh/inspect.hpp"
#include "mesh/orient.hpp"
#include "mesh/text.hpp"
#include "mesh/weld.hpp"

namespace rebound::mesh {
namespace {

void refuse_broken(const Surface& surface) {
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    for (const int v : surface.triangles[t]) {
      if (v < 0 || v >= surface.points.rows())
        throw MeshError("triangle " + std::to_string(t + 1) + " names vertex " + std::to_string(v + 1) +
                            ", which does not exist; there are " + std::to_string(surface.points.rows()),
                        {static_cast<int>(t)});
      if (!surface.points.row(v).allFinite())
        throw MeshError("vertex " + std::to_string(v + 1) + " is not finite; export the mesh again",
                        {static_cast<int>(t)});
    }
}

class Repairer {
 public:
  Repairer(const Surface& loaded, const RepairOptions& options, const Progress& progress)
      : loaded_(loaded), options_(options), progress_(progress) {}

  Repaired run() {
    refuse_broken(loaded_);
    progress_.step("mending the surface", 0);
    weld_vertices();
    progress_.step("mending the surface", 0.3);
    drop_triangles();
    if (repaired_.surface.triangles.empty())
      throw MeshError("the surface has no area: " + count_of(std::ssize(loaded_.triangles), "triangle") +
                      ", all of them points or lines; export the mesh with faces");
    progress_.step("mending the surface", 0.5);
    Turned turned = turn_to_agree(repaired_.surface);
    progress_.step("mending the surface", 0.7);
    close(turned);
    progress_.step("mending the surface", 1);
    return std::move(repaired_);
  }

 private:
  void note(const std::string& sentence) { repaired_.notes.push_back(sentence); }

  void weld_vertices() {
    repaired_.surface = loaded_;
    const std::vector<int> kept = compact(repaired_.surface);
    const Eigen::Index unused = loaded_.points.rows() - repaired_.surface.points.rows();
    if (unused > 0) note(count_of(unused, "vertex", "vertices") + " of no triangle left out");
    const double diagonal = repaired_.surface.points.rows() > 0 ? bounding_box(repaired_.surface).diagonal().norm() : 0;
    std::vector<int> first(static_cast<std::size_t>(repaired_.surface.points.rows()));
    if (diagonal > 0) first = weld(repaired_.surface.points, options_.weld * diagonal);
    std::int64_t welded = 0;
    for (std::size_t i = 0; i < first.size(); ++i) welded += first[i] != static_cast<int>(i);
    if (welded > 0 && diagonal > 0)
      note(count_of(welded, "vertex", "vertices") + " welded to others in the same place");
    for (Triangle& t : repaired_.surface.triangles)
      for (int& v : t) v = first[v];
    // Welded vertices are out of use now, so numbers change once more.
    const std::vector<int> numbers = compact(repaired_.surface);
    for (const int k : kept) repaired_.vertex_of.push_back(k < 0 ? -1 : numbers[first[k]]);
  }

  void drop_triangles() {
    Surface& surface = repaired_.surface;
    const OddTriangles odd = odd_triangles(surface);
    std::vector<char> dropped(surface.triangles.size(), 0);
    for (const int t : odd.duplicate) dropped[t] = 2;
    for (const int t : odd.degenerate) dropped[t] = 1;
    std::vector<Triangle> triangles;
    std::int64_t flat = 0, doubled = 0;
    for (std::size_t t = 0; t < dropped.size(); ++t) {
      flat += dropped[t] == 1;
      doubled += dropped[t] == 2;
      if (dropped[t]) continue;
      triangles.push_back(surface.triangles[t]);
      repaired_.triangle_of.push_back(static_cast<int>(t));
    }
    surface.triangles = std::move(triangles);
    if (flat > 0) note(count_of(flat, "triangle") + " without area passed over");
    if (doubled > 0) note(count_of(doubled, "triangle that stood", "triangles that stood") + " twice passed over");
  }

  void close(Turned& turned) {
    if (!options_.closes) return note_turned(turned);
    const ClosedHoles holes = close_holes(repaired_.surface, options_.largest_hole, progress_);
    repaired_.triangle_of.resize(repaired_.surface.triangles.size(), -1);
    progress_.step("mending the surface", 0.85);
    turn_outwards(repaired_.surface, turned);
    note_turned(turned);
    if (turned.shells > 0) note(count_of(turned.shells, "part was", "parts were") + " inside out and turned round");
    if (turned.cavities > 0) note(count_of(turned.cavities, "cavity", "cavities") + " inside the body kept hollow");
    if (holes.closed > 0)
      note(count_of(holes.closed, "hole") + " closed (" + count_of(holes.edges, "boundary edge") + ", the widest " +
           percent(holes.widest) + " of the body's extent)");
    if (holes.left_open > 0) note(count_of(holes.left_open, "opening") + " left open: too wide to close, or collapsed");
  }

  void note_turned(const Turned& turned) {
    if (turned.triangles > 0) note(count_of(turned.triangles, "triangle") + " turned round to agree with the others");
    if (turned.one_sided) note("the surface has a part with one side only, like a Moebius band");
  }

  std::string percent(double length) const {
    const double share = 100 * length / bounding_box(repaired_.surface).diagonal().norm();
    return share < 1 ? "under 1 %" : std::to_string(static_cast<int>(std::lround(share))) + " %";
  }

  const Surface& loaded_;
  const RepairOptions& options_;
  const Progress& progress_;
  Repaired repaired_;
};

}  // namespace

Repaired repair(const Surface& loaded, const Progress& progress, const RepairOptions& options) {
  return Repairer(loaded, options, progress).run();
}

}  // namespace rebound::mesh
