// Bodies put together from blocks: hexahedra and prisms that share whole faces, cut into tetrahedra.
#pragma once

#include <Eigen/Core>
#include <array>
#include <functional>
#include <map>
#include <vector>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

/// A grid of points, rows of equal length, each a number of a point.
using Section = std::vector<std::vector<int>>;

/// Points and blocks of them. Blocks that touch share points, which is what joins them.
class Blocks {
 public:
  int point(const Eigen::Vector3d& p);
  const Eigen::Vector3d& at(int point) const { return points_[static_cast<std::size_t>(point)]; }

  /// Four points around the bottom, and the four above them.
  void hexahedron(const std::array<int, 4>& bottom, const std::array<int, 4>& top);
  void prism(const std::array<int, 3>& bottom, const std::array<int, 3>& top);

  /// The hexahedra between two grids of equal shape.
  void between(const Section& low, const Section& high);

  /// Each block is cut from its lowest point, each face through its lowest point: so neighbours agree. Moved up or down
  /// until it begins at y = 0.
  TetMesh tetrahedra() const;

 private:
  struct Block {
    std::array<int, 8> points;
    bool is_prism;
  };
  std::vector<Eigen::Vector3d> points_;
  std::vector<Block> blocks_;
};

/// A disk, all but round, of (cells + 1) x (cells + 1) points.
Section round_section(Blocks& body, const Eigen::Vector3d& centre, const Eigen::Vector3d& across,
                      const Eigen::Vector3d& along, double radius, int cells);

/// `axis`, moved along a curve from one tangent to the next without turning about it.
Eigen::Vector3d transported(const Eigen::Vector3d& axis, const Eigen::Vector3d& old_tangent,
                            const Eigen::Vector3d& tangent);

/// A grid of which some cells are filled. `cuts` says into how many pieces each cell is cut along each direction.
class FilledGrid {
 public:
  using Cell = std::array<int, 3>;

  /// place: where the line of the grid (i, j, k) passes; whole numbers at cells' corners, fractions between.
  FilledGrid(Blocks& body, std::array<int, 3> cuts, std::function<Eigen::Vector3d(double, double, double)> place)
      : body_(body), cuts_(cuts), place_(std::move(place)) {}

  void fill(const Cell& cell);

 private:
  int point(const Cell& fine);

  Blocks& body_;
  std::array<int, 3> cuts_;
  std::function<Eigen::Vector3d(double, double, double)> place_;
  std::map<Cell, int> points_;
};

}  // namespace rebound::mesh
