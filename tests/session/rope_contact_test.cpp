// Ropes behind a barrier: they hang on one another, on bodies and on obstacles, and nothing gets to the other side.
#include <gtest/gtest.h>

#include "sim/contact/barrier.hpp"
#include "support/crossings.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using sim::Points;
using sim::Vec3;

constexpr double kThickness = 0.02;  // m
constexpr int kEdges = 20;

// Along a direction, 0.01 kg a point.
scene::Body rope(const Vec3& middle, const Vec3& along, int edges = kEdges) {
  scene::Body body;
  scene::InlineMesh mesh;
  for (int i = 0; i <= edges; ++i) {
    const Vec3 at = middle + (static_cast<double>(i) / edges - 0.5) * along;
    mesh.vertices.push_back({at.x(), at.y(), at.z()});
    if (i > 0) mesh.edges.push_back({i - 1, i});
  }
  body.mesh = mesh;
  body.material.model = "springs";
  body.material.stiffness = 2000;
  body.masses.assign(static_cast<std::size_t>(edges) + 1, 0.01);
  return body;
}

scene::Description with_barrier(std::vector<scene::Body> bodies, std::optional<double> thickness = kThickness) {
  scene::Description d;
  d.timeStep = 0.01;
  d.solver.type = "newton";
  d.integrator.type = "bdf2";
  d.contact.type = "barrier";
  d.contact.distance = 0.01;
  d.contact.thickness = thickness;
  d.bodies = std::move(bodies);
  return d;
}

// The least distance of two ropes' edges, by looking at many points of both.
double least_distance(const Session& s, int one, int other) {
  const auto points = [&](int body) {
    const auto& range = s.model().bodies[static_cast<std::size_t>(body)];
    std::vector<Vec3> all;
    for (int i = range.first; i + 1 < range.first + range.count; ++i)
      for (int k = 0; k < 20; ++k)
        all.push_back((s.state().x.row(i) + k / 20.0 * (s.state().x.row(i + 1) - s.state().x.row(i))).transpose());
    return all;
  };
  double least = std::numeric_limits<double>::infinity();
  const auto others = points(other);
  for (const Vec3& a : points(one))
    for (const Vec3& b : others) least = std::min(least, (a - b).norm());
  return least;
}

double lowest(const Session& s, int body) {
  const auto& range = s.model().bodies[static_cast<std::size_t>(body)];
  return s.state().x.middleRows(range.first, range.count).col(1).minCoeff();
}

// One falls across another that is held at both ends, and hangs on it: its middle stays above, its ends go below.
TEST(RopeContact, ARopeHangsOnARope) {
  scene::Body held = rope({0, 1, 0}, {1, 0, 0});
  held.fixed = std::vector<int>{0, kEdges};
  for (const std::optional<double>& thickness : {std::optional<double>(kThickness), std::optional<double>()}) {
    scene::Description d = with_barrier({held, rope({0.013, 1.2, 0}, {0, 0, 1})}, thickness);
    d.contact.friction = 0.5;
    Session s = open(d);
    const auto ranges = s.model().bodies;
    double deepest = 1;
    for (int frame = 0; frame < 80; ++frame) {
      ASSERT_TRUE(s.step()) << s.failure();
      if (thickness) EXPECT_GT(least_distance(s, 0, 1), kThickness) << frame;
      const auto& x = s.state().x;
      EXPECT_GT(x(ranges[1].first + kEdges / 2, 1), x(ranges[0].first + kEdges / 2, 1)) << frame;
      deepest = std::min(deepest, lowest(s, 1) - lowest(s, 0));
    }
    EXPECT_LT(deepest, -0.2);
  }
}

TEST(RopeContact, ARopeLiesOnABlockAndABlockFallsOnIt) {
  scene::Body block = cube_body(2, 1e5);
  block.mesh = scene::BoxMesh{{0.3, 0.3, 0.3}, {3, 3, 3}, 5};
  block.material.model = "neo-hookean";
  block.transform.translate = {0, 0.2, 0};
  scene::Body light = block;
  light.mesh = scene::BoxMesh{{0.12, 0.12, 0.12}, {2, 2, 2}, 5};
  light.material.density = 100;
  light.transform.translate = {0.01, 0.56, 0.02};
  scene::Description d = with_barrier({block, rope({0.003, 0.42, 0.004}, {1, 0, 0.2}), light});
  d.contact.friction = 0.6;
  scene::Obstacle floor;
  floor.shape = scene::PlaneShape{};
  d.obstacles.push_back(floor);
  Session s = open(d);
  for (int frame = 0; frame < 80; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    EXPECT_EQ(crossings(s.model(), s.state().x), 0) << frame;
    // Half of its thickness above the floor, and its edges through no triangle.
    EXPECT_GT(lowest(s, 1), kThickness / 2) << frame;
  }
  const auto& range = s.model().bodies[1];
  const double middle = s.state().x(range.first + kEdges / 2, 1);
  EXPECT_GT(middle, 0.3 + kThickness / 2);
  EXPECT_LT(lowest(s, 1), 0.2);
}

