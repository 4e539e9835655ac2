// What is thinner than a step is long is not passed through.
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "contact_worlds.hpp"
#include "mesh/obj.hpp"
#include "mesh/shapes.hpp"
#include "sim/collide/sweep.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using sim::Vec3;

constexpr double kThin = 0.01, kStep = 0.01;

scene::Obstacle of_shape(scene::ObstacleShape shape, double stiffness = 1e5) {
  scene::Obstacle obstacle = ground(stiffness);
  obstacle.shape = std::move(shape);
  return obstacle;
}

class Tunnelling : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("rebound_tunnelling_" + std::to_string(testing::UnitTest::GetInstance()->random_seed()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
    mesh::write_obj(folder_ / "plate.obj", mesh::boundary_of(mesh::box({1, kThin, 1}, {6, 1, 6})).surface);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// One of every kind, each `kThin` across where it is thinnest. A plane is as thick as can be.
  std::vector<scene::ObstacleShape> shapes() const {
    return {scene::PlaneShape{},
            scene::SphereShape{0.5 * kThin},
            scene::BoxShape{{1, kThin, 1}},
            scene::CapsuleShape{0.5 * kThin, 1},
            scene::TorusShape{0.4, 0.5 * kThin},
            scene::MeshShape{folder_ / "plate.obj"}};
  }

  std::filesystem::path folder_;
};

/// Vertices on their own, each on its way to a point of the obstacle's surface that it sees. Soft: h^2 k/m = 10, and
/// they come straight on, as a spring that gives way cannot hold what goes by.
scene::Description volley(const scene::Obstacle& obstacle, bool soft, unsigned seed) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.timeStep = kStep;
  d.obstacles.push_back(obstacle);
  d.solver.iterations = 20;
  scene::Body body;
  body.name = "points";
  body.material.model = "springs";
  const sim::Shape shape = open(falling_point(9, obstacle)).model().obstacles[0].shape;
  scene::InlineMesh points;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto anywhere = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
  while (points.vertices.size() < 120) {
    const sim::Nearest target = nearest(shape, 0.45 * anywhere());
    // Not into the narrow side of a plate, which is a metre deep there.
    if (shape.index() != 0 && nearest(shape, target.point - 1.01 * kThin * target.normal).distance < 0) continue;
    const Vec3 away = soft ? target.normal : anywhere().normalized();
    // Not along the surface: that is another test's.
    if (away.dot(target.normal) < 0.3) continue;
    const double way = kThin * std::pow(100, 0.5 * (1 + uniform(random)));
    const Vec3 from = target.point + (0.5 + 0.4 * uniform(random)) * way * away, v = -way / kStep * away;
    if (nearest(shape, from).distance < 0.1 * way * target.normal.dot(away)) continue;
    const auto entry = first_entry(shape, from, target.point - 0.2 * kThin * target.normal);
    if (!entry || (entry->at.point - target.point).norm() > 0.5 * kThin) continue;
    points.vertices.push_back({from.x(), from.y(), from.z()});
    body.velocities.push_back({v.x(), v.y(), v.z()});
    body.masses.push_back(soft ? 1 : 1e-3);
  }
  body.mesh = points;
  d.bodies.push_back(body);
  return d;
}

/// Which of the vertices are on the far side: of the way that each has gone, seen from the obstacle, all that is
/// outside is one side as long as nothing lies across.
class FarSide {
 public:
  explicit FarSide(const Session& s) : seen_(places(s)) {}
  void look(const Session& s) {
    const sim::Shape& shape = s.model().obstacles[0].shape;
    const std::vector<Vec3> now = places(s);
    through_.clear();
    for (std::size_t v = 0; v < now.size(); ++v) {
      if (nearest(shape, now[v]).distance < 0) continue;
      if (first_entry(shape, seen_[v], now[v]))
        through_.push_back(static_cast<int>(v));
      else
        seen_[v] = now[v];
    }
  }
  const std::vector<int>& through() const { return through_; }

 private:
  static std::vector<Vec3> places(const Session& s) {
    std::vector<Vec3> places;
    for (Eigen::Index v = 0; v < s.state().x.rows(); ++v)
      places.push_back(s.model().obstacles[0].pose.undo(s.state().x.row(v).transpose()));
    return places;
  }

  std::vector<Vec3> seen_;
  std::vector<int> through_;
};

