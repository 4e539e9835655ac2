#include "mesh/improve.hpp"

#include <algorithm>
#include <unordered_map>

#include "mesh/geometry.hpp"
#include "mesh/tet_editor.hpp"
#include "mesh/tet_exchange.hpp"

namespace rebound::mesh {
namespace {

constexpr double kWorthwhile = 0.95;  // of the stiffness before: less of a gain is not worth a change
constexpr double kNearBound = 1.1;    // times the stiffness of its face on the boundary: nearly as soft as can be
constexpr int kTetsBetweenReports = 64;

class Improver {
 public:
  Improver(const TetMesh& mesh, const std::vector<int>& kept, const ImproveOptions& options, const Progress& progress)
      : options_(options), progress_(progress), editor_(mesh, kept) {}

  TetMesh run() {
    for (int pass = 0; pass < options_.most_passes; ++pass) {
      aim_ = options_.most_stiffness * editor_.median_stiffness();
      const std::vector<int> stiff = stiffest_first();
      bool changed = false;
      for (std::size_t i = 0; i < stiff.size(); ++i) {
        if (i % kTetsBetweenReports == 0) tell(pass, i, stiff.size());
        if (judge_.work() > options_.most_work * editor_.tets()) return editor_.result();
        changed = soften(stiff[i]) || changed;
      }
      if (!changed) break;
    }
    return editor_.result();
  }

 private:
  void tell(int pass, std::size_t done, std::size_t all) const {
    progress_.step("evening out tets",
                   (pass + static_cast<double>(done) / static_cast<double>(all)) / options_.most_passes);
  }

  bool is_stiff(int tet) const {
    return editor_.alive(tet) && editor_.stiffness(tet) > aim_ && editor_.stiffness(tet) > kNearBound * bound_of(tet);
  }

  /// How soft a tet can be that has this one's faces on the boundary.
  double bound_of(int tet) const {
    double bound = 0;
    for (int corner = 0; corner < 4; ++corner) {
      if (editor_.across(tet, corner) >= 0) continue;
      const auto [p, q, r] = editor_.facing(tet, corner);
      bound = std::max(bound, triangle_stiffness(editor_.at(p), editor_.at(q), editor_.at(r)));
    }
    return bound;
  }

  std::vector<int> stiffest_first() const {
    std::vector<int> stiff;
    for (int t = 0; t < editor_.tets(); ++t)
      if (is_stiff(t)) stiff.push_back(t);
    std::stable_sort(stiff.begin(), stiff.end(),
                     [this](int a, int b) { return editor_.stiffness(a) > editor_.stiffness(b); });
    return stiff;
  }

  /// True where something was changed.
  bool soften(int tet) {
    if (!is_stiff(tet) || tried_in_vain(tet)) return false;
    const int before = editor_.changes();
    smooth_corners(editor_.corners(tet));
    if (is_stiff(tet)) exchange(best_flip(judge_, tet));
    if (is_stiff(tet)) exchange(best_collapse(judge_, tet));
    if (is_stiff(tet)) insert(best_cavity(judge_, tet));
    if (editor_.changes() > before) return true;
    given_up_[tet] = before;
    return false;
  }

  /// And nothing about it is new since.
  bool tried_in_vain(int tet) const {
    const auto found = given_up_.find(tet);
    return found != given_up_.end() && editor_.last_change_at(tet) <= found->second;
  }

  /// By value: the tet may be exchanged meanwhile.
  void smooth_corners(const Tetrahedron corners) {
    for (const int v : corners) smooth(v);
  }

  void smooth(int vertex) {
    if (!editor_.movable(vertex) || editor_.around(vertex).empty()) return;
    const double before = editor_.worst_of(editor_.around(vertex));
    if (before <= aim_) return;
    const Apex best = best_apex(judge_, editor_.wall(editor_.around(vertex)), editor_.at(vertex));
    if (best.worst < kWorthwhile * before) editor_.move(vertex, best.at);
  }

  void exchange(const TetExchange& found) {
    if (found.old.empty() || !(found.worst < kWorthwhile * editor_.worst_of(found.old))) return;
    editor_.replace(found.old, found.fresh);
    for (const Tetrahedron& tet : found.fresh) smooth_corners(tet);
  }

  void insert(const Cavity& cavity) {
    if (cavity.tets.empty() || !(cavity.apex.worst < kWorthwhile * editor_.worst_of(cavity.tets))) return;
    const Wall wall = editor_.wall(cavity.tets);
    const int vertex = editor_.add(cavity.apex.at);
    std::vector<Tetrahedron> fresh;
    for (const Triangle& face : wall) fresh.push_back({vertex, face[0], face[1], face[2]});
    editor_.replace(cavity.tets, fresh);
  }

  const ImproveOptions& options_;
  const Progress& progress_;
  TetEditor editor_;
  TetJudge judge_{editor_, options_.most_volume};
  std::unordered_map<int, int> given_up_;  ///< a tet that nothing helped: how many changes there had been
  double aim_ = 0;                         ///< the stiffness that no tet should exceed
};

}  // namespace

void improve(TetMesh& mesh, const std::vector<int>& kept, const ImproveOptions& options, const Progress& progress) {
  mesh = Improver(mesh, kept, options, progress).run();
}

}  // namespace rebound::mesh
