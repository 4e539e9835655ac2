// Worlds behind a barrier, as a person has them: dragged, switched, rewound, replayed, pushed apart.
#include <gtest/gtest.h>

#include <random>

#include "mesh/error.hpp"
#include "scene/parse.hpp"
#include "session/ensemble.hpp"
#include "session/journal.hpp"
#include "sim/contact/barrier.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

scene::Description two_blocks(const scene::Vec3& upper = {0.03, 0.36, 0.02}) {
  scene::Description d;
  d.timeStep = 0.01;
  d.solver.type = "newton";
  d.integrator.type = "backward-euler";
  d.contact.type = "barrier";
  d.contact.friction = 0.3;
  for (const scene::Vec3& at : {scene::Vec3{0, 0.12, 0}, upper}) {
    scene::Body body;
    body.mesh = scene::BoxMesh{{0.2, 0.2, 0.2}, {2, 2, 2}, 5};
    body.material.model = "neo-hookean";
    body.material.young = 1e5;
    body.transform.translate = at;
    d.bodies.push_back(body);
  }
  d.bodies[1].transform.rotate = {{1, 2, 1}, 20};
  scene::Obstacle floor;
  floor.shape = scene::PlaneShape{};
  d.obstacles.push_back(floor);
  return d;
}

TEST(BarrierSession, ADragAgainstTheFloorStaysAboveIt) {
  Session s = open(two_blocks());
  s.apply(Grab{{1, 0}, {0, -3, 0}, 20});
  for (int frame = 0; frame < 60; ++frame) {
    ASSERT_TRUE(s.step()) << s.failure();
    ASSERT_GT(s.state().x.col(1).minCoeff(), 0) << frame;
  }
  EXPECT_FALSE(sim::barrier_touches(s.model(), s.state().x).empty());
  s.apply(Release{});
  for (int frame = 0; frame < 20; ++frame) ASSERT_TRUE(s.step()) << s.failure();
}

// A tolerance that is coarse beside the gap, but not beside the speed: what a stiff body has left after an impact is
// its own.
TEST(BarrierSession, AnImpactIsSolvedAsFarAsTheSpeedOfTheBodyAsks) {
  for (const double young : {1e6, 1e7}) {
    double highest[2];
    for (const double tolerance : {1e-2, 1e-4}) {
      scene::Description d = two_blocks();
      d.bodies.resize(1);
      d.bodies[0].mesh = scene::BoxMesh{{0.1, 0.1, 0.1}, {3, 3, 3}};
      d.bodies[0].material.young = young;
      d.bodies[0].transform.translate = {0, 1.05, 0};
      d.timeStep = 1.0 / 120;
      d.integrator.type = "a-search";
      d.solver.tolerance = tolerance;
      d.contact.friction = 0;
      Session s = open(d);
      double& top = highest[tolerance > 1e-3 ? 0 : 1];
      top = 0;
      for (int frame = 0; frame < 120; ++frame) {
        ASSERT_TRUE(s.step()) << s.failure();
        EXPECT_TRUE(s.record().converged) << frame;
        if (frame > 60) top = std::max(top, s.state().x.col(1).mean());
      }
    }
    EXPECT_GT(highest[1], 0.9) << young;
    EXPECT_NEAR(highest[0], highest[1], 0.01) << young;
  }
}

