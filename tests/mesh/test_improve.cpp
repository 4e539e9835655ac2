// How stiff a tet is, and tets made even inside a boundary that stays.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "mesh/geometry.hpp"
#include "mesh/improve.hpp"
#include "mesh/obj.hpp"
#include "mesh/shapes.hpp"
#include "mesh/solidify.hpp"
#include "mesh/surfaces.hpp"
#include "mesh/tetgen.hpp"

namespace rebound::mesh {
namespace {

using Eigen::Vector3d;

double uneven(const TetMesh& mesh) { return unevenness(mesh.points, mesh.tetrahedra); }

/// The boundary's triangles by their vertices' numbers, each turned to begin with the smallest.
std::set<Triangle> boundary_triangles(const TetMesh& mesh) {
  const Boundary boundary = boundary_of(mesh);
  std::set<Triangle> all;
  for (Triangle t : boundary.surface.triangles) {
    for (int& v : t) v = boundary.vertex_of[v];
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    all.insert(t);
  }
  return all;
}

void expect_same_boundary(const TetMesh& before, const TetMesh& after) {
  EXPECT_TRUE(boundary_triangles(before) == boundary_triangles(after));
  for (const int v : boundary_of(before).vertex_of)
    EXPECT_TRUE(before.points.row(v) == after.points.row(v)) << "vertex " << v;
  EXPECT_GT(quality_of(after).min_volume, 0);
  EXPECT_NEAR(total_volume(after) / total_volume(before), 1, 1e-12);
}

/// A box whose vertices inside lie anywhere that leaves all tets a little volume.
TetMesh shaken_box(unsigned seed) {
  TetMesh mesh = box({1, 1, 1}, {7, 7, 7});
  std::vector<char> inside(static_cast<std::size_t>(mesh.points.rows()), 1);
  for (const int v : boundary_of(mesh).vertex_of) inside[v] = 0;
  std::vector<std::vector<Tetrahedron>> around(inside.size());
  for (const auto& t : mesh.tetrahedra)
    for (const int v : t) around[v].push_back(t);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> offset(-0.12, 0.12);
  for (std::size_t v = 0; v < inside.size(); ++v)
    for (int tries = 0; inside[v] && tries < 20; ++tries) {
      const auto row = static_cast<Eigen::Index>(v);
      const Eigen::RowVector3d at = mesh.points.row(row);
      mesh.points.row(row) += Eigen::RowVector3d(offset(random), offset(random), offset(random));
      if (std::any_of(around[v].begin(), around[v].end(),
                      [&](const Tetrahedron& t) { return tet_volume(mesh.points, t) < 1e-6; }))
        mesh.points.row(row) = at;
    }
  return mesh;
}

TEST(TetStiffness, OfRegularAndCornerTets) {
  // Edge a: the heights are a sqrt(2/3), and four gradients of that inverse length point as evenly as can be.
  const double a = 0.3;
  const Vector3d p(0, 0, 0), q(a, 0, 0), r(a / 2, a * std::sqrt(3) / 2, 0),
      s(a / 2, a * std::sqrt(3) / 6, a * std::sqrt(2.0 / 3));
  EXPECT_NEAR(tet_stiffness(p, q, r, s), 2 / (a * a), 1e-6);
  // I + (1 1 1)^T (1 1 1)
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  EXPECT_NEAR(tet_stiffness(p, x, y, z), 4, 1e-12);
  EXPECT_NEAR(tet_stiffness(p, 1e-3 * x, 1e-3 * y, 1e-3 * z), 4e6, 1e-6);
  EXPECT_EQ(tet_stiffness(p, y, x, z), INFINITY) << "turned inside out";
  EXPECT_EQ(tet_stiffness(p, x, y, x + y), INFINITY) << "flat";
  EXPECT_EQ(tet_stiffness(p, x, y, z, 7), 7);
  EXPECT_NEAR(tet_stiffness(p, x, y, z, 3.9), 4, 1e-12);
}

TEST(TetStiffness, IsTheElementsLargestEigenvalue) {
  std::mt19937 random(3);
  std::normal_distribution<double> any;
  for (int n = 0; n < 200; ++n) {
    Eigen::Matrix3d edges;
    for (int i = 0; i < 9; ++i) edges(i) = any(random) * (n % 4 == 0 && i < 3 ? 1e-3 : 1);
    if (edges.determinant() < 0) edges.col(0) *= -1;
    Eigen::Matrix<double, 4, 3> gradients;
    gradients.bottomRows(3) = edges.inverse();
    gradients.row(0) = -gradients.bottomRows(3).colwise().sum();
    const Eigen::Matrix4d laplacian = gradients * gradients.transpose();
    const double largest = Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d>(laplacian).eigenvalues()[3];
    const Vector3d o(1, 2, 3);
    EXPECT_NEAR(tet_stiffness(o, o + edges.col(0), o + edges.col(1), o + edges.col(2)) / largest, 1, 1e-8);
  }
}

TEST(TetStiffness, BoundsHowFastABodyVibrates) {
  for (const TetMesh& mesh : {box({1, 1, 1}, {4, 4, 4}), shaken_box(1)}) {
    const Eigen::Index n = mesh.points.rows();
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
    Eigen::VectorXd M = Eigen::VectorXd::Zero(n);
    double stiffest = 0;
    for (const auto& t : mesh.tetrahedra) {
      Eigen::Matrix3d edges;
      for (int k = 0; k < 3; ++k) edges.col(k) = point(mesh.points, t[k + 1]) - point(mesh.points, t[0]);
      Eigen::Matrix<double, 4, 3> g;
      g.bottomRows(3) = edges.inverse();
      g.row(0) = -g.bottomRows(3).colwise().sum();
      const double volume = tet_volume(mesh.points, t);
      for (int i = 0; i < 4; ++i) {
        M[t[i]] += volume / 4;
        for (int j = 0; j < 4; ++j) K(t[i], t[j]) += volume * g.row(i).dot(g.row(j));
      }
      stiffest = std::max(stiffest, tet_stiffness(mesh.points, t));
    }
    const Eigen::VectorXd scale = M.cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd symmetric = scale.asDiagonal() * K * scale.asDiagonal();
    const double largest =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues()[n - 1];
    EXPECT_LE(largest, 4 * stiffest * (1 + 1e-9));
    // Slivers weigh little, and their neighbours' masses hold them; among equal tets the bound is near.
    if (uneven(mesh) < 1.01) {
      EXPECT_GE(largest, 0.2 * 4 * stiffest);
    }
  }
}

TEST(TetStiffness, NoTetIsSofterThanItsFace) {
  const Vector3d a(0, 0, 0), b(1, 0, 0), c(0.4, 0.1, 0);
  const double face = triangle_stiffness(a, b, c);
  EXPECT_NEAR(triangle_stiffness(a, Vector3d(1, 0, 0), Vector3d(0.5, std::sqrt(0.75), 0)), 2, 1e-6) << "a double root";
  EXPECT_EQ(triangle_stiffness(a, b, 2 * b), INFINITY);
  for (const double x : {-1.0, 0.0, 0.5, 2.0})
    for (const double height : {0.1, 1.0, 10.0}) EXPECT_GE(tet_stiffness(a, b, c, Vector3d(x, x, height)), face);
  EXPECT_NEAR(tet_stiffness(a, b, c, Vector3d(0.5, 0, 1e4)) / face, 1, 1e-4);
}

TEST(Improve, EvensOutAShakenBox) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const TetMesh shaken = shaken_box(seed);
    ASSERT_GT(uneven(shaken), 50);
    TetMesh mesh = shaken;
    improve(mesh);
    expect_same_boundary(shaken, mesh);
    EXPECT_LT(uneven(mesh), 5);
    EXPECT_NEAR(static_cast<double>(mesh.tetrahedra.size()), static_cast<double>(shaken.tetrahedra.size()),
                0.2 * static_cast<double>(shaken.tetrahedra.size()));
  }
}

