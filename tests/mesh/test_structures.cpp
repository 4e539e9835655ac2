// The structures: in one piece, whole, of one orientation, and as large as the paper's bodies.
#include "mesh/structures/structures.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <map>

#include "mesh/error.hpp"
#include "mesh/inspect.hpp"

namespace rebound::mesh {
namespace {

// Vertices and tetrahedra that [Chen20] prints.
const std::map<std::string, std::array<double, 2>> kPrinted{{"coil", {12791, 47279}},   {"honeycomb", {3642, 9850}},
                                                            {"moebius", {5829, 16857}}, {"tower", {16027, 69271}},
                                                            {"bridge", {30133, 99455}}, {"tree", {24533, 79217}}};

std::vector<TetMesh> all(Detail detail) {
  std::vector<TetMesh> made;
  for (const std::string& name : structure_names()) made.push_back(structure(name, detail));
  return made;
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
    for (const std::string& name : structure_names()) {
      const TetMesh mesh = structure(name, detail);
      const Boundary boundary = boundary_of(mesh);
      const Topology skin = topology_of(boundary.surface);
      EXPECT_EQ(skin.components, 1) << name;
      EXPECT_TRUE(skin.closed() && skin.oriented()) << name;
      EXPECT_EQ(mesh.points.col(1).minCoeff(), 0) << name;
    }
}

// A face is shared by two at most, which lie on either side of it.
TEST(Structures, DoNotOverlapAtFaces) {
  for (const Detail detail : {Detail::coarse, Detail::fine})
    for (const TetMesh& mesh : all(detail)) {
      std::map<std::array<int, 3>, std::vector<int>> apexes;
      for (const Tetrahedron& tet : mesh.tetrahedra)
        for (std::size_t k = 0; k < 4; ++k) {
          std::array<int, 3> corners{tet[(k + 1) % 4], tet[(k + 2) % 4], tet[(k + 3) % 4]};
          std::sort(corners.begin(), corners.end());
          std::vector<int>& seen = apexes[corners];
          seen.push_back(tet[k]);
          ASSERT_LE(seen.size(), 2u);
          if (seen.size() == 1) continue;
          const auto at = [&](int v) -> Eigen::Vector3d { return mesh.points.row(v).transpose(); };
          const Eigen::Vector3d a = at(corners[0]), normal = (at(corners[1]) - a).cross(at(corners[2]) - a);
          ASSERT_LT(normal.dot(at(tet[k]) - a) * normal.dot(at(seen[0]) - a), 0);
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