// What an impact has taken from a soft body and no later step could give back is booked as it leaves the floor: H is on
// its target where a step ends with nothing that touches, and once the body lies still.
TEST(BarrierSession, UnderReboundHIsOnItsTargetWhileNothingTouchesAndAtRest) {
  for (const double young : {1e5, 1e6}) {
    scene::Description d = two_blocks();
    d.bodies.resize(1);
    d.bodies[0].mesh = scene::BoxMesh{{0.1, 0.1, 0.1}, {3, 3, 3}, 5};
    d.bodies[0].material.young = young;
    d.bodies[0].transform.translate = {0, 0.5, 0};
    d.bodies[0].transform.rotate = {{1, 2, 1}, 20};
    d.timeStep = 1.0 / 120;
    d.integrator.type = "rebound";
    Session s = open(d);
    int flown = 0, pressed = 0;
    double booked = 0;
    const auto off = [&] { return std::abs(s.record().measured.total() - s.record().target); };
    for (int frame = 0; frame < 600; ++frame) {
      const double scale = s.record().scale;  // before the step takes from it
      ASSERT_TRUE(s.step()) << s.failure();
      if (!sim::barrier_touches(s.model(), s.state().x).empty()) {
        ++pressed;
        continue;
      }
      // Of the first fall there is nothing to book.
      if (pressed > 0) ++flown;
      const double so_far = s.record().dissipated[static_cast<std::size_t>(sim::Dissipated::unresolved)];
      EXPECT_GE(so_far, booked) << young << ' ' << frame;
      EXPECT_LE(off(), 1.001 * d.integrator.tolerance * scale) << young << ' ' << frame;
      booked = so_far;
    }
    EXPECT_GT(flown, 40) << young;
    EXPECT_GT(pressed, 100) << young;
    EXPECT_GT(booked, 0.02) << young;
    EXPECT_LT(off(), 1e-3) << young;  // of 5 J of fall
  }
}

TEST(BarrierSession, TheLedgerKnowsWhatABarrierHolds) {
  // Put on and taken off while bodies touch: an edit is what it does to H, and the target follows.
  scene::Description d = two_blocks();
  d.integrator.type = "a-search";
  Session s = open(d);
  for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  const auto off = [&] { return std::abs(s.record().measured.total() - s.record().target); };
  scene::BodyContact contact = s.description().contact;
  contact.firmness = 4 * sim::barrier_firmness(s.model());
  const double before = off();
  s.apply(SetContact{contact});
  EXPECT_NEAR(off(), before, 1e-9);
  EXPECT_DOUBLE_EQ(sim::barrier_firmness(s.model()), *contact.firmness);
  s.apply(SetMaterial{0, d.bodies[0].material});
  EXPECT_NEAR(off(), before, 1e-9);
  for (int frame = 0; frame < 20; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  const double guard = s.record().added[static_cast<std::size_t>(sim::Added::guard)];
  EXPECT_LT(std::abs(guard), 1e-9);
}

TEST(BarrierSession, GoesBackAndReplaysToTheLastBit) {
  Ensemble ensemble(std::make_unique<Session>(scene::load_world(two_blocks()), 1));
  Journal journal(ensemble.first().description());
  journal.add_frame(ensemble);
  for (int frame = 0; frame < 30; ++frame) {
    std::vector<Command> commands;
    if (frame == 5) commands = {Grab{{1, 3}, {0.3, 0.4, 0.1}, 3}};
    if (frame == 12) commands = {Release{}, SetIntegrator{"bdf2"}};
    if (frame == 20) {
      scene::Obstacle ball;
      ball.shape = scene::SphereShape{0.1};
      ball.transform.translate = {0.6, 0.1, 0};
      commands = {AddObstacle{ball}};
    }
    if (frame == 25) commands = {RemoveObstacle{1}};
    for (Command& command : commands) {
      const Event event(Addressed{kAllPanes, std::move(command)});
      ensemble.apply(event);
      journal.add(frame, event);
    }
    ensemble.step();
    ASSERT_EQ(ensemble.first().failure(), "");
    journal.add_frame(ensemble);
  }
  // On two threads.
  Ensemble again(std::make_unique<Session>(scene::load_world(journal.scene()), 2));
  std::size_t next = 0;
  for (;;) {
    ASSERT_EQ(divergence(journal, again), "");
    for (; next < journal.entries().size() && journal.entries()[next].frame == again.frame(); ++next)
      again.apply(journal.entries()[next].event);
    if (again.frame() == journal.last()) break;
    again.step();
  }
  Session s = open(two_blocks());
  for (int frame = 0; frame < 15; ++frame) ASSERT_TRUE(s.step());
  const SavedState saved = s.save();
  for (int frame = 0; frame < 10; ++frame) ASSERT_TRUE(s.step());
  const sim::Points first = s.state().x;
  const double target = s.record().target;
  s.restore(saved);
  for (int frame = 0; frame < 10; ++frame) ASSERT_TRUE(s.step());
  EXPECT_TRUE(first == s.state().x);
  EXPECT_EQ(target, s.record().target);
}

TEST(BarrierSession, AStartThatCrossesIsNamedAndPushedApart) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int pair = 0; pair < 20; ++pair) {
    scene::Description d = two_blocks({0.08 * number(random), 0.2 + 0.06 * number(random), 0.08 * number(random)});
    d.bodies[0].name = "lower";
    d.bodies[1].name = "upper";
    d.bodies[1].transform.rotate = {{number(random), number(random), 1}, 90 * number(random)};
    if (pair % 4 == 0) d.bodies[0].fixed = std::vector<int>{0};
    if (pair % 5 == 0) d.bodies[0].transform.translate[1] = 0.05;  // and into the floor
    Session s = open(d);
    EXPECT_FALSE(s.step());
    ASSERT_TRUE(s.crossing().has_value()) << pair;
    EXPECT_NE(s.failure().find("passes through"), std::string::npos) << s.failure();
    EXPECT_NE(s.failure().find("'lower'"), std::string::npos) << s.failure();
    if (pair % 5 == 0 && pair % 4 == 0) continue;  // what is held stays in the floor
    const sim::Vec3 held = s.state().x.row(0);
    s.apply(PushApart{});
    EXPECT_EQ(s.failure(), "") << pair;
    for (int frame = 0; frame < 5; ++frame) ASSERT_TRUE(s.step()) << pair << ": " << s.failure();
    if (pair % 4 == 0) {
      EXPECT_TRUE(held == sim::Vec3(s.state().x.row(0)));
    }
  }
}