TEST_F(Tunnelling, EveryKindOfObstacleIsTested) {
  std::vector<bool> seen(std::variant_size_v<scene::ObstacleShape>, false);
  for (const auto& shape : shapes()) seen[shape.index()] = true;
  EXPECT_EQ(seen, std::vector<bool>(seen.size(), true));
}

// From all sides, by up to 100 times its thickness in a step. Soft springs let points sink in by several thicknesses.
TEST_F(Tunnelling, FastPointsEndOnTheSideThatTheyComeFrom) {
  for (const char* integrator : {"backward-euler", "stabilized"})
    for (const bool soft : {false, true})
      for (const auto& shape : shapes()) {
        auto d = volley(of_shape(shape), soft, 3);
        d.integrator.type = integrator;
        Session s = open(d);
        FarSide far(s);
        std::size_t met = 0;
        for (int frame = 0; frame < 30; ++frame) {
          ASSERT_TRUE(s.step()) << s.failure();
          far.look(s);
          met = std::max(met, s.contacts().size());
          if (d.integrator.type == "stabilized") {
            ASSERT_LT(energy_error(s), 0.0101) << scene::kObstacleShapes[shape.index()] << " " << soft << " " << frame;
          }
        }
        EXPECT_EQ(far.through(), std::vector<int>{})
            << integrator << " " << scene::kObstacleShapes[shape.index()] << " " << soft;
        EXPECT_GT(met, 90u) << integrator << " " << scene::kObstacleShapes[shape.index()] << " " << soft;
      }
}

// A cube of two centimetres, thrown at a wall of one at up to a metre a step.
TEST_F(Tunnelling, ASmallFastBodyBouncesOffAThinWall) {
  for (const char* integrator : {"backward-euler", "stabilized", "bdf2"})
    for (const double speed : {3.0, 20.0, 100.0})
      for (const auto& shape : {shapes()[2], shapes()[5]}) {
        scene::Description d;
        d.gravity = {0, 0, 0};
        d.timeStep = kStep;
        d.obstacles.push_back(of_shape(shape));
        d.obstacles[0].transform.rotate = {{0, 0, 1}, 90};
        d.obstacles[0].friction = 0.3;
        d.bodies.push_back(cube_body(2, 1e6));
        d.bodies[0].mesh = scene::BoxMesh{{0.02, 0.02, 0.02}, {2, 2, 2}, 5};
        d.bodies[0].transform = {{-0.3, 0.05, 0.02}, {{1, 2, 0}, 35}, 1};
        d.bodies[0].velocity = {speed, 0.1 * speed, 0};
        d.integrator.type = integrator;
        Session s = open(d);
        FarSide far(s);
        for (int frame = 0; frame < 60; ++frame) {
          ASSERT_TRUE(s.step()) << s.failure();
          far.look(s);
        }
        EXPECT_EQ(far.through(), std::vector<int>{}) << integrator << " " << speed << " " << shape.index();
        EXPECT_LT(middle(s).x(), 0) << integrator << " " << speed << " " << shape.index();
      }
}

// A wall goes to where it is told within a step or two, and takes with it what it meets.
TEST_F(Tunnelling, AWallThatIsMovedQuicklyTakesAlongWhatItMeets) {
  for (const char* integrator : {"backward-euler", "stabilized"})
    for (const bool by_hand : {false, true})
      for (const double seconds : {0.5, 0.05, 0.012}) {
        auto d = falling_cube(2, -0.5, of_shape(shapes()[2], 1e4));
        d.gravity = {0, 0, 0};
        d.timeStep = kStep;
        d.bodies[0].mesh = scene::BoxMesh{{0.2, 0.2, 0.2}, {2, 2, 2}, 5};
        d.obstacles[0].transform.translate = {0, -0.5, 0};
        if (!by_hand) d.obstacles[0].motion = {{0.05, {0, 0, 0}, {}}, {0.05 + seconds, {0, 0.8, 0}, {}}};
        d.integrator.type = integrator;
        Session s = open(d);
        if (by_hand) s.apply(MoveObstacle{0, {0, 0.3, 0}, {}});
        FarSide far(s);
        for (int frame = 0; frame < (by_hand ? 400 : 60); ++frame) {
          ASSERT_TRUE(s.step()) << s.failure();
          far.look(s);
          if (d.integrator.type == "stabilized") {
            ASSERT_LT(energy_error(s), 0.0101) << seconds << " " << frame;
          }
        }
        EXPECT_NEAR(s.model().obstacles[0].pose.t.y(), 0.3, 1e-12);
        EXPECT_EQ(far.through(), std::vector<int>{}) << integrator << " " << by_hand << " " << seconds;
        EXPECT_GT(middle(s).y(), 0.3) << integrator << " " << by_hand << " " << seconds;
      }
}

