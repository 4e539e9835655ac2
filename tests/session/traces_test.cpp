// The paths of traced vertices, against motions that are known.
#include <gtest/gtest.h>

#include "mesh/error.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using sim::Vec3;

Vec3 vec(const scene::Vec3& v) { return {v[0], v[1], v[2]}; }
Vec3 vertex(const Session& s, int i) { return s.state().x.row(i).transpose(); }

/// Vertices that nothing joins, without gravity: each goes straight on for ever.
scene::Description free_points(std::vector<scene::Vec3> places, std::vector<scene::Vec3> velocities) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.integrator.type = "implicit-midpoint";
  scene::Body body;
  body.material.model = "springs";
  body.masses.assign(places.size(), 0.5);
  body.mesh = scene::InlineMesh{std::move(places), {}, {}};
  body.velocities = std::move(velocities);
  d.bodies.push_back(body);
  return d;
}

/// [Dinev18 Fig. 2]
scene::Description stiff_spring() {
  scene::Description d = free_points({{0, 0, 0}, {1.5, 0, 0}}, {{0, 0, 0}, {0, 10, 0}});
  scene::Body& body = d.bodies[0];
  std::get<scene::InlineMesh>(body.mesh).edges = {{0, 1}};
  body.material.law = "squared";
  body.material.stiffness = 1e5;
  body.material.restLengths = {1};
  body.fixed = std::vector<int>{0};
  body.traces = {{1, {0}}};
  d.solver = {"newton", 50, {}};
  return d;
}

TEST(Traces, OfAFreePointAreAStraightLineOfEveryState) {
  auto d = free_points({{5, 6, 7}, {1, 2, 3}}, {{0, 0, 0}, {-3, 4, 12}});
  d.bodies[0].traces = {{1, {}}};
  Session s = open(d);
  constexpr int kFrames = 40;
  for (int i = 0; i < kFrames; ++i) ASSERT_TRUE(s.step());
  ASSERT_EQ(s.traces().size(), 1u);
  const auto& points = s.traces()[0].points;
  ASSERT_EQ(points.size(), kFrames + 1u);
  for (int i = 0; i <= kFrames; ++i)
    EXPECT_LT((points[static_cast<std::size_t>(i)] - (Vec3(1, 2, 3) + i * 0.033 * Vec3(-3, 4, 12))).norm(), 1e-12);
  EXPECT_TRUE(s.traces()[0].circles.empty());
}

TEST(Traces, AreTheStatesStepByStep) {
  Session s = open(stiff_spring());
  EXPECT_EQ(s.traces()[0].points, std::vector<Vec3>{vertex(s, 1)});
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(s.step());
    ASSERT_EQ(s.traces()[0].points.back(), vertex(s, 1));
  }
}

TEST(Traces, RememberTheLatestStatesAndNoMore) {
  auto d = free_points({{0, 0, 0}}, {{1, 0, 0}});
  d.bodies[0].traces = {{0, {}}};
  Session s = open(d);
  constexpr int kMore = 30, kMost = static_cast<int>(Traces::kMostPoints);
  for (int i = 0; i < kMost + kMore; ++i) ASSERT_TRUE(s.step());
  const auto& points = s.traces()[0].points;
  ASSERT_EQ(points.size(), Traces::kMostPoints);
  EXPECT_EQ(points.back(), vertex(s, 0));
  EXPECT_NEAR(points.front().x(), 0.033 * (kMore + 1), 1e-9);
}

TEST(Traces, BeginAnewAfterAReset) {
  Session s = open(stiff_spring());
  const TracePath fresh = s.traces()[0];
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(s.step());
  s.apply(SetTimeStep{0.001});
  ASSERT_EQ(s.traces()[0].points.size(), 6u) << "a command is no state";
  s.apply(Reset{});
  ASSERT_EQ(s.traces().size(), 1u);
  EXPECT_EQ(s.traces()[0].points, fresh.points);
  ASSERT_EQ(s.traces()[0].circles.size(), 1u);
  EXPECT_EQ(s.traces()[0].circles[0].normal, fresh.circles[0].normal);
}

