// Worlds that meet by energies of the third power, as a person has them: read, run, moved, switched, saved, replayed.
#include <gtest/gtest.h>

#include "mesh/error.hpp"
#include "scene/parse.hpp"
#include "session/ensemble.hpp"
#include "session/journal.hpp"
#include "sim/contact/cubic_contacts.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

scene::Description blocks_on_a_floor() {
  scene::Description d;
  d.timeStep = 0.01;
  d.solver.type = "newton";
  d.integrator.type = "backward-euler";
  d.contact.type = "cubic";
  d.contact.friction = 0.3;
  for (const scene::Vec3& at : {scene::Vec3{0, 0.12, 0}, scene::Vec3{0.03, 0.36, 0.02}}) {
    scene::Body body;
    body.mesh = scene::BoxMesh{{0.2, 0.2, 0.2}, {3, 3, 3}, 5};
    body.material.model = "neo-hookean";
    body.material.young = 1e5;
    body.transform.translate = at;
    d.bodies.push_back(body);
  }
  d.bodies[1].transform.rotate = {{1, 2, 1}, 20};
  scene::Obstacle floor;
  floor.shape = scene::PlaneShape{};
  floor.friction = 0.4;
  floor.meets = "cubic";
  d.obstacles.push_back(floor);
  return d;
}

/// What the scene colliding-spheres-of-gast-fig-4 says, a step a frame.
scene::Description two_spheres() {
  scene::Description d;
  d.timeStep = 1.0 / 24;
  d.gravity = {0, 0, 0};
  d.solver.type = "gast";
  d.integrator.type = "backward-euler";
  d.contact.type = "cubic";
  for (const double side : {-1.0, 1.0}) {
    scene::Body body;
    body.mesh = scene::SphereMesh{0.3, 10};
    body.material.model = "fixed-corotated";
    body.transform.translate = {1.2 * side, side < 0 ? 0.6 : 0.8, 0};
    body.velocity = {-1.5 * side, 0, 0};
    d.bodies.push_back(body);
  }
  return d;
}

TEST(CubicSession, TwoSpheresMeetAndPart) {
  Session s = open(two_spheres());
  int touched = 0, together = 0;
  for (int frame = 0; frame < 60; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    EXPECT_TRUE(s.record().converged) << frame;
    together = static_cast<int>(sim::cubic_touches(s.model(), s.state().x).size());
    touched += together > 0;
  }
  EXPECT_GT(touched, 3);
  EXPECT_EQ(together, 0);
  const auto apart = [&](const sim::Points& rows) {
    const auto mean = [&](const sim::BodyRange& body) -> sim::Vec3 {
      return rows.middleRows(body.first, body.count).colwise().mean().transpose();
    };
    return sim::Vec3(mean(s.model().bodies[1]) - mean(s.model().bodies[0]));
  };
  // They had 0.2 m between their ways; now they go away from one another, pushed aside.
  EXPECT_GT(apart(s.state().x).dot(apart(s.state().v)), 0);
  EXPECT_GT(apart(s.state().v).y(), 0.1);
  EXPECT_LT(s.record().measured.p.norm(), 1e-9);
}

TEST(CubicSession, KeysAreReadAndWritten) {
  const scene::Description d = blocks_on_a_floor();
  scene::Description changed = d;
  changed.contact.cubicStiffness = 3e6;
  changed.obstacles[0].cubicStiffness = 5e9;
  for (const scene::Description& one : {d, changed}) {
    const std::string text = scene::to_text(one);
    EXPECT_NE(text.find("\"meets\": \"cubic\""), std::string::npos);
    const Session s = open(one);
    EXPECT_EQ(s.model().body_contact.cubic, one.contact.cubicStiffness);
    EXPECT_EQ(s.model().obstacles[0].cubic, one.obstacles[0].cubicStiffness);
  }
}

