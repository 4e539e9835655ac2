#include "app/visibility.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rebound::app {
namespace {

/// A grid of n x n points across 1 m, facing +z, at that depth.
struct Sheet {
  std::vector<float> positions;
  std::vector<render::Triangle> triangles;

  Sheet(int n, float size, float z) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (const float v : {size * (static_cast<float>(i) / static_cast<float>(n - 1) - 0.5f),
                              size * (static_cast<float>(j) / static_cast<float>(n - 1) - 0.5f), z})
          positions.push_back(v);
    for (int j = 0; j + 1 < n; ++j)
      for (int i = 0; i + 1 < n; ++i) {
        const int a = j * n + i;
        triangles.push_back({a, a + 1, a + n + 1});
        triangles.push_back({a, a + n + 1, a + n});
      }
  }
};

render::Camera camera() {
  render::Camera camera;
  camera.resize(400, 400);
  render::CameraPose pose;
  pose.yaw = 0;
  pose.pitch = 0;
  pose.distance = 4;
  camera.set_pose(pose);
  return camera;
}

TEST(Visibility, WhatLiesBehindIsNotSeen) {
  const Sheet front(9, 1, 0.5f), back(9, 0.5f, -0.5f);
  const DrawnSurface surfaces[] = {{front.positions, front.triangles}, {back.positions, back.triangles}};
  const auto visible = visible_points(camera(), surfaces, {{0, 0}, {400, 400}});
  EXPECT_EQ(visible[0].size(), 81u);
  EXPECT_TRUE(visible[1].empty());
}

TEST(Visibility, OnlyWhatIsInsideTheBox) {
  const Sheet sheet(11, 1, 0);
  const DrawnSurface surfaces[] = {{sheet.positions, sheet.triangles}};
  const auto left = visible_points(camera(), surfaces, {{199, 400}, {0, 0}});
  EXPECT_EQ(left[0].size(), 55u);
  EXPECT_TRUE(std::all_of(left[0].begin(), left[0].end(), [](int i) { return i % 11 < 5; }));
  EXPECT_TRUE(visible_points(camera(), surfaces, {{0, 0}, {1, 1}})[0].empty());
}

// Ten tetrahedra in a row along x, and the same behind them: depth does not matter, the middle does.
TEST(Visibility, TetrahedraCountWhereTheirMiddleIsSeen) {
  std::vector<float> positions;
  std::vector<std::array<int, 4>> tetrahedra;
  for (const float z : {0.0f, -1.0f})
    for (int i = 0; i < 10; ++i) {
      const float x = 0.1f * static_cast<float>(i) - 0.45f, r = 0.04f;
      const int first = static_cast<int>(positions.size() / 3);
      for (const float v : {x - r, -r, z - r, x + r, -r, z + r, x - r, r, z + r, x + r, r, z - r})
        positions.push_back(v);
      tetrahedra.push_back({first, first + 1, first + 2, first + 3});
    }
  const auto left = tetrahedra_in(camera(), positions, tetrahedra, {{200, 400}, {0, 0}});
  EXPECT_EQ(left, (std::vector<int>{0, 1, 2, 3, 4, 10, 11, 12, 13, 14}));
  EXPECT_EQ(tetrahedra_in(camera(), positions, tetrahedra, {{0, 0}, {400, 400}}).size(), 20u);
  EXPECT_TRUE(tetrahedra_in(camera(), positions, tetrahedra, {{0, 0}, {400, 150}}).empty());
}

TEST(Visibility, OfANetEverythingIsSeen) {
  const Sheet net(5, 1, 0);
  const DrawnSurface surfaces[] = {{net.positions, {}}};
  EXPECT_EQ(visible_points(camera(), surfaces, {{0, 0}, {400, 400}})[0].size(), 25u);
}

}  // namespace
}  // namespace rebound::app
