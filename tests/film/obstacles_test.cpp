// What is drawn of an obstacle is what bodies bump into: the triangles lie on the shape, and their normals look out of
// it.
#include "film/obstacles.hpp"

#include <gtest/gtest.h>

#include <string>

#include "sim/collide/surface_distance.hpp"

namespace rebound::test {
namespace {

sim::Shape as_triangles(const sim::Shape& shape) {
  const render::Shape drawn = film::triangles_of(shape);
  sim::Points points(static_cast<Eigen::Index>(drawn.positions.size() / 3), 3);
  for (Eigen::Index i = 0; i < points.rows(); ++i)
    for (Eigen::Index c = 0; c < 3; ++c) points(i, c) = drawn.positions[static_cast<std::size_t>(3 * i + c)];
  std::string reason;
  auto surface = sim::SurfaceDistance::make(points, drawn.triangles, reason);
  EXPECT_TRUE(surface) << reason;
  return sim::TriangleSolid{std::move(surface)};
}

TEST(DrawnObstacles, AreWhereBodiesBumpIntoThem) {
  for (const sim::Shape& shape :
       {sim::Shape(sim::Sphere{0.7}), sim::Shape(sim::Box{{0.3, 0.5, 0.9}}), sim::Shape(sim::Capsule{0.3, 0.8}),
        sim::Shape(sim::Torus{0.8, 0.25}), as_triangles(sim::Torus{0.8, 0.25})}) {
    const render::Shape drawn = film::triangles_of(shape);
    ASSERT_FALSE(drawn.triangles.empty());
    const auto corner = [&](int v) {
      const float* p = drawn.positions.data() + 3 * static_cast<std::size_t>(v);
      return sim::Vec3(p[0], p[1], p[2]);
    };
    for (const auto& t : drawn.triangles) {
      const sim::Vec3 a = corner(t[0]), b = corner(t[1]), c = corner(t[2]), middle = (a + b + c) / 3;
      for (const sim::Vec3& p : {a, b, c}) EXPECT_NEAR(sim::nearest(shape, p).distance, 0, 1e-6) << shape.index();
      // A chord of a curve lies a little inside.
      const sim::Nearest at = sim::nearest(shape, middle);
      EXPECT_LE(at.distance, 1e-6) << shape.index();
      EXPECT_GE(at.distance, -0.01) << shape.index();
      EXPECT_GT((b - a).cross(c - a).dot(at.normal), 0) << shape.index();
    }
  }
  EXPECT_TRUE(film::triangles_of(sim::Plane{}).triangles.empty());
}

// What rests on a solid is a little sunk in, and is seen whole all the same.
TEST(DrawnObstacles, MayBeDrawnWithinThemselves) {
  constexpr double skin = 2e-3;
  for (const sim::Shape& shape :
       {sim::Shape(sim::Sphere{0.7}), sim::Shape(sim::Box{{0.3, 0.5, 0.9}}), sim::Shape(sim::Capsule{0.3, 0.8}),
        sim::Shape(sim::Torus{0.8, 0.25}), as_triangles(sim::Torus{0.8, 0.25})}) {
    const render::Shape drawn = film::triangles_of(shape, skin);
    for (std::size_t i = 0; i + 2 < drawn.positions.size(); i += 3) {
      const sim::Vec3 p(drawn.positions[i], drawn.positions[i + 1], drawn.positions[i + 2]);
      EXPECT_NEAR(sim::nearest(shape, p).distance, -skin, 0.02 * skin) << shape.index();
    }
  }
  // Something thin stays what it is.
  const render::Shape card = film::triangles_of(sim::Box{{0.5, 1e-3, 0.5}}, skin);
  for (std::size_t i = 1; i < card.positions.size(); i += 3) EXPECT_GE(std::abs(card.positions[i]), 0.9e-3);
}

}  // namespace
}  // namespace rebound::test