TEST(Improve, PutsVerticesWhereThereAreNone) {
  // Every vertex lies on the surface, and nearly flat tets follow it.
  TetgenOptions options;
  options.refine = false;
  const TetMesh hollow = tetgen(icosphere(1, 3), options);
  ASSERT_GT(uneven(hollow), 100);
  TetMesh mesh = hollow;
  improve(mesh);
  expect_same_boundary(hollow, mesh);
  EXPECT_LT(uneven(mesh), 10);
  EXPECT_GT(mesh.points.rows(), hollow.points.rows());
}

TEST(Improve, MovesNoKeptVertexAndMakesNoLargeTet) {
  const TetMesh shaken = shaken_box(4);
  std::vector<int> all(static_cast<std::size_t>(shaken.points.rows()));
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
  TetMesh mesh = shaken;
  improve(mesh, all);
  expect_same_boundary(shaken, mesh);
  EXPECT_TRUE(mesh.points.topRows(shaken.points.rows()) == shaken.points);
  std::set<int> used;
  for (const auto& t : mesh.tetrahedra) used.insert(t.begin(), t.end());
  for (const int v : all) EXPECT_TRUE(used.contains(v)) << "kept vertex " << v << " is in no tet";
  EXPECT_LT(uneven(mesh), 0.8 * uneven(shaken));

  double largest = 0;
  for (const auto& t : shaken.tetrahedra) largest = std::max(largest, tet_volume(shaken.points, t));
  ImproveOptions options;
  options.most_volume = largest;
  mesh = shaken;
  improve(mesh, {}, options);
  EXPECT_LT(uneven(mesh), 10);
  for (const auto& t : mesh.tetrahedra) EXPECT_LE(tet_volume(mesh.points, t), largest * (1 + 1e-9));
}

