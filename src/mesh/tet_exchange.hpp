// Tets for others that fill the same space: flips of edges and faces, one vertex put onto another, and a new vertex in
// a cavity. Nothing is changed here; what would be best is found.
#pragma once

#include <limits>
#include <vector>

#include "mesh/tet_editor.hpp"

namespace rebound::mesh {

/// Says how stiff a tet would be, and counts how often it was asked.
class TetJudge {
 public:
  TetJudge(const TetEditor& editor, double most_volume) : editor_(editor), most_volume_(most_volume) {}

  /// Infinite for tets without positive volume, and for larger ones than may be made.
  double stiffness(const Tetrahedron& tet) const { return stiffness(editor_.at(tet[0]), {tet[1], tet[2], tet[3]}); }
  /// Of the tet with corner x and this face, or `least` if it is softer.
  double stiffness(const Eigen::Vector3d& x, const Triangle& face, double least = 0) const;
  /// Of the tets that join x to a wall; once one is above `enough`, the rest are not looked at.
  double worst_of(const Eigen::Vector3d& x, const Wall& wall,
                  double enough = std::numeric_limits<double>::infinity()) const;

  const TetEditor& editor() const { return editor_; }
  double work() const { return work_; }

 private:
  const TetEditor& editor_;
  double most_volume_;
  mutable double work_ = 0;
};

/// What would stand in the place of `old`; nothing when `worst` is infinite.
struct TetExchange {
  std::vector<int> old;
  std::vector<Tetrahedron> fresh;
  double worst = std::numeric_limits<double>::infinity();  ///< stiffness of the stiffest fresh tet
};

/// Of all flips that make a tet go: two tets about a face become three about an edge, and those about an edge of the
/// tet become those that join its ends to the triangles of a cut of the ring around it.
TetExchange best_flip(const TetJudge& judge, int tet);

/// One corner that may move put onto another.
TetExchange best_collapse(const TetJudge& judge, int tet);

/// A place for a vertex in front of a wall.
struct Apex {
  Eigen::Vector3d at = Eigen::Vector3d::Zero();
  double worst = std::numeric_limits<double>::infinity();  ///< stiffness of the stiffest tet that joins it to the wall
};

/// The softest place that is found about `start`; infinite where not even that is in front of the whole wall.
Apex best_apex(const TetJudge& judge, const Wall& wall, const Eigen::Vector3d& start);

/// Tets about one, to be exchanged for those that join `apex` to their wall.
struct Cavity {
  std::vector<int> tets;
  Apex apex;
};

/// Of several that hold the tet. Vertices that may not move are on the wall.
Cavity best_cavity(const TetJudge& judge, int tet);

}  // namespace rebound::mesh