// The inside of a thin shell is curved away from every plane that touches it: what slides along it fast is led round.
TEST_F(Tunnelling, AFastPointGoesRoundInsideAShell) {
  constexpr int kAround = 48;
  mesh::Surface shell{mesh::Points(4 * kAround, 3), {}};
  for (int i = 0; i < kAround; ++i) {
    const double angle = 2 * std::numbers::pi * i / kAround;
    for (int corner = 0; corner < 4; ++corner) {
      const double radius = corner == 0 || corner == 3 ? 0.5 : 0.5 + kThin, y = corner < 2 ? -0.3 : 0.3;
      shell.points.row(4 * i + corner) << radius * std::cos(angle), y, radius * std::sin(angle);
      const int a = 4 * i + corner, b = 4 * i + (corner + 1) % 4, next = 4 * kAround;
      const int c = (b + 4) % next, e = (a + 4) % next;
      shell.triangles.push_back({a, b, c});
      shell.triangles.push_back({a, c, e});
    }
  }
  mesh::write_obj(folder_ / "shell.obj", shell);
  for (const char* integrator : {"backward-euler", "stabilized"})
    for (const double speed : {2.0, 10.0, 25.0}) {
      auto d = falling_point(0, of_shape(scene::MeshShape{folder_ / "shell.obj"}, 1e6));
      d.gravity = {0, 0, 0};
      d.timeStep = kStep;
      d.bodies[0].transform.translate = {0.2, 0, 0};
      d.bodies[0].velocity = {0, 0, speed};
      d.integrator.type = integrator;
      Session s = open(d);
      double radius = 0;
      for (int frame = 0; frame < 300; ++frame) {
        ASSERT_TRUE(s.step()) << s.failure();
        radius = std::hypot(s.state().x(0, 0), s.state().x(0, 2));
      }
      // Off a plane that touches it, a step further on, it is away by so much.
      EXPECT_LT(radius, std::hypot(0.5, speed * kStep) + 2 * kThin) << integrator << " " << speed;
    }
}

TEST_F(Tunnelling, WhatPassesNearbyGoesOnAsItWas) {
  for (const auto& shape : shapes()) {
    auto d = falling_point(0, of_shape(shape));
    d.gravity = {0, 0, 0};
    d.timeStep = kStep;
    // Over the top of each, and over what sticks out most.
    const double over = shape.index() == 3 ? 0.5 + 0.5 * kThin : shape.index() == 0 ? 0 : 0.5 * kThin;
    const double x = shape.index() == 4 ? -0.4 : 0;
    d.bodies[0].transform.translate = {x - 0.3, over + 1e-6, -0.37};
    d.bodies[0].velocity = {30, 0, 37};
    Session s = open(d);
    for (int frame = 0; frame < 3; ++frame) {
      ASSERT_TRUE(s.step());
      EXPECT_TRUE(s.contacts().empty()) << shape.index();
    }
    EXPECT_NEAR(s.state().v(0, 1), 0, 1e-9) << shape.index();
    EXPECT_NEAR(s.state().x(0, 0), x - 0.3 + 3 * kStep * 30, 1e-9) << shape.index();
  }
}

// What has slid off a plate, and falls beside it, was never through it.
TEST_F(Tunnelling, WhatSlidesOverAnEdgeFalls) {
  for (const auto& shape : {shapes()[2], shapes()[5]})
    for (const double speed : {0.3, 1.0, 3.0}) {
      auto d = falling_point(0, of_shape(shape, 1e4));
      d.timeStep = kStep;
      d.bodies[0].transform.translate = {0.3, 0.5 * kThin + 1e-4, 0};
      d.bodies[0].velocity = {speed, 0, 0};
      Session s = open(d);
      std::size_t met = 0;
      for (int frame = 0; frame < 120; ++frame) {
        ASSERT_TRUE(s.step());
        met += s.contacts().size();
      }
      EXPECT_GT(met, 0u);
      EXPECT_TRUE(s.contacts().empty());
      EXPECT_GT(s.state().x(0, 0), 0.5);
      EXPECT_LT(s.state().x(0, 1), -0.1) << shape.index() << " " << speed;
      EXPECT_NEAR(s.state().v(0, 0), speed, 1e-6) << shape.index() << " " << speed;
    }
}

}  // namespace
}  // namespace rebound::test