TEST(Improve, LeavesEvenTetsAloneAndGivesTheSameBytes) {
  const TetMesh even = box({1, 1, 1}, {5, 5, 5});
  TetMesh mesh = even;
  improve(mesh);
  EXPECT_TRUE(mesh.points == even.points);
  EXPECT_EQ(mesh.tetrahedra, even.tetrahedra);
  TetMesh once = shaken_box(5), twice = shaken_box(5);
  improve(once);
  improve(twice);
  EXPECT_TRUE(once.points == twice.points);
  EXPECT_EQ(once.tetrahedra, twice.tetrahedra);
}

TEST(Improve, CancelledChangesNothing) {
  const TetMesh shaken = shaken_box(6);
  TetMesh mesh = shaken;
  std::atomic<bool> cancel{false};
  int reports = 0;
  const Progress progress{[&](const std::string&, double fraction) {
                            EXPECT_LE(fraction, 1);
                            cancel = ++reports == 2;
                          },
                          &cancel};
  EXPECT_THROW(improve(mesh, {}, {}, progress), Cancelled);
  EXPECT_TRUE(mesh.points == shaken.points);
  EXPECT_EQ(mesh.tetrahedra, shaken.tetrahedra);
}

class Animal : public testing::TestWithParam<const char*> {};

TEST_P(Animal, IsFilledEvenly) {
  const auto path =
      std::filesystem::path(REBOUND_SOURCE_DIR) / "assets" / "meshes" / (std::string(GetParam()) + ".obj");
  const Surface surface = read_obj(path);
  const Solid solid = solidify(surface);
  EXPECT_GT(quality_of(solid.tets).min_volume, 0);
  EXPECT_LE(uneven(solid.tets), 10) << solid.notes.back();
  if (surface.triangles.size() > 6000) return;  // lattices
  EXPECT_NE(solid.notes.back().find("follow the surface exactly"), std::string::npos) << solid.notes.back();
  EXPECT_NEAR(quality_of(solid.tets).total_volume / signed_volume(surface), 1, 1e-12);
  const Boundary boundary = boundary_of(solid.tets);
  EXPECT_EQ(boundary.surface.triangles.size(), surface.triangles.size());
  EXPECT_NEAR(surface_area(boundary.surface) / surface_area(surface), 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, Animal,
                         testing::Values("bunny", "cactus", "cow", "dinosaur", "dog", "donut", "duck", "frog",
                                         "gummy_bear", "hippo", "octopus"),
                         [](const auto& animal) { return std::string(animal.param); });

TEST(Slivers, AThinTriangleOfTheSurfaceMeansALattice) {
  // One vertex lies almost on the edge opposite: no tet on that triangle can be soft.
  Surface ball = icosphere(1, 3);
  const Triangle t = ball.triangles[100];
  const Eigen::RowVector3d middle = (ball.points.row(t[1]) + ball.points.row(t[2])) / 2;
  ball.points.row(t[0]) = middle + 0.04 * (ball.points.row(t[0]) - middle);
  SolidOptions options;
  options.wanted_tets = 4000;
  const Solid solid = solidify(ball, options);
  EXPECT_LE(uneven(solid.tets), 10);
  options.method = SolidMethod::tetgen;
  const Solid forced = solidify(ball, options);
  EXPECT_GT(uneven(forced.tets), 10);
  EXPECT_NE(forced.notes.back().find("times as stiff as the median"), std::string::npos) << forced.notes.back();
}

TEST(Slivers, WhatTheUserAskedOfTetGenIsKept) {
  const Surface hippo = read_obj(std::filesystem::path(REBOUND_SOURCE_DIR) / "assets" / "meshes" / "hippo.obj");
  SolidOptions options;
  options.quality = 1.4;
  const Solid asked = solidify(hippo, options);
  TetgenOptions plain;
  plain.keep_boundary = true;
  const TetMesh tets = tetgen(hippo, plain);
  EXPECT_EQ(asked.tets.tetrahedra.size(), tets.tetrahedra.size());
  EXPECT_GT(uneven(asked.tets), 10);
}

}  // namespace
}  // namespace rebound::mesh
