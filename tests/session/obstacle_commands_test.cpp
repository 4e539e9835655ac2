// Obstacles that come, go, change and are dragged while bodies bump into them: every joule is explained, and a run with
// them is the same to the last bit.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "mesh/error.hpp"
#include "session/journal.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

constexpr double kMass = 1000, kGravity = 9.81;  // of the cube, kg; m/s^2

scene::Obstacle floor_at(double height, double friction = 0) {
  scene::Obstacle floor;
  floor.name = "floor";
  floor.shape = scene::PlaneShape{};
  floor.transform.translate = {0, height, 0};
  floor.friction = friction;
  return floor;
}

scene::Obstacle sphere_at(const scene::Vec3& place, double radius) {
  scene::Obstacle sphere;
  sphere.name = "sphere";
  sphere.shape = scene::SphereShape{radius};
  sphere.transform.translate = place;
  return sphere;
}

/// A cube of 1 m whose underside is at y = 0.
scene::Description cube_over_a_floor(double friction = 0) {
  scene::Description d;
  d.bodies.push_back(cube_body(2, 2e5));
  d.bodies[0].transform.translate = {0, 0.5, 0};
  d.obstacles.push_back(floor_at(0, friction));
  return d;
}

void run(Session& s, int frames) {
  for (int i = 0; i < frames; ++i) ASSERT_TRUE(s.step()) << s.failure();
}

double added(const Session& s, sim::Added cause) { return s.ledger().added(cause); }

/// With the cube lying still on the floor.
std::unique_ptr<Session> settled(double friction = 0) {
  auto d = cube_over_a_floor(friction);
  d.damping.coefficient = 0.2;
  auto s = std::make_unique<Session>(scene::load_world(d), 1);
  run(*s, 150);
  return s;
}

double height_of_centre(const Session& s) { return s.model().M.dot(s.state().x.col(1)) / s.model().M.sum(); }

TEST(ObstacleCommands, LiftingABodyIsWorkOfTheHand) {
  const auto lying = settled();
  Session& s = *lying;
  const double before = added(s, sim::Added::user), y = height_of_centre(s);
  const double damped = s.ledger().dissipated(sim::Dissipated::damping);
  double worst = 0;
  for (int i = 1; i <= 60; ++i) {
    s.apply(MoveObstacle{0, {0, 0.01 * i, 0}, {}});
    run(s, 1);
    worst = std::max(worst, std::abs(energy_error(s)));
  }
  run(s, 120);
  EXPECT_NEAR(height_of_centre(s) - y, 0.6, 1e-3);
  const double work = added(s, sim::Added::user) - before;
  const double taken = s.ledger().dissipated(sim::Dissipated::damping) - damped;
  // What was not damped away again lifts the cube.
  EXPECT_NEAR(work - taken, kMass * kGravity * 0.6, 0.01 * s.ledger().scale());
  EXPECT_GT(work, kMass * kGravity * 0.6);
  EXPECT_EQ(added(s, sim::Added::motion), 0);
  EXPECT_LE(worst, 2 * s.description().integrator.tolerance);
}

TEST(ObstacleCommands, LoweringAFloorTakesWhatLiftingItGave) {
  const auto lying = settled();
  Session& s = *lying;
  const double start = added(s, sim::Added::user);
  for (int i = 1; i <= 50; ++i) {
    s.apply(MoveObstacle{0, {0, -0.01 * i, 0}, {}});
    run(s, 1);
  }
  run(s, 100);
  EXPECT_LT(added(s, sim::Added::user) - start, -0.8 * kMass * kGravity * 0.5);
  EXPECT_LE(std::abs(energy_error(s)), 2 * s.description().integrator.tolerance);
}

TEST(ObstacleCommands, ARoughFloorDragsABodyAlong) {
  const auto on_smooth = settled(0), on_rough = settled(0.9);
  const Session &smooth = *on_smooth, &rough = *on_rough;
  for (Session* s : {on_smooth.get(), on_rough.get()}) {
    for (int i = 1; i <= 60; ++i) {
      s->apply(MoveObstacle{0, {0.005 * i, 0, 0}, {}});
      run(*s, 1);
    }
  }
  const auto way = [](const Session& s) { return s.model().M.dot(s.state().x.col(0)) / s.model().M.sum(); };
  EXPECT_NEAR(way(smooth), 0, 1e-6);
  EXPECT_NEAR(way(rough), 0.3, 0.03);
  EXPECT_GT(added(rough, sim::Added::user), 0);
  EXPECT_EQ(added(rough, sim::Added::motion), 0);
  EXPECT_LE(std::abs(energy_error(rough)), 2 * rough.description().integrator.tolerance);
}