// On a round obstacle, whose own edge meets the rope's.
TEST(RopeContact, ARopeHangsOnACapsuleAndASphere) {
  scene::Obstacle bar;
  bar.shape = scene::CapsuleShape{0.05, 1};
  bar.transform.rotate = {{1, 0, 0}, 90};
  scene::Obstacle ball;
  ball.shape = scene::SphereShape{0.1};
  for (const scene::Obstacle& obstacle : {bar, ball}) {
    scene::Description d = with_barrier({rope({0, 0.2, 0}, {1, 0, 0})});
    d.obstacles.push_back(obstacle);
    d.obstacles[0].friction = 0.8;
    Session s = open(d);
    double deepest = 0;
    for (int frame = 0; frame < 60; ++frame) {
      ASSERT_TRUE(s.step()) << s.failure();
      deepest = std::min(deepest, lowest(s, 0));
    }
    EXPECT_GT(s.state().x(kEdges / 2, 1), 0.05 + kThickness / 2);
    EXPECT_LT(deepest, -0.1);
  }
}

// What two ropes do to each other moves nobody as a whole, and costs no energy that the ledger does not know.
TEST(RopeContact, RopesThatMeetInTheAirKeepTheirMomenta) {
  scene::Description d = with_barrier({rope({0, 0, 0}, {1, 0, 0}), rope({0.1, 0.1, 0.05}, {0.3, 0, 0.9})});
  d.gravity = {0, 0, 0};
  d.bodies[1].velocity = {0, -3, 0};
  d.solver.tolerance = 1e-9;
  Session s = open(d);
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (Eigen::Index i = 0; i < s.state().v.rows(); ++i) sum += s.model().M[i] * s.state().v.row(i).transpose();
    return sum;
  };
  const Vec3 before = momentum();
  bool met = false;
  for (int frame = 0; frame < 40; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    met = met || !sim::barrier_touches(s.model(), s.state().x).empty();
  }
  EXPECT_TRUE(met);
  EXPECT_LT((momentum() - before).norm(), 1e-8 * before.norm());
  EXPECT_LT(s.state().x(s.model().bodies[0].first + kEdges / 2, 1), -0.05);
}

// What lies in another, or in itself, is refused in one line that says what to change.
TEST(RopeContact, RefusesAStartWithinItsThickness) {
  const auto refused = [](const scene::Description& d) {
    Session s = open(d);
    return s.step() ? std::string() : s.failure();
  };
  scene::Description d = with_barrier({rope({0, 0, 0}, {1, 0, 0}), rope({0.01, 0.015, 0.01}, {0, 0, 1})});
  d.bodies[0].name = "one";
  d.bodies[1].name = "other";
  EXPECT_NE(refused(d).find("body 'one' passes through body 'other'"), std::string::npos) << refused(d);
  d.contact.thickness = 0.012;
  EXPECT_EQ(refused(d), "");
  d.contact.self = true;
  d.contact.thickness = 0.05;
  d.bodies[1].transform.translate = {0, 0.2, 0};
  EXPECT_NE(refused(d).find("set /contact/thickness lower"), std::string::npos) << refused(d);
  d.contact.thickness = 0.03;
  EXPECT_EQ(refused(d), "");
}

// A rope of twice as many edges pushes as hard: on a floor, and on a rope that it crosses away from both's points.
TEST(RopeContact, DoesNotDependOnHowFineARopeIs) {
  const auto force = [](scene::Description d) {
    d.contact.firmness = 100;
    d.gravity = {0, 0, 0};
    Session s = open(d);
    s.apply(SetContact{s.description().contact});
    double sum = 0;
    for (const sim::BarrierTouch& touch : sim::barrier_touches(s.model(), s.state().x)) sum += touch.force;
    return sum;
  };
  const auto on_floor = [&](int edges) {
    scene::Description d = with_barrier({rope({0, 0.014, 0}, {1, 0, 0}, edges)});
    scene::Obstacle floor;
    floor.shape = scene::PlaneShape{};
    d.obstacles.push_back(floor);
    return force(d);
  };
  const auto across = [&](int edges) {
    const scene::Body one = rope({0.025, 0, 0.025}, {1, 0, 0}, edges);
    return force(with_barrier({one, rope({0.05, 0.025, 0.05}, {0, 0, 1}, edges)}));
  };
  // kappa w L b'(u) / d^: a strip as wide as the rope and the barrier on both sides.
  EXPECT_NEAR(on_floor(10), 100 * 0.04 * 1 * -sim::barrier(0.4).db / 0.01, 1e-9);
  EXPECT_NEAR(on_floor(20), on_floor(10), 1e-9);
  EXPECT_GT(across(10), 0);
  EXPECT_NEAR(across(20), across(10), 1e-9);
}

}  // namespace
}  // namespace rebound::test
