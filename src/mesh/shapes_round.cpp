// Balls and rings. A ball is an icosahedron's twenty cones, each nearly a regular tet, cut evenly and blown up shell by
// shell; a ring is a disc cut in the same way and swept round. Both keep well-shaped tets at every fineness.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "mesh/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/shapes.hpp"
#include "mesh/shapes_common.hpp"

namespace rebound::mesh {
namespace {

/// Corners of a regular icosahedron on the unit sphere, and its faces counter-clockwise from outside.
struct Icosahedron {
  std::array<Eigen::Vector3d, 12> corners;
  std::vector<Triangle> faces;

  Icosahedron() {
    const double golden = (1 + std::sqrt(5.0)) / 2;
    int next = 0;
    for (int axis = 0; axis < 3; ++axis)
      for (const double u : {-1.0, 1.0})
        for (const double v : {-golden, golden}) {
          Eigen::Vector3d corner = Eigen::Vector3d::Zero();
          corner[(axis + 1) % 3] = u;
          corner[(axis + 2) % 3] = v;
          corners[next++] = corner.normalized();
        }
    // Corners are neighbours when they are an edge apart, a little more than the radius.
    const double longest = 1.1;
    for (int i = 0; i < 12; ++i)
      for (int j = i + 1; j < 12; ++j)
        for (int k = j + 1; k < 12; ++k) {
          const auto &a = corners[i], &b = corners[j], &c = corners[k];
          if ((a - b).norm() > longest || (b - c).norm() > longest || (c - a).norm() > longest) continue;
          if (a.cross(b).dot(c) > 0)
            faces.push_back({i, j, k});
          else
            faces.push_back({i, k, j});
        }
  }
};

/// The path from corner to corner of a unit cell along the axes in each order: the six tets of a cell.
constexpr int kAxisOrders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

void orient(const Points& points, Tetrahedron& tet) {
  if (tet_volume(points, tet) < 0) std::swap(tet[2], tet[3]);
}

class Ball {
 public:
  Ball(double radius, int shells) : radius_(radius), n_(shells) {}

  TetMesh run() {
    for (const Triangle& face : icosahedron_.faces) fill_cone(face);
    TetMesh mesh;
    mesh.points = Eigen::Map<const Points>(coordinates_.data(), static_cast<Eigen::Index>(coordinates_.size() / 3), 3);
    mesh.tetrahedra = std::move(tetrahedra_);
    for (auto& tet : mesh.tetrahedra) orient(mesh.points, tet);
    return mesh;
  }

 private:
  using Lattice = std::array<int, 3>;

  /// A cone is the part n >= a >= b >= c >= 0 of a lattice of cells: a is the shell.
  static bool in_cone(const Lattice& p, int n) { return n >= p[0] && p[0] >= p[1] && p[1] >= p[2] && p[2] >= 0; }

  void fill_cone(const Triangle& face) {
    for (int a = 0; a < n_; ++a)
      for (int b = 0; b <= a; ++b)
        for (int c = 0; c <= b; ++c)
          for (const auto& order : kAxisOrders) {
            Lattice p{a, b, c};
            std::array<Lattice, 4> path{p};
            bool inside = true;
            for (int step = 0; step < 3; ++step) {
              ++p[order[step]];
              path[step + 1] = p;
              inside = inside && in_cone(p, n_);
            }
            if (!inside) continue;
            tetrahedra_.push_back(
                {vertex(face, path[0]), vertex(face, path[1]), vertex(face, path[2]), vertex(face, path[3])});
          }
  }

  /// Cones share the vertices between them: the same weights on the same corners.
  int vertex(const Triangle& face, const Lattice& p) {
    const int weights[3] = {p[0] - p[1], p[1] - p[2], p[2]};
    std::array<std::array<int, 2>, 3> key{};
    Eigen::Vector3d direction = Eigen::Vector3d::Zero();
    for (int k = 0; k < 3; ++k) {
      if (weights[k] == 0) continue;
      key[k] = {face[k] + 1, weights[k]};
      direction += weights[k] * icosahedron_.corners[face[k]];
    }
    std::sort(key.begin(), key.end());
    const auto [found, added] = index_of_.try_emplace(key, static_cast<int>(index_of_.size()));
    if (added) {
      if (p[0] > 0) direction *= radius_ * p[0] / n_ / direction.norm();
      coordinates_.insert(coordinates_.end(), direction.data(), direction.data() + 3);
    }
    return found->second;
  }