// What springs have let sink in cannot meet by a barrier; by springs again it goes on.
TEST(BarrierSession, WhatSinksInGoesOnBySpringsAgain) {
  Session s = open(two_blocks({0, 0.3, 0}));
  scene::BodyContact springs = s.description().contact, barrier = springs;
  springs.type = "springs";
  s.apply(SetContact{springs});
  int frame = 0;
  for (; frame < 60 && s.record().measured.contact == 0; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  ASSERT_GT(s.record().measured.contact, 0);
  s.apply(SetContact{barrier});
  EXPECT_FALSE(s.step());
  ASSERT_TRUE(s.crossing().has_value());
  s.apply(SetContact{springs});
  EXPECT_EQ(s.failure(), "");
  EXPECT_TRUE(s.step()) << s.failure();
}

// A stiff cube of 0.2 m, 8 kg, that is 1 mm above a floor or high in the air.
scene::Description cube_over(double y, const std::string& obstacle) {
  std::string text = R"({"rebound": 1, "timeStep": 0.01, "damping": {"coefficient": 0},
    "contact": {"type": "barrier", "distance": 0.001, "friction": 0.3, "slip": 0.001},
    "bodies": [{"mesh": {"box": {"size": [0.2, 0.2, 0.2], "divisions": [1, 1, 1]}},
                "transform": {"translate": [0, HEIGHT, 0]}, "material": {"model": "affine", "stiffness": 1e7}}],
    "obstacles": [OBSTACLE]})";
  text.replace(text.find("HEIGHT"), 6, std::to_string(y));
  text.replace(text.find("OBSTACLE"), 8, obstacle);
  return scene::parse_scene(text, "cube", ".");
}

// What gravity does in a small step is less than the tolerance of a solve.
TEST(BarrierSession, BodiesFallInSmallStepsToo) {
  for (const char* integrator : {"backward-euler", "implicit-midpoint", "bdf2", "tr-bdf2", "stabilized"})
    for (const char* solver : {"newton", "gast"}) {
      scene::Description d = cube_over(3, R"({"plane": {}})");
      d.timeStep = 5e-5;
      d.integrator.type = integrator;
      d.solver.type = solver;
      if (std::string(solver) == "gast") {
        d.contact.type = "springs";
        d.solver.tolerance = 1e-3;
      }
      Session s = open(d);
      for (int i = 0; i < 100; ++i) ASSERT_TRUE(s.step()) << s.failure();
      const double t = s.record().time;
      EXPECT_NEAR(s.state().v.col(1).mean(), -9.81 * t, 1e-3 * 9.81 * t) << integrator << " " << solver;
    }
}