TEST(Traces, GetNothingFromAStepThatFailed) {
  auto d = spinning_cube(2, 1e6);
  d.integrator.type = "forward-euler";
  d.bodies[0].traces = {{0, {}}};
  Session s = open(d);
  for (int i = 0; i < 1500 && s.step(); ++i) {
  }
  ASSERT_FALSE(s.failure().empty());
  EXPECT_EQ(s.traces()[0].points.size(), static_cast<std::size_t>(s.frame()) + 1);
  EXPECT_EQ(s.traces()[0].points.back(), vertex(s, 0));
}

TEST(Traces, CirclesLieWhereTheVertexStartsToMoveAboutTheCentre) {
  struct Case {
    scene::Vec3 centre, place, centre_velocity, velocity;
    Vec3 normal;
  };
  const Case cases[] = {
      {{0, 0, 0}, {1.5, 0, 0}, {0, 0, 0}, {0, 10, 0}, {0, 0, 1}},
      {{1, 1, 1}, {1, 1, 3}, {2, 0, 0}, {2, -5, 0}, {1, 0, 0}},      // the centre's own motion does not count
      {{0, 0, 0}, {2, 0, 0}, {0, 0, 0}, {-3, 0, 0}, {0, 0, 1}},      // straight at the centre: upright
      {{0, 0, 0}, {0, -2, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 1}},      // at rest
      {{0, 0, 0}, {0, 0, 0.5}, {0, 0, 0}, {0, 0, 0}, {0, 1, 0}},     // nothing upright that faces z holds it
      {{0, 0, 0}, {1, 0, 1}, {0, 0, 0}, {0, 0, 0}, {-0.5, 0, 0.5}},  // as nearly as it can
  };
  for (const Case& c : cases) {
    auto d = free_points({c.centre, c.place}, {c.centre_velocity, c.velocity});
    d.bodies[0].traces = {{1, {0}}};
    Session s = open(d);
    ASSERT_EQ(s.traces()[0].circles.size(), 1u);
    const Vec3 offset = vec(c.place) - vec(c.centre);
    for (int i = 0; i < 3; ++i) {
      const TraceCircle& circle = s.traces()[0].circles[0];
      EXPECT_NEAR(circle.radius, offset.norm(), 1e-15);
      EXPECT_LT((circle.normal - c.normal.normalized()).norm(), 1e-12) << circle.normal.transpose();
      EXPECT_LT(std::abs(circle.normal.dot(offset)), 1e-12) << "it goes through where the vertex starts";
      EXPECT_EQ(circle.centre, vertex(s, 0)) << "and follows its centre";
      ASSERT_TRUE(s.step());
    }
  }
}

TEST(Traces, CountVerticesWithinTheirBodyAndDrawNoCircleOfNoSize) {
  auto d = free_points({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}});
  d.bodies.push_back(free_points({{0, 3, 0}, {0, 5, 0}}, {{0, 0, 0}, {0, 0, 0}}).bodies[0]);
  d.bodies[0].traces = {{1, {2, 0}}};
  d.bodies[1].traces = {{1, {0}}};
  const Session s = open(d);
  ASSERT_EQ(s.traces().size(), 2u);
  ASSERT_EQ(s.traces()[0].circles.size(), 1u) << "vertex 2 begins where the traced one does";
  EXPECT_EQ(s.traces()[0].circles[0].centre, Vec3(0, 0, 0));
  EXPECT_EQ(s.traces()[1].body, 1);
  EXPECT_EQ(s.traces()[1].points[0], Vec3(0, 5, 0));
  EXPECT_EQ(s.traces()[1].circles[0].centre, Vec3(0, 3, 0));
  EXPECT_EQ(s.traces()[1].circles[0].radius, 2);
}

TEST(Traces, OfVerticesThatDoNotExistAreRefused) {
  for (const scene::Trace& wrong : {scene::Trace{2, {}}, scene::Trace{-1, {}}, scene::Trace{0, {1, 2}}}) {
    auto d = free_points({{0, 0, 0}, {1, 0, 0}}, {{0, 0, 0}, {0, 0, 0}});
    d.bodies[0].traces = {wrong};
    EXPECT_THROW(open(d), InputError);
  }
}

}  // namespace
}  // namespace rebound::test
