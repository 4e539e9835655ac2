// The structures: in one piece, whole, of one orientation, and as large as the paper's bodies.
#include "mesh/structures/structures.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <numeric>

#include "mesh/error.hpp"

namespace rebound::mesh {
namespace {

// Vertices and tetrahedra that [Chen20] prints.
const std::map<std::string, std::array<double, 2>> kPrinted{{"coil", {12791, 47279}},  {"honeycomb", {3642, 9850}},
                                                            {"moebius", {5829, 16857}}, {"tower", {16027, 69271}},
                                                            {"bridge", {30133, 99455}}, {"tree", {24533, 79217}}};

std::vector<TetMesh> all(Detail detail) {
  std::vector<TetMesh> made;
  for (const std::string& name : structure_names()) made.push_back(structure(name, detail));
  return made;
}

int pieces_of(const TetMesh& mesh) {
  std::vector<int> root(static_cast<std::size_t>(mesh.points.rows()));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int v) {
    while (root[static_cast<std::size_t>(v)] != v) v = root[static_cast<std::size_t>(v)] = root[static_cast<std::size_t>(root[static_cast<std::size_t>(v)])];
    return v;
  };
  for (const Tetrahedron& tet : mesh.tetrahedra)
    for (const int v : tet) root[static_cast<std::size_t>(find(v))] = find(tet[0]);
  int pieces = 0;
  for (int v = 0; v < static_cast<int>(root.size()); ++v) pieces += find(v) == v ? 1 : 0;
  return pieces;
}

TEST(Structures, AreAsLargeAsThePapersBodies) {
  ASSERT_EQ(structure_names().size(), kPrinted.size());
  for (const std::string& name : structure_names()) {
    const TetMesh mesh = structure(name, Detail::fine);
    const auto [vertices, tetrahedra] = kPrinted.at(name);
    EXPECT_NEAR(static_cast<double>(mesh.points.rows()) / vertices, 1, 0.05) << name;
    EXPECT_NEAR(static_cast<double>(mesh.tetrahedra.size()) / tetrahedra, 1, 0.05) << name;
  }
}

TEST(Structures, AreInOnePieceAndWhole) {
  for (const Detail detail : {Detail::coarse, Detail::fine})
    for (const TetMesh& mesh : all(detail)) {
      EXPECT_EQ(pieces_of(mesh), 1);
      EXPECT_EQ(mesh.points.col(1).minCoeff(), 0);
      std::map<std::array<int, 3>, int> faces;
      for (const Tetrahedron& tet : mesh.tetrahedra)
        for (const auto& face : kTetFaces) {
          std::array<int, 3> corners{tet[static_cast<std::size_t>(face[0])], tet[static_cast<std::size_t>(face[1])], tet[static_cast<std::size_t>(face[2])]};
          std::sort(corners.begin(), corners.end());
          ++faces[corners];
        }
      for (const auto& [corners, count] : faces) ASSERT_LE(count, 2);
      // Each edge of what is left as a surface lies in two of its triangles, or four where parts meet in an edge.
      std::map<std::array<int, 2>, int> edges;
      for (const auto& [corners, count] : faces)
        if (count == 1)
          for (std::size_t k = 0; k < 3; ++k) {
            std::array<int, 2> edge{corners[k], corners[(k + 1) % 3]};
            std::sort(edge.begin(), edge.end());
            ++edges[edge];
          }
      for (const auto& [edge, count] : edges) ASSERT_EQ(count % 2, 0);
    }
}

// Two that share a face lie on either side of it.
TEST(Structures, DoNotOverlapAtFaces) {
  for (const Detail detail : {Detail::coarse, Detail::fine})
    for (const TetMesh& mesh : all(detail)) {
      std::map<std::array<int, 3>, int> apex;
      for (const Tetrahedron& tet : mesh.tetrahedra)
        for (std::size_t k = 0; k < 4; ++k) {
          std::array<int, 3> corners{tet[(k + 1) % 4], tet[(k + 2) % 4], tet[(k + 3) % 4]};
          std::sort(corners.begin(), corners.end());
          const auto [other, is_new] = apex.emplace(corners, tet[k]);
          if (is_new) continue;
          const auto at = [&](int v) -> Eigen::Vector3d { return mesh.points.row(v).transpose(); };
          const Eigen::Vector3d a = at(corners[0]), normal = (at(corners[1]) - a).cross(at(corners[2]) - a);
          ASSERT_LT(normal.dot(at(tet[k]) - a) * normal.dot(at(other->second) - a), 0);
        }
    }
}

TEST(Structures, HaveNoFlatTetrahedra) {
  for (const Detail detail : {Detail::coarse, Detail::fine})
    for (const TetMesh& mesh : all(detail))
      for (const Tetrahedron& tet : mesh.tetrahedra) {
        Eigen::Matrix<double, 3, 4> p;
        for (int k = 0; k < 4; ++k) p.col(k) = mesh.points.row(tet[static_cast<std::size_t>(k)]).transpose();
        const double volume = (p.col(1) - p.col(0)).cross(p.col(2) - p.col(0)).dot(p.col(3) - p.col(0)) / 6;
        double longest = 0;
        for (int a = 0; a < 4; ++a)
          for (int b = 0; b < a; ++b) longest = std::max(longest, (p.col(a) - p.col(b)).norm());
        ASSERT_GT(volume, 1e-4 * longest * longest * longest);
      }
}

TEST(Structures, OfAnotherNameAreRefused) { EXPECT_THROW(structure("castle"), MeshError); }

}  // namespace
}  // namespace rebound::mesh
