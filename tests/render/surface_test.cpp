#include "render/surface.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "render/shapes.hpp"

namespace rebound::render {
namespace {

constexpr float forty_degrees = 0.7f;

std::vector<ShadedVertex> shaded(const ShadedSurface& surface, const Shape& shape) {
  std::vector<ShadedVertex> vertices;
  shade(surface, shape.positions, vertices);
  return vertices;
}

TEST(Surface, ACubeHasFlatFacesAndCrispEdges) {
  const Shape cube = make_box(Vec3::Ones(), 6);
  const ShadedSurface surface = split_creases(cube.positions, cube.triangles, forty_degrees);
  // Six faces of 7 x 7 vertices, none shared.
  EXPECT_EQ(surface.source.size(), 6u * 49u);
  for (const ShadedVertex& vertex : shaded(surface, cube)) {
    const Vec3 normal(vertex.normal.data());
    EXPECT_NEAR(normal.cwiseAbs().maxCoeff(), 1, 1e-5f);
  }
}

TEST(Surface, ASphereStaysWhole) {
  const Shape sphere = make_sphere(1, 10);
  const ShadedSurface surface = split_creases(sphere.positions, sphere.triangles, forty_degrees);
  EXPECT_EQ(surface.source.size(), sphere.positions.size() / 3);
  for (const ShadedVertex& vertex : shaded(surface, sphere)) {
    EXPECT_GT(Vec3(vertex.normal.data()).dot(Vec3(vertex.position.data())), 0.98f);
  }
}

TEST(Surface, ASheetStaysWhole) {
  const Shape sheet = make_sheet(1, 1, 5, 5);
  EXPECT_EQ(split_creases(sheet.positions, sheet.triangles, forty_degrees).source.size(), 36u);
}

TEST(Surface, RoughnessIsNoCrease) {
  Shape scan = make_sphere(1, 24);
  std::mt19937 random(2);
  std::uniform_real_distribution<float> noise(0.97f, 1.03f);
  for (std::size_t i = 0; i < scan.positions.size(); i += 3)
    Eigen::Map<Vec3>(scan.positions.data() + i) *= noise(random);
  const ShadedSurface surface = split_creases(scan.positions, scan.triangles, forty_degrees);
  EXPECT_LT(surface.source.size(), scan.positions.size() / 3 * 11 / 10);
}

TEST(Surface, AFoldFromBorderToBorderIsACrease) {
  Shape roof = make_sheet(2, 2, 4, 4);
  for (std::size_t i = 0; i < roof.positions.size(); i += 3) roof.positions[i + 1] = -std::abs(roof.positions[i]);
  const ShadedSurface surface = split_creases(roof.positions, roof.triangles, forty_degrees);
  EXPECT_EQ(surface.source.size(), 25u + 5u) << "the ridge's five vertices are doubled";
}

TEST(Surface, TrianglesKeepTheirOrder) {
  const Shape cube = make_box(Vec3::Ones(), 2);
  const ShadedSurface surface = split_creases(cube.positions, cube.triangles, forty_degrees);
  for (std::size_t t = 0; t < cube.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(static_cast<int>(surface.source[surface.triangles[t][k]]), cube.triangles[t][k]);
    }
  }
}

TEST(Surface, RefusesIndicesOutOfRange) {
  const std::vector<float> one_point = {0, 0, 0};
  const std::vector<Triangle> beyond = {{0, 0, 1}}, negative = {{0, -1, 0}};
  EXPECT_THROW(split_creases(one_point, beyond, forty_degrees), std::invalid_argument);
  EXPECT_THROW(split_creases(one_point, negative, forty_degrees), std::invalid_argument);
}

TEST(Surface, NormalsStayFiniteWhateverThePositions) {
  Shape sphere = make_sphere(1, 4);
  sphere.positions[4] = std::numeric_limits<float>::quiet_NaN();
  sphere.positions[9] = std::numeric_limits<float>::infinity();
  for (std::size_t i = 30; i < 90; ++i) sphere.positions[i] = 0;
  const ShadedSurface surface = split_creases(make_sphere(1, 4).positions, sphere.triangles, forty_degrees);
  for (const ShadedVertex& vertex : shaded(surface, sphere)) EXPECT_NEAR(Vec3(vertex.normal.data()).norm(), 1, 1e-4f);
}

TEST(Surface, BoundsLeaveOutWhatIsNotFinite) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> positions = {0, 0, 0, 1, 2, 3, infinity, 0, 0, -1, 0, 0};
  const Box box = bounds_of(positions);
  EXPECT_EQ(box.min(), Vec3(-1, 0, 0));
  EXPECT_EQ(box.max(), Vec3(1, 2, 3));
  EXPECT_TRUE(bounds_of({}).isEmpty());
}

TEST(Surface, SeventyThousandTrianglesAreQuick) {
  const Shape shape = make_sphere(1, 76);
  const ShadedSurface surface = split_creases(shape.positions, shape.triangles, forty_degrees);
  std::vector<ShadedVertex> vertices;
  double best = 1e9;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    shade(surface, shape.positions, vertices);
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  std::printf("normals: %.2f ms for %zu triangles\n", best, shape.triangles.size());
#if defined(NDEBUG) && !defined(REBOUND_SANITIZED)
  EXPECT_LT(best, 2.0);
#endif
}

}  // namespace
}  // namespace rebound::render