TEST(BarrierSession, ABeltTakesABlockAlongAtItsSpeed) {
  constexpr double kBelt = 2, kMass = 8;
  const char* belt = R"({"box": {"size": [40, 0.2, 40]}, "transform": {"translate": [0, -0.1, 0]},
      "motion": [{"time": 0}, {"time": 10, "offset": [20, 0, 0]}]})";
  for (const char* integrator : {"backward-euler", "tr-bdf2", "sdirk2", "rebound", "stabilized"}) {
    scene::Description d = cube_over(0.101, belt);
    d.integrator.type = integrator;
    Session s = open(d);
    while (s.record().time < 1.2) ASSERT_TRUE(s.step()) << integrator << s.failure();
    EXPECT_NEAR(s.state().v.col(0).mean(), kBelt, 0.01) << integrator;
    // The belt gives m V^2, of which friction takes half.
    EXPECT_NEAR(s.record().added_total(), kMass * kBelt * kBelt, 0.08 * kMass * kBelt * kBelt) << integrator;
    EXPECT_NEAR(s.record().target, s.record().measured.total(), 0.02 * kMass * kBelt * kBelt) << integrator;
  }
}

// Blends with forward Euler had the forces of a tenth of the gap booked, which no method had applied.
TEST(BarrierSession, ALiftGivesWhatItsWayTakes) {
  const scene::Description d = scene::parse_scene(R"({"rebound": 1, "timeStep": 0.01,
    "contact": {"type": "barrier", "distance": 0.001},
    "bodies": [{"mesh": {"box": {"size": [0.2, 0.1, 0.2], "divisions": [2, 1, 2]}}, "material": {"young": 1e6},
                "transform": {"translate": [0, 0.0509, 0]}}],
    "obstacles": [{"friction": 0.3, "box": {"size": [8, 0.4, 4]}, "transform": {"translate": [0, -0.2, 0]},
                   "motion": [{"time": 0}, {"time": 10, "offset": [0, 10, 0]}]}]})",
                                                  "lift", ".");
  for (const char* integrator : {"stabilized", "rebound", "backward-euler", "tr-bdf2", "sdirk2"}) {
    scene::Description of = d;
    of.integrator.type = integrator;
    Session s = open(of);
    for (int i = 0; i < 200; ++i) {
      ASSERT_TRUE(s.step()) << integrator << s.failure();
      EXPECT_LT(s.record().measured.kinetic, 10) << integrator << " " << i;
    }
    // 4 kg, 2 m up at 1 m/s.
    EXPECT_NEAR(s.record().added_total(), 4 * (9.81 * 2 + 0.5), 6) << integrator;
  }
}

TEST(BarrierSession, RefusesMethodsThatCannotHaveOne) {
  Session s = open(two_blocks());
  EXPECT_THROW(s.apply(SetIntegrator{"siere"}), InputError);
  EXPECT_THROW(s.apply(SetIntegrator{"forward-euler"}), InputError);
  scene::Solver solver;
  solver.type = "quasi-newton";
  EXPECT_THROW(s.apply(SetSolver{solver}), InputError);
  ASSERT_TRUE(s.step());
  // By springs all of them go.
  scene::BodyContact springs = s.description().contact;
  springs.type = "springs";
  s.apply(SetContact{springs});
  s.apply(SetSolver{solver});
  ASSERT_TRUE(s.step()) << s.failure();
  EXPECT_TRUE(s.model().step_energies.empty());
}

TEST(BarrierSession, EveryIntegratorThatSolvesLivesThroughAnImpact) {
  for (const auto& info : sim::integrators()) {
    if (info.schemes.empty()) continue;
    scene::Description d = two_blocks();
    d.integrator.type = info.id;
    Session s = open(d);
    for (int frame = 0; frame < 40; ++frame) {
      ASSERT_TRUE(s.step()) << info.id << ' ' << frame << ": " << s.failure();
      ASSERT_GT(s.state().x.col(1).minCoeff(), 0) << info.id << ' ' << frame;
    }
  }
}

}  // namespace
}  // namespace rebound::test
