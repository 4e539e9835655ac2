#include "mesh/shapes.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "mesh/error.hpp"
#include "mesh/shapes_common.hpp"

namespace rebound::mesh {
namespace {

/// Six tets around the diagonal from corner 0 to corner 7; corner bits are (x, y, z).
constexpr Tetrahedron kSix[6] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

/// Four corner tets and the large one between; odd cells are mirrored along x.
constexpr Tetrahedron kFive[5] = {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};

}  // namespace

void require_size(double size, const char* what) {
  if (!(size > 0) || !(size <= 1e9))
    throw MeshError(std::string(what) + " is " + std::to_string(size) + " m; it must lie in (0, 1e9]");
}

void require_divisions(int divisions, int least, const char* what) {
  if (divisions < least || divisions > 4096)
    throw MeshError(std::string(what) + " are " + std::to_string(divisions) + "; they must lie in [" +
                    std::to_string(least) + ", 4096]");
}

void require_cells(double cells) {
  constexpr double most = 4e6;
  if (cells > most) throw MeshError("more than 4,000,000 cells; use fewer divisions");
}

TetMesh box(const std::array<double, 3>& size, const std::array<int, 3>& divisions, int cut) {
  double cells = 1;
  for (int k = 0; k < 3; ++k) {
    require_size(size[k], "a box's size");
    require_divisions(divisions[k], 1, "a box's divisions");
    cells *= divisions[k];
  }
  require_cells(cells);
  if (cut != 5 && cut != 6) throw MeshError("a box's cut is " + std::to_string(cut) + "; it must be 5 or 6");
  const auto [nx, ny, nz] = divisions;
  TetMesh mesh;
  mesh.points.resize(static_cast<Eigen::Index>(nx + 1) * (ny + 1) * (nz + 1), 3);
  Eigen::Index row = 0;
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i)
        mesh.points.row(row++) << size[0] * (static_cast<double>(i) / nx - 0.5),
            size[1] * (static_cast<double>(j) / ny - 0.5), size[2] * (static_cast<double>(k) / nz - 0.5);

  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const bool mirrored = cut == 5 && (i + j + k) % 2 == 1;
        auto corner = [&, nx = nx, ny = ny](int c) {
          const int x = i + ((c & 1) ^ (mirrored ? 1 : 0)), y = j + (c >> 1 & 1), z = k + (c >> 2);
          return (z * (ny + 1) + y) * (nx + 1) + x;
        };
        for (int t = 0; t < cut; ++t) {
          const Tetrahedron& local = cut == 6 ? kSix[t] : kFive[t];
          Tetrahedron tet{corner(local[0]), corner(local[1]), corner(local[2]), corner(local[3])};
          if (mirrored) std::swap(tet[2], tet[3]);
          mesh.tetrahedra.push_back(tet);
        }
      }
  return mesh;
}

SpringMesh cloth(const std::array<double, 2>& size, const std::array<int, 2>& divisions) {
  for (int k = 0; k < 2; ++k) {
    require_size(size[k], "a cloth's size");
    require_divisions(divisions[k], 1, "a cloth's divisions");
  }
  require_cells(static_cast<double>(divisions[0]) * divisions[1]);
  const int nx = divisions[0], nz = divisions[1];
  const auto at = [nx](int i, int k) { return k * (nx + 1) + i; };
  SpringMesh mesh;
  mesh.points.resize(static_cast<Eigen::Index>(nx + 1) * (nz + 1), 3);
  for (int k = 0; k <= nz; ++k)
    for (int i = 0; i <= nx; ++i)
      mesh.points.row(at(i, k)) << size[0] * (static_cast<double>(i) / nx - 0.5), 0,
          size[1] * (static_cast<double>(k) / nz - 0.5);

  // Springs of one kind join each vertex to the one (di, dk) further on.
  const auto join = [&](int di, int dk) {
    for (int k = 0; k + dk <= nz; ++k)
      for (int i = 0; i <= nx; ++i)
        if (i + di >= 0 && i + di <= nx) mesh.edges.push_back({at(i, k), at(i + di, k + dk)});
  };
  for (const auto& [di, dk] : {std::array{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {0, 2}}) join(di, dk);

  for (int k = 0; k < nz; ++k)
    for (int i = 0; i < nx; ++i) {
      const int a = at(i, k), b = at(i + 1, k), c = at(i + 1, k + 1), d = at(i, k + 1);
      // Diagonals alternate, so that a drawn cloth shows no grain.
      if ((i + k) % 2 == 0) {
        mesh.triangles.push_back({a, c, b});
        mesh.triangles.push_back({a, d, c});
      } else {
        mesh.triangles.push_back({a, d, b});
        mesh.triangles.push_back({b, d, c});
      }
    }
  return mesh;
}

Surface disk(double radius, int rings) {
  require_size(radius, "a disk's radius");
  require_divisions(rings, 1, "a disk's rings");
  require_cells(6.0 * rings * rings);
  const auto first = [](int ring) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1); };
  Surface mesh;
  mesh.points.resize(first(rings + 1), 3);
  mesh.points.row(0).setZero();
  for (int ring = 1; ring <= rings; ++ring)
    for (int i = 0; i < 6 * ring; ++i) {
      const double angle = std::numbers::pi * i / (3.0 * ring), r = radius * ring / rings;
      mesh.points.row(first(ring) + i) << r * std::cos(angle), 0, r * std::sin(angle);
    }
  for (int ring = 1; ring <= rings; ++ring) {
    const auto outer = [&](int i) { return first(ring) + i % (6 * ring); };
    const auto inner = [&](int i) { return ring == 1 ? 0 : first(ring - 1) + i % (6 * (ring - 1)); };
    for (int sector = 0; sector < 6; ++sector)
      for (int j = 0; j < ring; ++j) {
        const int out = sector * ring + j, in = sector * (ring - 1) + j;
        mesh.triangles.push_back({inner(in), outer(out + 1), outer(out)});
        if (j + 1 < ring) mesh.triangles.push_back({inner(in), inner(in + 1), outer(out + 1)});
      }
  }
  return mesh;
}

}  // namespace rebound::mesh
