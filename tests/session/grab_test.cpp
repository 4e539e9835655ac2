// A grab that reaches further than its point: what it holds, with which springs, and what they do.
#include <gtest/gtest.h>

#include <set>

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "session/session.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using sim::Vec3;

constexpr double kWide = 0.35;  // m

/// A free cube of 1 m at rest.
Session cube(const char* solver = "local-global") {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.solver.type = solver;
  scene::Body body;
  body.name = "cube";
  body.mesh = scene::BoxMesh{{1, 1, 1}, {6, 6, 6}, 5};
  body.material.young = 1e5;
  body.material.density = 500;
  d.bodies.push_back(body);
  return {scene::load_world(std::move(d)), 1};
}

int corner_of(const Session& s) {
  Eigen::Index corner = 0;
  s.surface(0).rowwise().sum().maxCoeff(&corner);
  return static_cast<int>(corner);
}

Vec3 place_of(const Session& s, int vertex) { return s.surface(0).row(vertex).transpose(); }

TEST(GrabWithARadius, HoldsWhatIsNear) {
  const Session s = cube();
  const int corner = corner_of(s);
  const auto& body = s.world().bodies[0];
  EXPECT_EQ(vertices_within(body, corner, 0), std::vector<int>{corner});
  EXPECT_EQ(vertices_within(body, corner, 0.05), std::vector<int>{corner}) << "less than an edge";
  const auto held = vertices_within(body, corner, kWide);
  EXPECT_EQ(held.front(), corner);
  EXPECT_GT(held.size(), 6u);
  EXPECT_LE(held.size(), kMostHeld);
  EXPECT_EQ(std::set<int>(held.begin(), held.end()).size(), held.size()) << "each once";
  for (const int v : held) EXPECT_LT((place_of(s, v) - place_of(s, corner)).norm(), kWide);
  EXPECT_EQ(vertices_within(body, corner, 100).size(), kMostHeld);
}

TEST(GrabWithARadius, IsAsStiffAsAPoint) {
  Session s = cube();
  const int corner = corner_of(s);
  const Vec3 at = place_of(s, corner);
  s.apply(Grab{{0, corner}, at, 1});
  const double point = s.grab()->stiffness();
  s.apply(Grab{{0, corner}, at, 1, kWide});
  EXPECT_NEAR(s.grab()->stiffness(), point, 1e-9 * point);
  EXPECT_GT(s.grab()->springs.size(), 6u);
  EXPECT_NEAR(s.record().added[static_cast<std::size_t>(sim::Added::user)], 0, 1e-12) << "taking hold is no work";
  s.apply(MoveGrab{at + Vec3(0.2, 0, 0)});
  EXPECT_NEAR((s.grab()->force(s.state().x) - Vec3(0.2 * point, 0, 0)).norm(), 0, 1e-6 * point);
  EXPECT_NEAR(s.record().added[static_cast<std::size_t>(sim::Added::user)], 0.5 * point * 0.04, 1e-6 * point);
}

/// How far the surface near the corner is drawn out of shape when the corner is pulled.
double drawn_out(const char* solver, double radius) {
  Session s = cube(solver);
  // Without an overshoot: what is light and pulled swings beyond the hand.
  s.apply(SetIntegrator{"backward-euler"});
  const int corner = corner_of(s);
  // At the edge of what it reaches a grab holds next to nothing.
  const auto near = vertices_within(s.world().bodies[0], corner, 0.7 * kWide);
  const Vec3 at = place_of(s, corner);
  s.apply(Grab{{0, corner}, at, 20, radius});
  s.apply(MoveGrab{at + Vec3(0.3, 0.3, 0.3)});
  double most = 0;
  std::vector<Vec3> before;
  for (const int v : near) before.push_back(place_of(s, v) - at);
  for (int frame = 0; frame < 20; ++frame) {
    EXPECT_TRUE(s.step()) << s.failure();
    for (std::size_t i = 0; i < near.size(); ++i)
      most = std::max(most, std::abs((place_of(s, near[i]) - place_of(s, corner)).norm() - before[i].norm()));
  }
  return most;
}

TEST(GrabWithARadius, KeepsTheShapeOfWhatItHolds) {
  for (const char* solver : {"local-global", "newton"})
    EXPECT_LT(drawn_out(solver, kWide), 0.2 * drawn_out(solver, 0)) << solver;
}

TEST(GrabWithARadius, ComesBackWithTheState) {
  Session s = cube();
  const int corner = corner_of(s);
  const Vec3 at = place_of(s, corner);
  s.apply(Grab{{0, corner}, at, 3, kWide});
  s.apply(MoveGrab{at + Vec3(0, 0.2, 0)});
  for (int frame = 0; frame < 5; ++frame) ASSERT_TRUE(s.step());
  const auto twin = s.twin();
  s.step();
  twin->step();
  EXPECT_EQ(s.state().x, twin->state().x);
  EXPECT_EQ(s.grab()->springs.size(), twin->grab()->springs.size());
}

TEST(GrabWithARadius, IsRefusedOutOfRange) {
  Session s = cube();
  EXPECT_THROW(s.apply(Grab{{0, 0}, Vec3::Zero(), 1, -1}), InputError);
  EXPECT_THROW(s.apply(Grab{{0, 0}, Vec3::Zero(), 1, NAN}), InputError);
  EXPECT_FALSE(s.grab());
}

}  // namespace
}  // namespace rebound::test
