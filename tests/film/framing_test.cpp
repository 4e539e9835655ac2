// What a motion takes is to be seen, whatever lies over the picture.
#include "film/framing.hpp"

#include <gtest/gtest.h>

#include <string>

#include "scene/build.hpp"
#include "scene/parse.hpp"

namespace rebound::test {
namespace {

using render::Box;
using render::Camera;
using render::Vec2;
using render::Vec3;

struct Seen {
  Vec2 least = Vec2::Constant(INFINITY), most = Vec2::Constant(-INFINITY);
};

Seen seen(const Camera& camera, const Box& room) {
  Seen s;
  for (int i = 0; i < 8; ++i) {
    const Vec2 at = camera.project(room.corner(static_cast<Box::CornerType>(i))).pixel;
    s.least = s.least.cwiseMin(at);
    s.most = s.most.cwiseMax(at);
  }
  return s;
}

TEST(Framing, FillsWhatNothingLiesOver) {
  for (const Box& room : {Box(Vec3(-3, -1, -4), Vec3(4, 5, 1)), Box(Vec3(-1, 0, -1), Vec3(1, 12, 1)),
                          Box(Vec3(-9, 0, 2), Vec3(9, 0.5, 3))})
    for (const auto& [width, height] : {std::pair{415, 206}, {280, 410}, {1600, 900}})
      for (const float covered : {0.0f, 0.15f, 0.3f, 0.4f}) {
        Camera camera;
        camera.resize(width, height);
        constexpr float kFilled = 0.88f;
        camera.set_pose(film::fitted(camera, room, kFilled, covered));
        const Seen s = seen(camera, room);
        const Vec2 half(0.5f * width, 0.5f * (1 - covered) * height),
            middle(0.5f * width, 0.5f * (1 + covered) * height);
        const float reach = std::max((s.most - middle).cwiseQuotient(half).maxCoeff(),
                                     (middle - s.least).cwiseQuotient(half).maxCoeff());
        EXPECT_NEAR(reach, kFilled, 0.01) << width << " x " << height << ", " << covered;
      }
}

TEST(Framing, TheFollowerGoesToWhereAMotionIsSeenWhole) {
  Camera camera;
  camera.resize(415, 206);
  const Box home(Vec3(-1, 0, -1), Vec3(1, 2, 1)), all(Vec3(-1, -1, -1), Vec3(2, 5, 1)),
      now(Vec3(1, 4, 0), Vec3(2, 5, 1));
  film::Follower follower;
  follower.begin(home);
  int steps = 0;
  while (follower.follow(camera, all, now, 0.02f, 0.3f)) ASSERT_LT(++steps, 500);
  const Seen s = seen(camera, all);
  EXPECT_GT(s.least.y(), 0.3f * 206);
  EXPECT_LT(s.most.y(), 206);
  EXPECT_GT(s.least.x(), 0);
  EXPECT_LT(s.most.x(), 415);
}

// Of eight cubes that fly apart, the one that is thrown far is left, and most of them stay in sight.
TEST(Framing, WhatHasScatteredIsSeenWhereMostOfItIs) {
  const scene::World world = scene::load_world(scene::parse_scene(
      R"({"rebound": 1, "bodies": [{"mesh": {"box": {"size": [0.1, 0.1, 0.1], "divisions": [1, 1, 1]}},
                                    "repeat": {"counts": [8, 1, 1], "spacing": [0.2, 1, 1]}}]})",
      "cubes", "."));
  ASSERT_EQ(world.bodies.size(), 8u);
  session::Snapshot moment;
  for (int b = 0; b < 8; ++b) {
    std::vector<float> surface;
    for (const float x : {0.0f, 0.1f})
      for (const float y : {0.0f, 0.1f}) surface.insert(surface.end(), {0.2f * static_cast<float>(b) + x, y, 0});
    moment.surfaces.push_back(surface);
  }
  film::MotionRoom room(world.bodies, moment);
  ASSERT_TRUE(room.take(moment));
  const float width = room.now().sizes().x();
  EXPECT_NEAR(width, 1.5f, 1e-5f);
  for (std::size_t i = 0; i < moment.surfaces[7].size(); i += 3) moment.surfaces[7][i] += 30;
  ASSERT_TRUE(room.take(moment));
  EXPECT_NEAR(room.now().sizes().x(), 1.3f, 1e-5f);
  EXPECT_GT(room.all().sizes().x(), 30);
}

// A chain that lies folded runs out to many times its size, and is followed; one that is torn is not.
TEST(Framing, WhatUnrollsHasNotExploded) {
  constexpr int kLinks = 40;
  std::string vertices, edges;
  for (int i = 0; i <= kLinks; ++i) {
    vertices += (i ? ",[" : "[") + std::to_string(0.1 * (i % 2)) + "," + std::to_string(1e-3 * i) + ",0]";
    if (i > 0) edges += (i > 1 ? ",[" : "[") + std::to_string(i - 1) + "," + std::to_string(i) + "]";
  }
  const scene::World world = scene::load_world(
      scene::parse_scene(R"({"rebound": 1, "bodies": [{"material": {"model": "springs"}, "mesh": {"vertices": [)" +
                             vertices + R"(], "edges": [)" + edges + "]}}]}",
                         "chain", "."));
  session::Snapshot moment;
  moment.surfaces.emplace_back();
  for (int i = 0; i <= kLinks; ++i)
    for (const double c : {0.1 * (i % 2), 1e-3 * i, 0.0}) moment.surfaces[0].push_back(static_cast<float>(c));
  film::MotionRoom room(world.bodies, moment);
  EXPECT_TRUE(room.take(moment));
  for (int i = 0; i <= kLinks; ++i) {
    moment.surfaces[0][3 * i] = 0;
    moment.surfaces[0][3 * i + 1] = -0.1f * static_cast<float>(i);
  }
  EXPECT_TRUE(room.take(moment));
  EXPECT_NEAR(room.now().sizes().y(), 0.1 * kLinks, 1e-4);
  moment.surfaces[0][3 * kLinks + 1] -= 1;
  EXPECT_FALSE(room.take(moment)) << "one link is ten times as long";
  moment.surfaces[0][3 * kLinks + 1] = INFINITY;
  EXPECT_FALSE(room.take(moment));
}

}  // namespace
}  // namespace rebound::test
