// How traced paths are drawn, as data: the circles and dots are where they should be.
#include "film/traces.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/worlds.hpp"

namespace rebound::film {
namespace {

using render::Vec3;

session::Snapshot with_circles(std::vector<session::TraceCircle> circles) {
  session::Snapshot moment;
  moment.traces.push_back({0, {{1, 0, 0}}, std::move(circles)});
  return moment;
}

/// `count` states on a line, half a metre apart.
session::Snapshot with_states(int count) {
  session::Snapshot moment;
  moment.traces.push_back({2, {}, {}});
  for (int i = 0; i < count; ++i) moment.traces[0].points.emplace_back(0.5 * i, 1, 2);
  return moment;
}

TEST(TracePicture, CirclesHaveTheirRadiusAndPlane) {
  const session::TraceCircle circles[] = {{{0, 0, 0}, {0, 0, 1}, 1.5},
                                          {{0.25, -0.5, 0.125}, sim::Vec3(1, -2, 3).normalized(), 0.75},
                                          {{0, 1, 0}, {0, -1, 0}, std::sqrt(2.0)}};
  for (const auto& circle : circles) {
    render::View view;
    add_traces(with_circles({circle}), view);
    ASSERT_EQ(view.trails.size(), 2u) << "a circle and a path";
    const auto& drawn = view.trails[0];
    EXPECT_FALSE(drawn.fades);
    EXPECT_EQ(drawn.color, view.theme->circle);
    const Vec3 centre = circle.centre.cast<float>(), normal = circle.normal.cast<float>();
    EXPECT_EQ(drawn.points.front(), drawn.points.back()) << "closed";
    double turned = 0;
    for (std::size_t i = 0; i < drawn.points.size(); ++i) {
      const Vec3 spoke = drawn.points[i] - centre;
      ASSERT_NEAR(spoke.norm(), circle.radius, 1e-6);
      ASSERT_NEAR(spoke.dot(normal), 0, 1e-6);
      if (i > 0) turned += std::asin(spoke.cross(drawn.points[i - 1] - centre).norm() / spoke.squaredNorm());
    }
    EXPECT_NEAR(turned, 2 * std::numbers::pi, 1e-3) << "once round";
    // A chord stays this near to the arc: no corner is seen.
    const auto corners = static_cast<double>(drawn.points.size() - 1);
    EXPECT_LT(1 - std::cos(std::numbers::pi / corners), 1e-3);
  }
}

TEST(TracePicture, EveryStateHasADotButTheLastWhichHasTheBall) {
  for (const int count : {1, 2, 3, 2000}) {
    const session::Snapshot moment = with_states(count);
    render::View view;
    add_traces(moment, view);
    ASSERT_EQ(view.markers.size(), static_cast<std::size_t>(count - 1));
    for (std::size_t i = 0; i < view.markers.size(); ++i) {
      ASSERT_EQ(view.markers[i].position, moment.traces[0].points[i].cast<float>());
      ASSERT_FALSE(view.markers[i].glossy);
      ASSERT_EQ(view.markers[i].color.with_alpha(1), view.theme->series[2]) << "in the colour of its body";
      ASSERT_GE(view.markers[i].color.a, view.markers[i == 0 ? 0 : i - 1].color.a) << "old ones pale";
    }
    ASSERT_EQ(view.trails.size(), 1u);
    EXPECT_TRUE(view.trails[0].fades);
    EXPECT_EQ(view.trails[0].points.back(), moment.traces[0].points.back().cast<float>());
    EXPECT_LE(view.trails[0].points.size(), static_cast<std::size_t>(count));
    EXPECT_GE(view.trails[0].points.size(), static_cast<std::size_t>(std::min(count, 3)));
  }
}

TEST(TracePicture, TheRoomHoldsTheCirclesAndAMargin) {
  EXPECT_TRUE(room_for_traces(with_states(5)).isEmpty());
  const render::Box room = room_for_traces(with_circles({{{0, 1, 0}, {0, 0, 1}, 2}, {{0, -1, 0}, {0, 0, -1}, 2}}));
  EXPECT_LT((room.center() - Vec3(0, 0, 0)).norm(), 1e-6);
  EXPECT_GT(room.max().x(), 2 * 1.2f);
  EXPECT_LT(room.max().x(), 2 * 2.0f);
  EXPECT_NEAR(room.max().y(), room.max().x() + 1, 1e-5);
  EXPECT_NEAR(room.max().z(), 0, 1e-3) << "flat, as they are";
}

TEST(TracePicture, AFigureIsFlatAndSeenFromInFront) {
  EXPECT_FALSE(figure_plane(with_states(5)));
  // Whichever way round it turns, z comes towards the reader.
  for (const double turn : {1.0, -1.0}) {
    const auto plane = figure_plane(with_circles({{{3, 1, 0.5}, {0, 0, turn}, 2}, {{0, -1, 0.5}, {0, 0, -1}, 1}}));
    ASSERT_TRUE(plane);
    EXPECT_EQ(plane->normal, Vec3(0, 0, 1));
    EXPECT_EQ(plane->offset, 0.5f);
  }
  EXPECT_FALSE(figure_plane(with_circles({{{0, 0, 0}, {0, 0, 1}, 1}, {{0, 0, 0}, {0, 1, 0}, 1}}))) << "two planes";
  EXPECT_FALSE(figure_plane(with_circles({{{0, 0, 0}, {0, 0, 1}, 1}, {{0, 0, 1}, {0, 0, 1}, 1}}))) << "two heights";
}

TEST(TracePicture, ABodyWithThicknessIsNoFigure) {
  auto moment = with_circles({{{0, 0, 0}, {0, 0, 1}, 1}});
  moment.surfaces = {{0, 0, 0, 1, 0, 0, 5, -7, 0}};
  EXPECT_TRUE(figure_plane(moment));
  moment.surfaces[0].back() = 0.1f;
  EXPECT_FALSE(figure_plane(moment));
}

TEST(TracePicture, ShowsTheSpringOfFigure2AsTheSessionHasIt) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.integrator.type = "implicit-midpoint";
  d.solver = {"newton", 50, {}};
  scene::Body body;
  body.mesh = scene::InlineMesh{{{0, 0, 0}, {1.5, 0, 0}}, {{0, 1}}, {}};
  body.material.model = "springs";
  body.material.law = "squared";
  body.material.stiffness = 1e5;
  body.material.restLengths = {1};
  body.masses = {0.5, 0.5};
  body.velocities = {{0, 0, 0}, {0, 10, 0}};
  body.fixed = std::vector<int>{0};
  body.traces = {{1, {0}}};
  d.bodies = {body};
  session::Session session = test::open(d);
  session::Snapshot moment;
  session::look(session, moment);
  const auto plane = figure_plane(moment);
  ASSERT_TRUE(plane);
  EXPECT_EQ(plane->normal, Vec3(0, 0, 1));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(session.step());
  session::look(session, moment);
  render::View view;
  add_traces(moment, view);
  EXPECT_EQ(view.markers.size(), 10u);
  EXPECT_EQ(view.markers[0].position, Vec3(1.5f, 0, 0));
  for (const Vec3& point : view.trails[0].points) EXPECT_NEAR(point.norm(), 1.5f, 1e-6);
}

}  // namespace
}  // namespace rebound::film
