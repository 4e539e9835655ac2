#include "mesh/tet_exchange.hpp"

#include <algorithm>
#include <array>

#include "mesh/geometry.hpp"

namespace rebound::mesh {
namespace {

using Eigen::Vector3d;

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostAround = 9;  // tets about an edge: beyond it a flip rarely helps, and costs its cube
constexpr int kMostGrowth = 6;          // tets that a cavity takes in, one by one
constexpr double kFirstStep = 0.25, kLastStep = 0.01;  // of the edges around a vertex whose place is sought
constexpr double kNoticeable = 0.99;                   // of the stiffness before: less of a gain is not gone after

template <std::size_t N>
bool is_among(const std::array<int, N>& vertices, int v) {
  return std::find(vertices.begin(), vertices.end(), v) != vertices.end();
}

/// The axes, and the twelve directions between two of them.
std::array<Vector3d, 18> make_directions() {
  std::array<Vector3d, 18> list;
  std::size_t n = 0;
  for (int i = 0; i < 3; ++i)
    for (const double sign : {1.0, -1.0}) list[n++] = sign * Vector3d::Unit(i);
  for (int i = 0; i < 3; ++i)
    for (const double a : {1.0, -1.0})
      for (const double b : {1.0, -1.0})
        list[n++] = (a * Vector3d::Unit(i) + b * Vector3d::Unit((i + 1) % 3)).normalized();
  return list;
}

double edge_length(const TetEditor& editor, const Wall& wall) {
  double sum = 0;
  for (const Triangle& face : wall) sum += (editor.at(face[1]) - editor.at(face[0])).norm();
  return sum / static_cast<double>(wall.size());
}

/// Three tets about an edge in the place of two that share a face.
TetExchange without_face(const TetJudge& judge, int tet, int corner) {
  const TetEditor& editor = judge.editor();
  const int other = editor.across(tet, corner);
  if (other < 0) return {};
  TetExchange found{{tet, other}, {}, 0};
  const Tetrahedron& above = editor.corners(tet);
  const Tetrahedron& below = editor.corners(other);
  const int top = above[corner];
  const int bottom = *std::find_if(below.begin(), below.end(), [&](int v) { return !is_among(above, v); });
  for (const Triangle& face : editor.wall(found.old)) {
    if (!is_among(face, top)) continue;
    found.fresh.push_back({bottom, face[0], face[1], face[2]});
    found.worst = std::max(found.worst, judge.stiffness(found.fresh.back()));
  }
  return found;
}

/// How to cut part i..k of a ring: at cut[i][k]; worst[i][k] is then the stiffness of the stiffest tet.
struct RingCuts {
  double worst[kMostAround][kMostAround] = {};
  std::size_t cut[kMostAround][kMostAround] = {};
};

/// Each part is cut best once, from the shortest on [Klincsek80].
RingCuts best_cuts(const TetJudge& judge, const std::vector<int>& ring, int a, int b) {
  RingCuts cuts;
  for (std::size_t length = 2; length < ring.size(); ++length)
    for (std::size_t i = 0; i + length < ring.size(); ++i) {
      const std::size_t k = i + length;
      double& best = cuts.worst[i][k];
      best = kNever;
      for (std::size_t j = i + 1; j < k; ++j) {
        double here = std::max(cuts.worst[i][j], cuts.worst[j][k]);
        if (here < best) here = std::max(here, judge.stiffness({ring[i], ring[j], ring[k], b}));
        if (here < best) here = std::max(here, judge.stiffness({ring[i], ring[k], ring[j], a}));
        if (!(here < best)) continue;
        best = here;
        cuts.cut[i][k] = j;
      }
    }
  return cuts;
}

TetExchange without_edge(const TetJudge& judge, int a, int b) {
  const std::vector<int> ring = judge.editor().ring(a, b);
  if (ring.size() < 3 || ring.size() > kMostAround) return {};
  const RingCuts cuts = best_cuts(judge, ring, a, b);
  TetExchange found{judge.editor().around(a, b), {}, cuts.worst[0][ring.size() - 1]};
  if (found.worst == kNever) return {};
  std::vector<std::array<std::size_t, 2>> parts{{0, ring.size() - 1}};
  while (!parts.empty()) {
    const auto [i, k] = parts.back();
    parts.pop_back();
    if (k - i < 2) continue;
    const std::size_t j = cuts.cut[i][k];
    found.fresh.push_back({ring[i], ring[j], ring[k], b});
    found.fresh.push_back({ring[i], ring[k], ring[j], a});
    parts.push_back({i, j});
    parts.push_back({j, k});
  }
  return found;
}

Vector3d middle_of(const TetEditor& editor, const std::vector<int>& cavity) {
  Vector3d sum = Vector3d::Zero();
  double volume = 0;
  for (const int t : cavity) {
    const auto& [a, b, c, d] = editor.corners(t);
    const Vector3d &p = editor.at(a), &q = editor.at(b), &r = editor.at(c), &s = editor.at(d);
    const double v = (q - p).cross(r - p).dot(s - p);
    sum += v / 4 * (p + q + r + s);
    volume += v;
  }
  return sum / volume;
}

/// The tet behind the face that makes the stiffest tet with x; -1: none.
int behind_worst_face(const TetJudge& judge, const std::vector<int>& cavity, const Vector3d& x) {
  double worst = 0;
  int behind = -1;
  for (const int t : cavity)
    for (int corner = 0; corner < 4; ++corner) {
      const int other = judge.editor().across(t, corner);
      if (other < 0 || std::find(cavity.begin(), cavity.end(), other) != cavity.end()) continue;
      const double here = judge.stiffness(x, judge.editor().facing(t, corner));
      if (!(here > worst)) continue;
      worst = here;
      behind = other;
    }
  return behind;
}

/// Vertices inside a cavity go with its tets.
bool loses_kept_vertex(const TetEditor& editor, const std::vector<int>& cavity, const Wall& wall) {
  for (const int t : cavity)
    for (const int v : editor.corners(t))
      if (!editor.movable(v) &&
          std::none_of(wall.begin(), wall.end(), [v](const Triangle& face) { return is_among(face, v); }))
        return true;
  return false;
}

/// Takes the tet behind the worst face in, as long as that helps.
Cavity grown(const TetJudge& judge, std::vector<int> tets) {
  const TetEditor& editor = judge.editor();
  const Wall first = editor.wall(tets);
  if (loses_kept_vertex(editor, tets, first)) return {};
  Cavity best{tets, best_apex(judge, first, middle_of(editor, tets))};
  for (int n = 0; n < kMostGrowth; ++n) {
    const int behind = behind_worst_face(judge, best.tets, best.apex.at);
    if (behind < 0) break;
    tets = best.tets;
    tets.push_back(behind);
    const Wall wall = editor.wall(tets);
    if (loses_kept_vertex(editor, tets, wall)) break;
    Apex apex = best_apex(judge, wall, best.apex.at);
    if (apex.worst == kNever) apex = best_apex(judge, wall, middle_of(editor, tets));
    if (!(apex.worst < best.apex.worst)) break;
    best = {tets, apex};
  }
  return best;
}

}  // namespace

double TetJudge::stiffness(const Vector3d& x, const Triangle& face, double least) const {
  ++work_;
  const Vector3d &p = editor_.at(face[0]), &q = editor_.at(face[1]), &r = editor_.at(face[2]);
  if ((p - x).cross(q - x).dot(r - x) > 6 * most_volume_) return kNever;
  return tet_stiffness(x, p, q, r, least);
}

double TetJudge::worst_of(const Vector3d& x, const Wall& wall, double enough) const {
  double worst = 0;
  for (const Triangle& face : wall) {
    worst = stiffness(x, face, worst);
    if (worst >= enough) return worst;
  }
  return worst;
}

TetExchange best_flip(const TetJudge& judge, int tet) {
  TetExchange best;
  const Tetrahedron& corners = judge.editor().corners(tet);
  const auto consider = [&best](TetExchange found) {
    if (found.worst < best.worst) best = std::move(found);
  };
  for (int i = 0; i < 4; ++i) {
    consider(without_face(judge, tet, i));
    for (int j = i + 1; j < 4; ++j) consider(without_edge(judge, corners[i], corners[j]));
  }
  return best;
}

TetExchange best_collapse(const TetJudge& judge, int tet) {
  const TetEditor& editor = judge.editor();
  TetExchange best;
  for (const int from : editor.corners(tet)) {
    if (!editor.movable(from)) continue;
    const Wall wall = editor.wall(editor.around(from));
    for (const int to : editor.corners(tet)) {
      if (to == from) continue;
      TetExchange found{editor.around(from), {}, 0};
      for (const Triangle& face : wall) {
        if (is_among(face, to)) continue;
        found.fresh.push_back({to, face[0], face[1], face[2]});
        found.worst = std::max(found.worst, judge.stiffness(found.fresh.back()));
      }
      if (found.worst < best.worst) best = std::move(found);
    }
  }
  return best;
}

Apex best_apex(const TetJudge& judge, const Wall& wall, const Vector3d& start) {
  static const auto directions = make_directions();
  Apex best{start, judge.worst_of(start, wall)};
  if (best.worst == kNever) return best;
  const double length = edge_length(judge.editor(), wall);
  for (double step = kFirstStep * length; step > kLastStep * length; step /= 2)
    for (bool moved = true; moved;) {
      moved = false;
      for (const Vector3d& direction : directions) {
        const Vector3d there = best.at + step * direction;
        const double worst = judge.worst_of(there, wall, kNoticeable * best.worst);
        if (worst >= kNoticeable * best.worst) continue;
        best = {there, worst};
        moved = true;
      }
    }
  return best;
}

Cavity best_cavity(const TetJudge& judge, int tet) {
  const TetEditor& editor = judge.editor();
  std::vector<int> with_neighbours{tet};
  for (int corner = 0; corner < 4; ++corner)
    if (const int other = editor.across(tet, corner); other >= 0) with_neighbours.push_back(other);
  Cavity best = grown(judge, std::move(with_neighbours));
  const Tetrahedron& corners = editor.corners(tet);
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) {
      Cavity cavity = grown(judge, editor.around(corners[i], corners[j]));
      if (cavity.apex.worst < best.apex.worst) best = std::move(cavity);
    }
  return best;
}

}  // namespace rebound::mesh
