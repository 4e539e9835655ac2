#include <Eigen/Geometry>
#include <cmath>
#include <set>

#include "mesh/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/shapes.hpp"

namespace rebound::mesh {
namespace {

double boundary_area(const TetMesh& mesh) { return surface_area(boundary_of(mesh).surface); }

TEST(Box, VerticesRunXFirstThenYThenZ) {
  const TetMesh mesh = box({2, 4, 6}, {1, 2, 3});
  ASSERT_EQ(mesh.points.rows(), 2 * 3 * 4);
  EXPECT_TRUE(mesh.points.row(0).isApprox(Eigen::RowVector3d(-1, -2, -3)));
  EXPECT_TRUE(mesh.points.row(1).isApprox(Eigen::RowVector3d(1, -2, -3)));
  EXPECT_TRUE(mesh.points.row(2).isApprox(Eigen::RowVector3d(-1, 0, -3)));
  EXPECT_TRUE(mesh.points.row(6).isApprox(Eigen::RowVector3d(-1, -2, -1)));
  EXPECT_TRUE(mesh.points.row(23).isApprox(Eigen::RowVector3d(1, 2, 3)));
}

TEST(Box, BothCutsFillItWithMatchingFaces) {
  for (const int cut : {5, 6}) {
    const TetMesh mesh = box({1, 2, 3}, {3, 4, 5}, cut);
    EXPECT_EQ(mesh.tetrahedra.size(), 3u * 4 * 5 * cut);
    EXPECT_GT(quality_of(mesh).min_volume, 0);
    EXPECT_NEAR(total_volume(mesh), 6, 1e-12);
    // A face that found no partner would add area inside.
    EXPECT_NEAR(boundary_area(mesh), 2 * (2 + 3 + 6), 1e-12) << "cut " << cut;
    EXPECT_NEAR(signed_volume(boundary_of(mesh).surface), 6, 1e-12);
  }
}

TEST(Box, SixTetsOfACellShareTheSameDiagonal) {
  const TetMesh mesh = box({1, 1, 1}, {2, 2, 2});
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const auto& tet = mesh.tetrahedra[t];
    const Eigen::RowVector3d diagonal = mesh.points.row(tet[3]) - mesh.points.row(tet[0]);
    EXPECT_TRUE(diagonal.isApprox(Eigen::RowVector3d(0.5, 0.5, 0.5)));
  }
}

TEST(Box, RefusesWhatIsNoBox) {
  EXPECT_THROW(box({1, 0, 1}, {1, 1, 1}), MeshError);
  EXPECT_THROW(box({1, NAN, 1}, {1, 1, 1}), MeshError);
  EXPECT_THROW(box({1, 1, 1}, {0, 1, 1}), MeshError);
  EXPECT_THROW(box({1, 1, 1}, {4000, 4000, 4000}), MeshError);
  EXPECT_THROW(box({1, 1, 1}, {1, 1, 1}, 7), MeshError);
}

TEST(Cloth, HasEverySpringOnce) {
  const int nx = 5, nz = 3;
  const SpringMesh mesh = cloth({1, 2}, {nx, nz});
  EXPECT_EQ(mesh.points.rows(), (nx + 1) * (nz + 1));
  const std::size_t structural = nx * (nz + 1) + nz * (nx + 1), shear = 2 * nx * nz,
                    bending = (nx - 1) * (nz + 1) + (nz - 1) * (nx + 1);
  EXPECT_EQ(mesh.edges.size(), structural + shear + bending);
  std::set<Edge> different;
  for (const Edge& e : mesh.edges) different.insert({std::min(e[0], e[1]), std::max(e[0], e[1])});
  EXPECT_EQ(different.size(), mesh.edges.size());
  EXPECT_TRUE(mesh.points.row(1).isApprox(Eigen::RowVector3d(-0.3, 0, -1)));
  Surface surface{mesh.points, mesh.triangles};
  Eigen::Vector3d area = Eigen::Vector3d::Zero();
  for (const auto& t : mesh.triangles) area += vector_area(surface, t);
  EXPECT_TRUE(area.isApprox(Eigen::Vector3d(0, 2, 0)));
}

TEST(Sphere, ConvergesToItsClosedForms) {
  const double radius = 0.7, volume = 4 * M_PI / 3 * std::pow(radius, 3), area = 4 * M_PI * radius * radius;
  double last_error = 0;
  for (const int divisions : {6, 12, 24}) {
    const TetMesh mesh = sphere(radius, divisions);
    const TetQuality quality = quality_of(mesh);
    EXPECT_GT(quality.min_volume, 0);
    EXPECT_GT(quality.min_dihedral, 20);
    const double error = 1 - quality.total_volume / volume;
    EXPECT_GT(error, 0);
    if (last_error > 0) {
      EXPECT_NEAR(last_error / error, 4, 0.4) << "second order in the cell size";
    }
    last_error = error;
    EXPECT_NEAR(boundary_area(mesh) / area, 1, 0.09);
    const Boundary boundary = boundary_of(mesh);
    EXPECT_NEAR(signed_volume(boundary.surface), quality.total_volume, 1e-12);
    for (Eigen::Index i = 0; i < boundary.surface.points.rows(); ++i)
      EXPECT_NEAR(boundary.surface.points.row(i).norm(), radius, 1e-12);
  }
  EXPECT_LT(last_error, 0.01);
}

TEST(Torus, ConvergesToItsClosedForms) {
  const double radius = 0.5, tube = 0.2, volume = 2 * M_PI * M_PI * radius * tube * tube;
  double last_error = 0;
  for (const int divisions : {4, 8, 16}) {
    const TetMesh mesh = torus(radius, tube, divisions);
    const TetQuality quality = quality_of(mesh);
    EXPECT_GT(quality.min_volume, 0);
    EXPECT_GT(quality.min_dihedral, 15);
    const double error = 1 - quality.total_volume / volume;
    if (last_error > 0) {
      EXPECT_NEAR(last_error / error, 4, 0.4) << "second order in the cell size";
    }
    last_error = error;
    EXPECT_NEAR(signed_volume(boundary_of(mesh).surface), quality.total_volume, 1e-12);
  }
  EXPECT_LT(last_error, 0.01);
  EXPECT_THROW(torus(0.2, 0.2, 4), MeshError);
}

TEST(Disk, IsRoundAndFacesUp) {
  for (const int rings : {1, 2, 7}) {
    const Surface mesh = disk(0.5, rings);
    EXPECT_EQ(mesh.points.rows(), 1 + 3 * rings * (rings + 1));
    EXPECT_EQ(mesh.triangles.size(), 6u * rings * rings);
    double area = 0;
    for (const Triangle& t : mesh.triangles) {
      const Eigen::Vector3d a = (mesh.points.row(t[1]) - mesh.points.row(t[0])).transpose(),
                            b = (mesh.points.row(t[2]) - mesh.points.row(t[0])).transpose(), normal = a.cross(b);
      EXPECT_GT(normal.y(), 0);
      EXPECT_NEAR(normal.x(), 0, 1e-15);
      area += 0.5 * normal.y();
    }
    const double corners = 6 * rings;
    EXPECT_NEAR(area, 0.5 * corners * 0.25 * std::sin(2 * M_PI / corners), 1e-12) << "that of its rim's polygon";
    for (int v = 1 + 3 * rings * (rings - 1); v < mesh.points.rows(); ++v)
      EXPECT_NEAR(mesh.points.row(v).norm(), 0.5, 1e-15);
  }
  EXPECT_THROW(disk(0, 3), MeshError);
  EXPECT_THROW(disk(1, 0), MeshError);
}

}  // namespace
}  // namespace rebound::mesh
