#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <random>

#include "mesh/geometry.hpp"
#include "mesh/inspect.hpp"
#include "mesh/intersect.hpp"
#include "mesh/polygon.hpp"
#include "mesh/surfaces.hpp"
#include "mesh/winding.hpp"

namespace rebound::mesh {
namespace {

using Eigen::Vector3d;

TEST(Measures, OfARegularTet) {
  Points points(4, 3);
  points << 1, 1, 1, -1, 1, -1, 1, -1, -1, -1, -1, 1;
  Tetrahedron tet{0, 1, 2, 3};
  if (tet_volume(points, tet) < 0) std::swap(tet[2], tet[3]);
  EXPECT_NEAR(tet_volume(points, tet), 8.0 / 3, 1e-14);
  EXPECT_NEAR(min_dihedral(points, tet), std::acos(1.0 / 3), 1e-14);
  const auto weights = barycentric(points, tet, Vector3d(0.1, 0.2, -0.05));
  Eigen::RowVector3d p = Eigen::RowVector3d::Zero();
  for (int k = 0; k < 4; ++k) p += weights[k] * points.row(tet[k]);
  EXPECT_LT((p - Eigen::RowVector3d(0.1, 0.2, -0.05)).norm(), 1e-15);
}

TEST(Measures, OfCubesAnywhere) {
  for (const double at : {0.0, 1e6}) {
    const Surface cube = cube_surface(2, Eigen::RowVector3d(at, at, at));
    EXPECT_NEAR(signed_volume(cube), 8, 1e-9);
    EXPECT_NEAR(surface_area(cube), 24, 1e-9);
    EXPECT_GT(thickness_of(cube), 0.5) << "along any axes";
  }
  Surface slab = icosphere(1, 3);
  slab.points.col(2) *= 1e-3;
  const double half = std::sqrt(0.5);
  slab.points *= Eigen::Matrix3d{{half, 0, half}, {0, 1, 0}, {-half, 0, half}};
  EXPECT_NEAR(thickness_of(slab), 1e-3, 1e-5) << "across, however it lies";
  EXPECT_EQ(thickness_of(grid_surface(1, 4)), 0);
}

TEST(Winding, IsOneInsideASphereAndZeroOutside) {
  const Surface ball = icosphere(1, 4);
  const Bvh tree(ball);
  const Winding winding(tree);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1.5, 1.5);
  double worst = 0;
  for (int i = 0; i < 500; ++i) {
    const Vector3d p(any(random), any(random), any(random));
    if (std::abs(p.norm() - 1) < 0.02) continue;
    EXPECT_NEAR(winding.exact_at(p), p.norm() < 1 ? 1 : 0, 1e-10);
    worst = std::max(worst, std::abs(winding.at(p) - winding.exact_at(p)));
  }
  EXPECT_LT(worst, 0.03) << "the dipoles are too coarse";
  EXPECT_GT(worst, 0) << "no dipole was used";
}

TEST(Winding, OfAHalfSphereIsTheShareOfTheSkySeen) {
  const Surface half = cut_sphere(1, 5, 0);
  const Bvh tree(half);
  EXPECT_NEAR(Winding(tree).at(Vector3d::Zero()), 0.5, 0.02);
  Surface turned = icosphere(1, 2);
  turn_all(turned);
  const Bvh turned_tree(turned);
  EXPECT_NEAR(Winding(turned_tree).at(Vector3d::Zero()), -1, 0.03);
}

TEST(Intersect, SegmentsAndTriangles) {
  const Vector3d a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  EXPECT_TRUE(segment_meets_triangle({0.2, 0.2, -1}, {0.2, 0.2, 1}, a, b, c));
  EXPECT_FALSE(segment_meets_triangle({0.8, 0.8, -1}, {0.8, 0.8, 1}, a, b, c));
  EXPECT_FALSE(segment_meets_triangle({0.2, 0.2, 1e-12}, {0.2, 0.2, 1}, a, b, c));
  EXPECT_TRUE(segment_meets_triangle({0.2, 0.2, 0}, {0.2, 0.2, 1}, a, b, c)) << "touching counts";
  EXPECT_TRUE(segment_meets_triangle({0.5, 0.5, -1}, {0.5, 0.5, 1}, a, b, c)) << "the edge counts";
  EXPECT_TRUE(segment_meets_triangle({-1, 0.2, 0}, {2, 0.2, 0}, a, b, c)) << "in its plane";
  EXPECT_FALSE(segment_meets_triangle({-1, 1.2, 0}, {2, 1.2, 0}, a, b, c));
}

TEST(Intersect, OrientationIsExactWhereRoundingIsNot) {
  // A point a hair above a slanted plane: the plain determinant is all rounding.
  const Vector3d a(12, 12, 12), b(24, 24, 24.5), c(-7, 3, 5);
  const Vector3d on = a + 0.25 * (b - a) + 0.5 * (c - a);
  EXPECT_EQ(orientation(a, b, c, on), 0);
  for (int axis = 0; axis < 3; ++axis) {
    Vector3d above = on, below = on;
    above[axis] = std::nextafter(on[axis], 1e9);
    below[axis] = std::nextafter(on[axis], -1e9);
    EXPECT_NE(orientation(a, b, c, above), 0);
    EXPECT_EQ(orientation(a, b, c, above), -orientation(a, b, c, below));
  }
}

TEST(SelfIntersections, OfGoodSurfacesAreNone) {
  EXPECT_EQ(self_intersections(icosphere(1, 3)).count, 0);
  EXPECT_EQ(self_intersections(grid_surface(1, 20)).count, 0);
  EXPECT_EQ(self_intersections(cube_surface()).count, 0);
  EXPECT_EQ(self_intersections(together(cube_surface(), cube_surface(1, Eigen::RowVector3d(1.001, 0, 0)))).count, 0);
}

TEST(SelfIntersections, OfTwoCrossingCubesAreFoundAndNamed) {
  const Surface crossing = together(cube_surface(), cube_surface(1, Eigen::RowVector3d(0.5, 0.45, 0.4)));
  const SelfIntersections found = self_intersections(crossing, {}, 3);
  // Three faces of each cross three of the other along a closed line of six bends; each face is two triangles.
  EXPECT_GE(found.count, 6);
  EXPECT_LE(found.count, 36);
  ASSERT_EQ(found.first.size(), 3u);
  for (const auto& [a, b] : found.first) {
    EXPECT_LT(a, 12);
    EXPECT_GE(b, 12);
  }
}

TEST(SelfIntersections, AreFoundInTime) {
  const auto seconds = [](const Surface& surface) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(self_intersections(surface).count, 0);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double small = seconds(icosphere(1, 3)), large = seconds(icosphere(1, 6)), flat = seconds(grid_surface(1, 187));
  // A slanted plane is where plain rounding decides nothing.
  Surface slanted = grid_surface(1, 187);
  slanted.points.col(2) = 0.3 * slanted.points.col(0) + 0.1 * slanted.points.col(1);
  const auto start = std::chrono::steady_clock::now();
  self_intersections(slanted);
  const double slant = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (kTimed) {
    EXPECT_LT(small, 0.15) << "1,280 faces";
    EXPECT_LT(large, 3) << "81,920 faces";
    EXPECT_LT(flat, 3) << "69,938 faces in a plane";
    EXPECT_LT(slant, 3) << "69,938 faces in a slanted plane";
  }
  std::printf("  %.4f s, %.3f s, %.3f s, %.3f s\n", small, large, flat, slant);
}

TEST(SelfIntersections, SeeFoldsAndTouchingParts) {
  Surface fold;
  fold.points.resize(4, 3);
  fold.points << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.5, 0;
  fold.triangles = {{0, 1, 2}, {1, 0, 3}};
  EXPECT_EQ(self_intersections(fold).count, 1) << "two triangles folded onto each other";
  fold.points(3, 1) = -0.5;
  EXPECT_EQ(self_intersections(fold).count, 0) << "two triangles side by side";
  fold.points.row(3) << 0.2, 0.5, 1e-9;
  EXPECT_EQ(self_intersections(fold).count, 0) << "nearly folded";
}

TEST(Topology, CountsWhatIsOdd) {
  const Topology good = topology_of(together(icosphere(1, 2), cube_surface(1, Eigen::RowVector3d(5, 0, 0))));
  EXPECT_EQ(good.components, 2);
  EXPECT_TRUE(good.closed() && good.manifold() && good.oriented());

  const Topology open = topology_of(cut_sphere(1, 3, 0.5));
  ASSERT_EQ(open.holes.size(), 1u);
  EXPECT_EQ(open.holes[0].size(), open.open_edges.size());

  Surface book = grid_surface(1, 1);  // two triangles, and a third at their common edge
  book.points.conservativeResize(5, 3);
  book.points.row(4) << 0, 0, 1;
  book.triangles.push_back({0, 3, 4});
  EXPECT_EQ(topology_of(book).non_manifold_edges, (std::vector<Edge>{{0, 3}}));

  Surface odd = icosphere(1, 1);
  std::swap(odd.triangles[7][0], odd.triangles[7][1]);
  odd.triangles.push_back(odd.triangles[3]);
  odd.triangles.push_back({0, 0, 1});
  const Topology topology = topology_of(odd);
  EXPECT_EQ(topology.duplicate_triangles, (std::vector<int>{80}));
  EXPECT_EQ(topology.degenerate_triangles, (std::vector<int>{81}));
  EXPECT_GE(topology.clashing_edges, 2);

  Surface hourglass = together(cube_surface(), cube_surface(1, Eigen::RowVector3d::Ones()));
  for (auto& t : hourglass.triangles)
    for (int& v : t)
      if (v == 8) v = 7;  // the corner where they touch
  EXPECT_EQ(topology_of(hourglass).non_manifold_vertices, (std::vector<int>{7}));
}

TEST(Embedding, ReproducesPointsAndLinearMaps) {
  Points points(4, 3);
  points << 0, 0, 0, 1, 0.1, 0, 0, 2, 0.3, 0.2, 0.1, 1;
  Embedding embedding;
  Points wanted(20, 3);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-1, 2);
  for (int i = 0; i < 20; ++i) {
    wanted.row(i) << any(random), any(random), any(random);
    embedding.vertices.push_back({0, 1, 2, 3});
    embedding.weights.push_back(barycentric(points, {0, 1, 2, 3}, wanted.row(i).transpose()));
  }
  EXPECT_LT((embedding.apply(points) - wanted).cwiseAbs().maxCoeff(), 1e-12);
  Eigen::Matrix3d map;
  map << 1, 2, 3, 0, -1, 1, 2, 0, 5;
  const Eigen::RowVector3d shift(1, 2, 3);
  const Points mapped = (points * map).rowwise() + shift, expected = (wanted * map).rowwise() + shift;
  EXPECT_LT((embedding.apply(mapped) - expected).cwiseAbs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace rebound::mesh