TEST(ObstacleCommands, WhatTheSceneMovesAndWhatAHandMovesAreBookedApart) {
  // Two cubes, each on a block of its own; the scene lifts the left one, the hand the right one.
  auto d = cube_over_a_floor();
  d.obstacles.clear();
  d.bodies.push_back(d.bodies[0]);
  d.damping.coefficient = 0.2;
  for (int i = 0; i < 2; ++i) {
    const double x = 4.0 * i;
    d.bodies[static_cast<std::size_t>(i)].transform.translate = {x, 0.5, 0};
    scene::Obstacle block;
    block.name = "block";
    block.shape = scene::BoxShape{{2, 1, 2}};
    block.transform.translate = {x, -0.5, 0};
    d.obstacles.push_back(block);
  }
  d.obstacles[0].motion = {{5, {0, 0, 0}, {}}, {6, {0, 0.2, 0}, {}}};
  Session s = open(d);
  run(s, 150);
  const double motion = added(s, sim::Added::motion), user = added(s, sim::Added::user);
  const double damped = s.ledger().dissipated(sim::Dissipated::damping);
  for (int i = 1; i <= 40; ++i) {
    s.apply(MoveObstacle{1, {4, -0.5 + 0.01 * i, 0}, {}});
    run(s, 1);
  }
  run(s, 100);
  // Damping takes some of each.
  const double taken = s.ledger().dissipated(sim::Dissipated::damping) - damped, lift = kMass * kGravity;
  EXPECT_GT(added(s, sim::Added::motion) - motion, 0.2 * lift - 0.01 * s.ledger().scale());
  EXPECT_LT(added(s, sim::Added::motion) - motion, 0.2 * lift + taken);
  EXPECT_GT(added(s, sim::Added::user) - user, 0.4 * lift - 0.01 * s.ledger().scale());
  EXPECT_LT(added(s, sim::Added::user) - user, 0.4 * lift + taken);
}

TEST(ObstacleCommands, AMouseThatJumpsDoesNotThrowObstacles) {
  auto d = cube_over_a_floor();
  d.obstacles.push_back(sphere_at({-2, 0.6, 0}, 0.4));
  d.damping.coefficient = 0.1;
  Session s = open(d);
  run(s, 5);
  s.apply(MoveObstacle{1, {200, 0.6, 0}, {}});
  const double reach = 4 * s.model().extent * s.description().timeStep;
  double worst = 0;
  for (int i = 0; i < 100; ++i) {
    const sim::Vec3 before = s.model().obstacles[1].pose.t;
    run(s, 1);
    EXPECT_LE((s.model().obstacles[1].pose.t - before).norm(), reach * (1 + 1e-12));
    worst = std::max(worst, energy_error(s));
  }
  // It went through where the cube was.
  EXPECT_GT(s.model().obstacles[1].pose.t[0], 1);
  EXPECT_LE(worst, 2 * s.description().integrator.tolerance);
  s.apply(MoveObstacle{1, {s.model().obstacles[1].pose.t[0] + 0.25, 0.6, 0}, {{0, 1, 0}, 90}});
  run(s, 60);
  const sim::Pose goal = s.obstacle_goal(1);
  EXPECT_EQ(s.model().obstacles[1].pose, goal) << "it arrives, to the last bit";
  EXPECT_FALSE(s.model().obstacles[1].moves());
}

TEST(ObstacleCommands, AnObstacleInsideABodyIsNotBookedAndThrowsNothing) {
  const auto lying = settled();
  Session& s = *lying;
  const double target = s.ledger().target();
  s.apply(AddObstacle{sphere_at({0, 0.5, 0}, 0.45)});
  EXPECT_EQ(s.ledger().target(), target);
  run(s, 1);
  EXPECT_GT(s.contacts().size(), 0u);
  double highest = 0;
  for (int i = 0; i < 100; ++i) {
    run(s, 1);
    highest = std::max(highest, height_of_centre(s));
  }
  // What appeared is not there to throw it with: the target does not rise.
  EXPECT_LT(highest, 1.5);
  EXPECT_LE(s.ledger().target(), target + 1e-9 * std::abs(target));
  EXPECT_LE(energy_error(s), 2 * s.description().integrator.tolerance);
}

