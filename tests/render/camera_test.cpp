#include "render/camera.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace rebound::render {
namespace {

Camera example_camera() {
  Camera camera;
  camera.resize(1280, 720);
  camera.set_pose({Vec3(0.3f, 0.8f, -0.2f), 0.7f, 0.4f, 3.5f});
  return camera;
}

TEST(Camera, UnprojectedPixelProjectsBack) {
  const Camera camera = example_camera();
  std::mt19937 random(1);
  std::uniform_real_distribution<float> x(0, 1280), y(0, 720), depth(0.5f, 20);
  for (int i = 0; i < 1000; ++i) {
    const Vec2 pixel(x(random), y(random));
    const float expected_depth = depth(random);
    const Vec3 through = camera.eye() + expected_depth * camera.forward() + Vec3(0, 0, 0);
    const Projected projected = camera.project(camera.point_at_depth(pixel, through));
    EXPECT_LT((projected.pixel - pixel).norm(), 0.05f);
    EXPECT_NEAR(projected.depth, expected_depth, 1e-4f * expected_depth);
  }
}

TEST(Camera, ProjectionAgreesWithTheMatrices) {
  const Camera camera = example_camera();
  const Vec3 point(0.1f, 1.2f, 0.4f);
  const Vec4 clip = camera.view_projection() * point.homogeneous();
  const Vec2 expected(640 * (1 + clip.x() / clip.w()), 360 * (1 - clip.y() / clip.w()));
  EXPECT_LT((camera.project(point).pixel - expected).norm(), 0.01f);
  EXPECT_NEAR(clip.w(), camera.project(point).depth, 1e-4f);
}

TEST(Camera, HomeFromASideLooksFromThereAtTheWholeBox) {
  const Box box(Vec3(-1, -2, 0.5f), Vec3(3, 1, 0.5f));
  for (const Vec3& side : {Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(0, 0, -1), Vec3(0.48f, 0.6f, 0.64f)}) {
    Camera camera = example_camera();
    camera.home(box, side);
    camera.finish();
    EXPECT_LT((camera.forward() + side).norm(), 1e-5f);
    EXPECT_LT((camera.pose().target - box.center()).norm(), 1e-5f);
    for (int i = 0; i < 8; ++i) {
      const Projected corner = camera.project(box.corner(static_cast<Box::CornerType>(i)));
      EXPECT_GT(corner.pixel.minCoeff(), 0);
      EXPECT_LT(corner.pixel.x(), 1280);
      EXPECT_LT(corner.pixel.y(), 720);
    }
  }
}

TEST(Camera, TargetIsInTheMiddle) {
  const Camera camera = example_camera();
  EXPECT_LT((camera.project(camera.pose().target).pixel - Vec2(640, 360)).norm(), 0.01f);
  EXPECT_LT((camera.ray(Vec2(640, 360)).direction - camera.forward()).norm(), 1e-5f);
}

TEST(Camera, BehindTheEyeHasNegativeDepth) {
  const Camera camera = example_camera();
  EXPECT_LT(camera.project(camera.eye() - camera.forward()).depth, 0);
}

TEST(Camera, AxesAreRightHandedAndOfLengthOne) {
  const Camera camera = example_camera();
  EXPECT_LT((camera.right().cross(camera.up()) + camera.forward()).norm(), 1e-5f);
  EXPECT_NEAR(camera.up().norm(), 1, 1e-5f);
  EXPECT_GT(camera.up().y(), 0);
}

TEST(Camera, PanCarriesThePointWithTheCursor) {
  Camera camera = example_camera();
  const Vec3 grabbed(0.5f, 0.4f, 0.6f);
  const Vec2 from = camera.project(grabbed).pixel;
  const Vec2 to = from + Vec2(130, -77);
  camera.pan(from, to, grabbed);
  EXPECT_LT((camera.project(grabbed).pixel - to).norm(), 0.05f);
}

TEST(Camera, ZoomKeepsThePointUnderTheCursor) {
  for (const float factor : {0.5f, 0.9f, 1.3f, 4.0f}) {
    Camera camera = example_camera();
    const Vec3 under_cursor(-0.4f, 1.1f, 0.5f);
    const Vec2 cursor = camera.project(under_cursor).pixel;
    camera.zoom(factor, cursor, under_cursor);
    EXPECT_LT((camera.project(under_cursor).pixel - cursor).norm(), 0.05f);
    EXPECT_NEAR(camera.pose().distance, 3.5f * factor, 1e-4f);
  }
}

TEST(Camera, ZoomStaysWithinItsLimits) {
  Camera camera = example_camera();
  for (int i = 0; i < 300; ++i) camera.zoom(0.5f, Vec2(10, 700));
  EXPECT_GE(camera.pose().distance, Camera::min_distance);
  for (int i = 0; i < 300; ++i) camera.zoom(2, Vec2(10, 700));
  EXPECT_LE(camera.pose().distance, Camera::max_distance);
  EXPECT_TRUE(camera.pose().target.allFinite());
}

TEST(Camera, OrbitTurnsRoundTheTargetAndStopsAtThePole) {
  Camera camera = example_camera();
  camera.orbit({200, 5000});
  EXPECT_LT(camera.pose().pitch, 0.5f * std::numbers::pi_v<float>);
  EXPECT_NEAR((camera.eye() - camera.pose().target).norm(), 3.5f, 1e-4f);
  EXPECT_GT(camera.up().dot(Vec3::UnitY()), 0);
}

TEST(Camera, FrameShowsTheWholeBoxWhateverTheShapeOfTheWindow) {
  const Box box(Vec3(-2, 0, -0.5f), Vec3(1, 3, 0.5f));
  for (const auto& [width, height] : {std::pair{1280, 720}, {500, 900}, {2000, 200}, {60, 900}}) {
    Camera camera;
    camera.resize(width, height);
    camera.frame(box);
    camera.finish();
    for (int i = 0; i < 8; ++i) {
      const Projected corner = camera.project(box.corner(static_cast<Box::CornerType>(i)));
      EXPECT_GT(corner.depth, 0);
      EXPECT_GT(corner.pixel.x(), 0);
      EXPECT_LT(corner.pixel.x(), static_cast<float>(width));
      EXPECT_GT(corner.pixel.y(), 0);
      EXPECT_LT(corner.pixel.y(), static_cast<float>(height));
    }
  }
}

TEST(Camera, FrameIgnoresBoxesThatAreNone) {
  Camera camera = example_camera();
  camera.frame(Box());
  camera.finish();
  const float infinity = std::numeric_limits<float>::infinity();
  camera.frame(Box(Vec3(0, 0, 0), Vec3(1, infinity, 1)));
  camera.finish();
  EXPECT_EQ(camera.pose().distance, 3.5f);
}

TEST(Camera, TransitionIsSmoothAndArrives) {
  Camera camera = example_camera();
  camera.focus(Vec3(2, 0, 0));
  EXPECT_TRUE(camera.moving());
  Vec3 last = camera.pose().target;
  float longest_step = 0;
  while (camera.advance(1.0f / 60)) {
    longest_step = std::max(longest_step, (camera.pose().target - last).norm());
    last = camera.pose().target;
  }
  EXPECT_FALSE(camera.moving());
  EXPECT_EQ(camera.pose().target, Vec3(2, 0, 0));
  EXPECT_LT(longest_step, 0.25f);
  EXPECT_EQ(camera.pose().distance, 3.5f);
}

TEST(Camera, TransitionTurnsTheShortWay) {
  Camera camera = example_camera();
  CameraPose from = camera.pose(), to = camera.pose();
  from.yaw = 3.0f;
  to.yaw = -3.0f;
  camera.set_pose(from);
  camera.go_to(to);
  camera.advance(0.17f);
  EXPECT_GT(std::abs(camera.pose().yaw), 2.9f);
}

TEST(Camera, DraggingEndsATransition) {
  Camera camera = example_camera();
  camera.focus(Vec3(2, 0, 0));
  camera.advance(0.1f);
  camera.orbit({1, 0});
  EXPECT_FALSE(camera.moving());
}

TEST(Camera, PixelSizeMatchesProjection) {
  const Camera camera = example_camera();
  const Vec3 point(0.2f, 0.5f, 0.1f);
  const float size = camera.metres_per_pixel(point);
  const Vec2 moved = camera.project(point + 10 * size * camera.right()).pixel;
  EXPECT_NEAR((moved - camera.project(point).pixel).norm(), 10, 0.01f);
}

TEST(Camera, EmptyWindowsGiveFiniteMatrices) {
  Camera camera = example_camera();
  camera.resize(0, 0);
  EXPECT_TRUE(camera.view_projection().allFinite());
}

}  // namespace
}  // namespace rebound::render
