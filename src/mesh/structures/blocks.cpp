#include "mesh/structures/blocks.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace rebound::mesh {
namespace {

using Eigen::Vector3d;

const std::vector<std::vector<int>>& faces_of(bool is_prism) {
  static const std::vector<std::vector<int>> hexahedron{{0, 1, 2, 3}, {4, 7, 6, 5}, {0, 4, 5, 1},
                                                        {1, 5, 6, 2}, {2, 6, 7, 3}, {3, 7, 4, 0}};
  static const std::vector<std::vector<int>> prism{{0, 1, 2}, {3, 5, 4}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}};
  return is_prism ? prism : hexahedron;
}

}  // namespace

int Blocks::point(const Vector3d& p) {
  points_.push_back(p);
  return static_cast<int>(points_.size()) - 1;
}

void Blocks::hexahedron(const std::array<int, 4>& bottom, const std::array<int, 4>& top) {
  blocks_.push_back({{bottom[0], bottom[1], bottom[2], bottom[3], top[0], top[1], top[2], top[3]}, false});
}

void Blocks::prism(const std::array<int, 3>& bottom, const std::array<int, 3>& top) {
  blocks_.push_back({{bottom[0], bottom[1], bottom[2], top[0], top[1], top[2], -1, -1}, true});
}

void Blocks::between(const Section& low, const Section& high) {
  for (std::size_t i = 0; i + 1 < low.size(); ++i)
    for (std::size_t j = 0; j + 1 < low[0].size(); ++j)
      hexahedron({low[i][j], low[i + 1][j], low[i + 1][j + 1], low[i][j + 1]},
                 {high[i][j], high[i + 1][j], high[i + 1][j + 1], high[i][j + 1]});
}

TetMesh Blocks::tetrahedra() const {
  TetMesh mesh;
  mesh.points.resize(static_cast<Eigen::Index>(points_.size()), 3);
  for (std::size_t i = 0; i < points_.size(); ++i)
    mesh.points.row(static_cast<Eigen::Index>(i)) = points_[i].transpose();
  mesh.points.col(1).array() -= mesh.points.col(1).minCoeff();

  for (const Block& block : blocks_) {
    const int apex = *std::min_element(block.points.begin(), block.points.end() - (block.is_prism ? 2 : 0));
    for (const std::vector<int>& face : faces_of(block.is_prism)) {
      std::vector<int> around;
      for (const int corner : face) around.push_back(block.points[static_cast<std::size_t>(corner)]);
      if (std::find(around.begin(), around.end(), apex) != around.end()) continue;
      std::rotate(around.begin(), std::min_element(around.begin(), around.end()), around.end());
      for (std::size_t k = 1; k + 1 < around.size(); ++k) {
        Tetrahedron tet{apex, around[0], around[k], around[k + 1]};
        const Vector3d p = at(tet[1]) - at(apex), q = at(tet[2]) - at(apex), r = at(tet[3]) - at(apex);
        if (p.cross(q).dot(r) < 0) std::swap(tet[2], tet[3]);
        mesh.tetrahedra.push_back(tet);
      }
    }
  }
  return mesh;
}

Section round_section(Blocks& body, const Vector3d& centre, const Vector3d& across, const Vector3d& along,
                      double radius, int cells) {
  Section section(static_cast<std::size_t>(cells) + 1);
  for (int i = 0; i <= cells; ++i)
    for (int j = 0; j <= cells; ++j) {
      // A square whose sides are bent outwards, not quite a disk: in a disk's four corners cells would be flat.
      const double u = 2.0 * i / cells - 1, w = 2.0 * j / cells - 1;
      section[static_cast<std::size_t>(i)].push_back(body.point(centre +
                                                                radius * u * std::sqrt(1 - 0.45 * w * w) * across +
                                                                radius * w * std::sqrt(1 - 0.45 * u * u) * along));
    }
  return section;
}

Vector3d transported(const Vector3d& axis, const Vector3d& old_tangent, const Vector3d& tangent) {
  const Vector3d from = old_tangent.normalized(), to = tangent.normalized();
  const Vector3d turn = from.cross(to);
  const double cosine = from.dot(to);
  const Vector3d moved = cosine * axis + turn.cross(axis) + turn * (turn.dot(axis) / (1 + cosine));
  return (moved - moved.dot(to) * to).normalized();
}

int FilledGrid::point(const Cell& fine) {
  const auto known = points_.find(fine);
  if (known != points_.end()) return known->second;
  const auto line = [&](std::size_t k) { return static_cast<double>(fine[k]) / cuts_[k]; };
  return points_[fine] = body_.point(place_(line(0), line(1), line(2)));
}

void FilledGrid::fill(const Cell& cell) {
  const auto [ni, nj, nk] = cuts_;
  for (int i = cell[0] * ni; i < (cell[0] + 1) * ni; ++i)
    for (int j = cell[1] * nj; j < (cell[1] + 1) * nj; ++j)
      for (int k = cell[2] * nk; k < (cell[2] + 1) * nk; ++k) {
        const auto around = [&](int level) -> std::array<int, 4> {
          return {point({i, j, level}), point({i + 1, j, level}), point({i + 1, j + 1, level}),
                  point({i, j + 1, level})};
        };
        body_.hexahedron(around(k), around(k + 1));
      }
}

}  // namespace rebound::mesh