TEST(ObstacleCommands, WhatGoesWithAnObstacleIsBookedAndTheBodyFallsFreely) {
  const auto lying = settled();
  Session& s = *lying;
  const double contact = s.record().measured.contact, H = s.record().measured.total();
  ASSERT_GT(contact, 0);
  s.apply(RemoveObstacle{0});
  EXPECT_NEAR(added(s, sim::Added::edit), -contact, 1e-9 * std::abs(H));
  EXPECT_EQ(s.record().measured.contact, 0);
  s.apply(SetDamping{{"rigid-preserving", 0, "frame"}});
  const double y = height_of_centre(s), v = s.model().M.dot(s.state().v.col(1)) / kMass;
  run(s, 30);
  const double t = 30 * s.description().timeStep;
  EXPECT_NEAR(height_of_centre(s), y + v * t - 0.5 * kGravity * t * t, 0.02 * t * t);
}

TEST(ObstacleCommands, AStifferFloorIsAnEdit) {
  const auto lying = settled();
  Session& s = *lying;
  const double contact = s.record().measured.contact;
  scene::Obstacle stiffer = s.description().obstacles[0];
  stiffer.stiffness *= 2;
  stiffer.friction = 0.5;
  s.apply(SetObstacle{0, stiffer});
  EXPECT_NEAR(added(s, sim::Added::edit), contact, 1e-9 * std::abs(s.record().measured.total()));
  EXPECT_NEAR(s.record().measured.contact, 2 * contact, 1e-9 * contact);
  run(s, 100);
  EXPECT_LE(std::abs(energy_error(s)), 2 * s.description().integrator.tolerance);
}

TEST(ObstacleCommands, RefusalsAreOneLineAndChangeNothing) {
  Session s = open(cube_over_a_floor());
  run(s, 3);
  const auto expect = [&](const Command& command, const std::string& word) {
    const std::string what = refusal(s, command);
    EXPECT_NE(what.find(word), std::string::npos) << what;
    EXPECT_EQ(s.model().obstacles.size(), 1u);
  };
  expect(RemoveObstacle{1}, "no obstacle 1");
  expect(RemoveObstacle{-1}, "no obstacle -1");
  expect(MoveObstacle{7, {0, 0, 0}, {}}, "no obstacle 7");
  expect(MoveObstacle{0, {0, NAN, 0}, {}}, "translate");
  expect(MoveObstacle{0, {0, 1e9, 0}, {}}, "translate");
  expect(AddObstacle{sphere_at({0, 0, 0}, -1)}, "radius");
  expect(AddObstacle{sphere_at({0, 0, 0}, 1), 5}, "cannot be number 5");
  scene::Obstacle mesh = floor_at(0);
  mesh.shape = scene::MeshShape{"/no/such/file.obj"};
  expect(AddObstacle{mesh}, "file.obj");
  scene::Obstacle soft = floor_at(0);
  soft.stiffness = 0;
  expect(SetObstacle{0, soft}, "stiffness");
  run(s, 3);
}

/// A tetrahedron whose faces look outwards, as a file.
class ObstacleFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("rebound_obstacles_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "wedge.obj")
        << "v -1 0 -1\nv 1 0 -1\nv 0 0 1\nv 0 1 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  scene::Obstacle wedge(double y) const {
    scene::Obstacle obstacle;
    obstacle.name = "wedge";
    obstacle.shape = scene::MeshShape{folder_ / "wedge.obj"};
    obstacle.transform.translate = {0, y, 0};
    obstacle.friction = 0.4;
    return obstacle;
  }
  std::vector<Event> events(int frame) const {
    const auto all = [](Command command) { return Event(Addressed{kAllPanes, std::move(command)}); };
    scene::Obstacle rougher = floor_at(0, 0.7);
    switch (frame) {
      case 2:
        return {all(AddObstacle{wedge(-0.5)}), AddPane{0, "backward-euler"}};
      case 4:
        return {all(MoveObstacle{1, {0.2, 0.4, 0.1}, {{0, 1, 0}, 30}})};
      case 6:
        return {all(MoveObstacle{1, {0.3, 0.5, 0.1}, {{0, 1, 0}, 60}}), all(SetObstacle{0, rougher})};
      case 9:
        return {all(AddObstacle{sphere_at({0.5, 1.6, 0}, 0.3), 0})};
      case 12:
        return {all(MoveObstacle{0, {0.2, 0.9, 0}, {}})};
      case 14:
        return {all(RemoveObstacle{2}), Undo{}};
      case 18:
        return {Undo{}, Redo{}, AddPane{0, "bdf2"}};
      case 22:
        return {Undo{}, Undo{}, Undo{}};
      default:
        return {};
    }
  }
  std::filesystem::path folder_;
};

