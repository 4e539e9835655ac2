#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/new_obstacle.hpp"
#include "mesh/error.hpp"
#include "scene/part_text.hpp"

namespace rebound::app {
namespace {

const render::Box kBodies(render::Vec3(-1, 0, -2), render::Vec3(1, 4, 2));

TEST(NewObstacle, IsOneThatASceneCanHaveWhateverTheBodies) {
  const render::Box nothing, point(render::Vec3::Zero(), render::Vec3::Zero()),
      speck(render::Vec3::Zero(), render::Vec3::Constant(1e-3f)),
      huge(render::Vec3::Zero(), render::Vec3::Constant(3e4f));
  for (const auto kind :
       {ObstacleKind::floor, ObstacleKind::sphere, ObstacleKind::box, ObstacleKind::capsule, ObstacleKind::torus})
    for (const render::Box& bodies : {nothing, point, speck, huge, kBodies})
      EXPECT_NO_THROW(scene::check_obstacle(new_obstacle(kind, bodies, {0.1f, 0.2f, 0.3f}))) << name_of(kind);
}

TEST(NewObstacle, HasASizeLikeTheBodiesAndIsPutWhereItIsWanted) {
  const auto sphere = new_obstacle(ObstacleKind::sphere, kBodies, {1, 2, 3});
  const double radius = std::get<scene::SphereShape>(sphere.shape).radius;
  EXPECT_NEAR(radius, 0.16 * 6, 0.01);
  EXPECT_EQ(sphere.transform.translate, (scene::Vec3{1, 2, 3}));
  const auto floor = new_obstacle(ObstacleKind::floor, kBodies, {1, -2, 3});
  EXPECT_EQ(floor.transform.translate, (scene::Vec3{0, -2, 0}));
}

TEST(NewObstacle, AFileIsScaledAndItsMiddlePutThere) {
  const auto file = std::filesystem::temp_directory_path() / "rebound_new_obstacle.obj";
  // From 100 to 700 along x, 0 to 200 and 0 to 300: a diagonal of 700.
  std::ofstream(file) << "v 100 0 0\nv 700 0 0\nv 100 200 0\nv 100 0 300\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  const auto obstacle = new_obstacle(file, kBodies, {1, 2, 3});
  std::filesystem::remove(file);
  const double scale = obstacle.transform.scale;
  EXPECT_NEAR(scale * 700, 0.5 * 6, 0.05);
  const scene::Vec3 middle{400, 100, 150};
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(obstacle.transform.translate[c] + scale * middle[c], static_cast<double>(c) + 1, 1e-9);
  EXPECT_THROW(new_obstacle("/no/such.obj", kBodies, {0, 0, 0}), InputError);
}

}  // namespace
}  // namespace rebound::app