TEST(CubicSession, MethodsThatCannotAreRefusedByName) {
  scene::Description d = blocks_on_a_floor();
  const auto refusal = [](const auto& act) {
    try {
      act();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Session s = open(d);
  for (const char* id : {"local-global", "quasi-newton"}) {
    scene::Solver solver = d.solver;
    solver.type = id;
    const std::string said = refusal([&] { s.apply(SetSolver{solver}); });
    EXPECT_NE(said.find("\"newton\", \"newton-cg\" or \"gast\""), std::string::npos) << said;
  }
  EXPECT_NE(refusal([&] { s.apply(SetIntegrator{"forward-euler", {}}); }), "");
  scene::BodyContact barrier = d.contact;
  barrier.type = "barrier";
  const std::string said = refusal([&] { s.apply(SetContact{barrier}); });
  EXPECT_NE(said.find("/obstacles/0/meets is \"cubic\""), std::string::npos) << said;
  d.contact.type = "springs";
  d.obstacles[0].meets = "spring";
  d.solver.type = "local-global";
  d.bodies[0].material.model = d.bodies[1].material.model = "arap";
  Session other = open(d);
  scene::Obstacle floor = d.obstacles[0];
  floor.meets = "cubic";
  EXPECT_NE(refusal([&] { other.apply(SetObstacle{0, floor}); }), "");
  scene::BodyContact cubic = d.contact;
  cubic.type = "cubic";
  EXPECT_NE(refusal([&] { other.apply(SetContact{cubic}); }), "");
}

TEST(CubicSession, TheLedgerKnowsWhatPairsHold) {
  // Another law while bodies lie on one another: an edit is what it does to H, and the target follows.
  Session s = open(blocks_on_a_floor());
  for (int frame = 0; frame < 60; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  const auto off = [&] { return s.record().measured.total() - s.record().target; };
  ASSERT_GT(s.record().measured.contact, 0);
  const double before = off();
  scene::BodyContact contact = s.description().contact;
  contact.cubicStiffness *= 4;
  s.apply(SetContact{contact});
  EXPECT_NEAR(off(), before, 1e-9);
  EXPECT_EQ(*s.model().body_contact.cubic, contact.cubicStiffness);
  contact.type = "springs";
  s.apply(SetContact{contact});
  EXPECT_NEAR(off(), before, 1e-9);
  for (int frame = 0; frame < 20; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  contact.type = "cubic";
  s.apply(SetContact{contact});
  s.apply(SetMaterial{0, s.description().bodies[0].material});
  for (int frame = 0; frame < 20; ++frame) ASSERT_TRUE(s.step()) << s.failure();
}

// A lift raises a block: what it does is the block's weight times the height.
TEST(CubicSession, WorkOfALiftIsBooked) {
  scene::Description d = blocks_on_a_floor();
  d.bodies.pop_back();
  d.bodies[0].transform.translate = {0, 0.1, 0};
  d.obstacles[0].motion = {{1, {0, 0, 0}, {}}, {3, {0, 0.5, 0}, {}}};
  Session s = open(d);
  double mass = s.model().M.sum(), at_begin = 0;
  for (int frame = 0; frame < 400; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    if (frame == 98) at_begin = s.record().added[static_cast<std::size_t>(sim::Added::motion)];
  }
  const double work = s.record().added[static_cast<std::size_t>(sim::Added::motion)] - at_begin;
  EXPECT_NEAR(work, mass * 9.81 * 0.5, 0.02 * mass * 9.81 * 0.5);
}

TEST(CubicSession, GoesBackAndReplaysToTheLastBit) {
  for (const char* solver : {"newton", "gast"}) {
    scene::Description d = blocks_on_a_floor();
    d.solver.type = solver;
    Ensemble ensemble(std::make_unique<Session>(scene::load_world(d), 1));
    Journal journal(ensemble.first().description());
    journal.add_frame(ensemble);
    for (int frame = 0; frame < 40; ++frame) {
      std::vector<Command> commands;
      if (frame == 20) commands = {Grab{{1, 3}, {0.3, 0.4, 0.1}, 3}};
      if (frame == 25) commands = {Release{}, SetIntegrator{"bdf2"}};
      if (frame == 28) {
        scene::Obstacle ball;
        ball.shape = scene::SphereShape{0.1};
        ball.transform.translate = {0.15, 0.05, 0};
        ball.meets = "cubic";
        commands = {AddObstacle{ball}};
      }
      if (frame == 34) commands = {RemoveObstacle{1}};
      for (Command& command : commands) {
        const Event event(Addressed{kAllPanes, std::move(command)});
        ensemble.apply(event);
        journal.add(frame, event);
      }
      ensemble.step();
      ASSERT_EQ(ensemble.first().failure(), "");
      journal.add_frame(ensemble);
    }
    Ensemble again(std::make_unique<Session>(scene::load_world(journal.scene()), 2));
    std::size_t next = 0;
    for (;;) {
      ASSERT_EQ(divergence(journal, again), "");
      for (; next < journal.entries().size() && journal.entries()[next].frame == again.frame(); ++next)
        again.apply(journal.entries()[next].event);
      if (again.frame() == journal.last()) break;
      again.step();
    }
    Session s = open(d);
    for (int frame = 0; frame < 25; ++frame) ASSERT_TRUE(s.step());
    const SavedState saved = s.save();
    for (int frame = 0; frame < 10; ++frame) ASSERT_TRUE(s.step());
    const sim::Points first = s.state().x;
    const double target = s.record().target;
    s.restore(saved);
    for (int frame = 0; frame < 10; ++frame) ASSERT_TRUE(s.step());
    EXPECT_TRUE(first == s.state().x) << solver;
    EXPECT_EQ(target, s.record().target);
  }
}

// The integrators that hold the energy do so with these contacts too.
TEST(CubicSession, OtherMethodsTakeIt) {
  for (const char* id : {"stabilized", "rebound", "a-search", "bdf2", "implicit-midpoint", "newmark", "tr-bdf2"}) {
    scene::Description d = blocks_on_a_floor();
    d.integrator.type = id;
    Session s = open(d);
    for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step()) << id << ": " << s.failure();
    EXPECT_FALSE(sim::cubic_touches(s.model(), s.state().x).empty()) << id;
    EXPECT_GT(s.state().x.col(1).minCoeff(), -0.02) << id;
  }
}

}  // namespace
}  // namespace rebound::test