TEST_F(ObstacleFiles, ARunWithThemIsReplayedToTheLastBit) {
  const auto play = [&](Ensemble& ensemble, const Journal* script, Journal* record) {
    std::size_t next = 0;
    for (int frame = 0; frame < 40; ++frame) {
      if (record) {
        for (const Event& event : events(frame)) {
          ensemble.apply(event);
          record->add(frame, event);
        }
      }
      if (script)
        for (; next < script->entries().size() && script->entries()[next].frame == frame; ++next)
          ensemble.apply(script->entries()[next].event);
      ensemble.step();
      if (record) record->add_frame(ensemble);
      if (script) {
        const std::string where = divergence(*script, ensemble);
        ASSERT_EQ(where, "");
      }
    }
  };
  Ensemble first(std::make_unique<Session>(scene::load_world(cube_over_a_floor(0.3)), 1));
  Journal journal(first.first().description());
  journal.add_frame(first);
  play(first, nullptr, &journal);
  EXPECT_EQ(first.panes().size(), 3u);
  journal.write(folder_ / "a.run");
  const Journal read = Journal::read(folder_ / "a.run");
  Ensemble again(std::make_unique<Session>(scene::load_world(read.scene()), 2));
  play(again, &read, nullptr);
}

TEST_F(ObstacleFiles, UndoTakesEveryOneBack) {
  Ensemble ensemble(std::make_unique<Session>(scene::load_world(cube_over_a_floor()), 1));
  const auto now = [&] { return ensemble.first().description().obstacles; };
  std::vector<std::vector<scene::Obstacle>> past;
  const auto apply = [&](Command command) {
    past.push_back(now());
    ensemble.apply(Addressed{kAllPanes, std::move(command)});
    // Another gesture.
    for (int i = 0; i < 16; ++i) ensemble.step();
  };
  apply(AddObstacle{wedge(-3)});
  apply(AddObstacle{sphere_at({5, 0, 0}, 0.3), 0});
  apply(MoveObstacle{0, {5, 1, 0}, {{0, 0, 1}, 45}});
  apply(SetObstacle{1, floor_at(-0.01, 0.5)});
  apply(RemoveObstacle{2});
  apply(RemoveObstacle{0});
  EXPECT_EQ(now().size(), 1u);
  const auto last = now();
  std::vector<std::vector<scene::Obstacle>> future;
  for (std::size_t i = past.size(); i-- > 0;) {
    future.push_back(now());
    ensemble.apply(Undo{});
    EXPECT_EQ(now(), past[i]) << i;
    EXPECT_EQ(ensemble.first().model().obstacles.size(), past[i].size());
    ensemble.step();
  }
  for (std::size_t i = future.size(); i-- > 0;) {
    ensemble.apply(Redo{});
    EXPECT_EQ(now(), future[i]) << i;
    ensemble.step();
  }
  EXPECT_EQ(now(), last);
}

TEST_F(ObstacleFiles, APastInTheMiddleOfADragIsGoneBackTo) {
  Ensemble ensemble(std::make_unique<Session>(scene::load_world(cube_over_a_floor(0.5)), 1));
  for (int i = 0; i < 5; ++i) ensemble.step();
  const SavedEnsemble before = ensemble.save();
  const std::vector<std::uint64_t> sums_before = checksums(ensemble);
  ensemble.apply(Addressed{kAllPanes, AddObstacle{wedge(-2)}});
  ensemble.apply(Addressed{kAllPanes, MoveObstacle{1, {0, 0.2, 0}, {{1, 0, 0}, 20}}});
  for (int i = 0; i < 4; ++i) ensemble.step();
  const SavedEnsemble during = ensemble.save();
  const auto pose = ensemble.first().model().obstacles[1].pose;
  EXPECT_NE(pose, ensemble.first().obstacle_goal(1)) << "still on its way";
  for (int i = 0; i < 30; ++i) ensemble.step();
  const auto after = checksums(ensemble);

  ensemble.restore(before);
  EXPECT_EQ(checksums(ensemble), sums_before);
  EXPECT_EQ(ensemble.first().model().obstacles.size(), 1u);
  ensemble.step();
  ensemble.restore(during);
  EXPECT_EQ(ensemble.first().model().obstacles[1].pose, pose);
  for (int i = 0; i < 30; ++i) ensemble.step();
  EXPECT_EQ(checksums(ensemble), after);

  // In a session that has never seen that file.
  Ensemble other(std::make_unique<Session>(scene::load_world(cube_over_a_floor(0.5)), 1));
  std::filesystem::remove(folder_ / "wedge.obj");
  other.restore(during);
  for (int i = 0; i < 30; ++i) other.step();
  EXPECT_EQ(checksums(other), after);
}

}  // namespace
}  // namespace rebound::test