  double radius_;
  int n_;
  Icosahedron icosahedron_;
  std::map<std::array<std::array<int, 2>, 3>, int> index_of_;
  std::vector<double> coordinates_;
  std::vector<Tetrahedron> tetrahedra_;
};

/// A unit disc of `rings` rings around its centre.
struct Disc {
  std::vector<Eigen::Vector2d> points;
  std::vector<Triangle> triangles;

  explicit Disc(int rings) {
    points.emplace_back(0, 0);
    for (int ring = 1; ring <= rings; ++ring)
      for (int i = 0; i < 6 * ring; ++i) {
        const double angle = 2 * kPi * i / (6 * ring);
        points.emplace_back(std::cos(angle) * ring / rings, std::sin(angle) * ring / rings);
      }
    for (int ring = 0; ring < rings; ++ring)
      for (int sector = 0; sector < 6; ++sector)
        for (int i = 0; i <= ring; ++i) {
          const int inner = sector * ring + i, outer = sector * (ring + 1) + i;
          triangles.push_back({at(ring, inner), at(ring + 1, outer), at(ring + 1, outer + 1)});
          if (i < ring) triangles.push_back({at(ring, inner), at(ring + 1, outer + 1), at(ring, inner + 1)});
        }
  }

  static int at(int ring, int i) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + i % (6 * ring); }
};

}  // namespace

TetMesh sphere(double radius, int divisions) {
  require_size(radius, "a sphere's radius");
  require_divisions(divisions, 2, "a sphere's divisions");
  const int shells = (divisions + 1) / 2;
  require_cells(20.0 / 6 * shells * shells * shells);
  return Ball(radius, shells).run();
}

TetMesh torus(double radius, double tube, int divisions) {
  require_size(radius, "a torus's radius");
  require_size(tube, "a torus's tube");
  require_divisions(divisions, 2, "a torus's divisions");
  if (!(tube < radius))
    throw MeshError("a torus's tube is " + std::to_string(tube) + " m; it must be less than its radius, " +
                    std::to_string(radius) + " m");
  const Disc disc((divisions + 1) / 2);
  const int section = static_cast<int>(disc.points.size());
  const double around = std::round(kPi * radius / tube * divisions);
  require_cells(around * static_cast<double>(disc.triangles.size()) / 2);
  const int steps = std::max(8, static_cast<int>(around));

  TetMesh mesh;
  mesh.points.resize(static_cast<Eigen::Index>(section) * steps, 3);
  for (int s = 0; s < steps; ++s) {
    const double angle = 2 * kPi * s / steps;
    for (int i = 0; i < section; ++i) {
      const double out = radius + tube * disc.points[i].x();
      mesh.points.row(static_cast<Eigen::Index>(s) * section + i) << out * std::cos(angle), tube * disc.points[i].y(),
          out * std::sin(angle);
    }
  }
  for (int s = 0; s < steps; ++s) {
    const int below = s * section, above = (s + 1) % steps * section;
    for (Triangle t : disc.triangles) {
      // Each side of a prism is cut from its lower numbered corner, so that neighbours agree.
      std::sort(t.begin(), t.end());
      const auto [p, q, r] = t;
      for (Tetrahedron tet : {Tetrahedron{below + p, below + q, below + r, above + r},
                              Tetrahedron{below + p, below + q, above + q, above + r},
                              Tetrahedron{below + p, above + p, above + q, above + r}}) {
        orient(mesh.points, tet);
        mesh.tetrahedra.push_back(tet);
      }
    }
  }
  return mesh;
}

}  // namespace rebound::mesh
