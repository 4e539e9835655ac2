// Tets that can be exchanged for others which fill the same space.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

/// A triangle of a cavity's wall: (x, p, q, r) is a tet of positive volume for a point x in front of it.
using Wall = std::vector<Triangle>;

class TetEditor {
 public:
  /// Vertices of the boundary and `kept` ones are never moved. The tets must have positive volumes.
  TetEditor(const TetMesh& mesh, const std::vector<int>& kept);

  /// Without the tets that are gone; vertices keep their numbers, new ones come last.
  TetMesh result() const;

  int tets() const { return static_cast<int>(tets_.size()); }  ///< those that are gone count
  bool alive(int tet) const { return tets_[tet][0] >= 0; }
  const Tetrahedron& corners(int tet) const { return tets_[tet]; }
  double stiffness(int tet) const { return stiffness_[tet]; }
  double median_stiffness() const;

  const Eigen::Vector3d& at(int vertex) const { return points_[vertex]; }
  bool movable(int vertex) const { return movable_[vertex]; }
  const std::vector<int>& around(int vertex) const { return around_[vertex]; }  ///< its tets
  std::vector<int> around(int a, int b) const;                                  ///< the tets of an edge
  Triangle facing(int tet, int corner) const;  ///< the face opposite a corner, which is in front of it
  int across(int tet, int corner) const;       ///< the tet behind that face; -1: none

  /// The vertices around edge ab in order, so that every (a, b, r_i, r_i+1) is one of its tets; empty where they do not
  /// go all the way round.
  std::vector<int> ring(int a, int b) const;

  /// The faces that only one of the tets has.
  Wall wall(const std::vector<int>& tets) const;

  double worst_of(const std::vector<int>& tets) const;

  /// How often something was changed; and when that was last next to a corner of the tet.
  int changes() const { return changes_; }
  int last_change_at(int tet) const;

  void replace(const std::vector<int>& old, const std::vector<Tetrahedron>& fresh);
  void move(int vertex, const Eigen::Vector3d& to);
  int add(const Eigen::Vector3d& point);

 private:
  void link(int tet);
  void unlink(int tet);

  std::vector<Eigen::Vector3d> points_;
  std::vector<char> movable_;
  std::vector<Tetrahedron> tets_;  ///< -1 first: gone
  std::vector<double> stiffness_;
  std::vector<std::vector<int>> around_;
  std::vector<int> changed_;  ///< a vertex: changes() when one of its tets last changed
  int changes_ = 0;
};

}  // namespace rebound::mesh
