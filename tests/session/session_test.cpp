// The session: that the ledger explains every joule, whatever the user does.
#include <gtest/gtest.h>

#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "scene/parse.hpp"
#include "session/snapshot.hpp"
#include "session/tables.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

double booked(const Session& s, sim::Added cause) { return s.record().added[static_cast<int>(cause)]; }

// H before and after a command, seen from outside, must differ by what was booked.
void expect_booked(Session& s, const Command& command, sim::Added cause) {
  const double H = s.record().measured.total(), was = booked(s, cause), target = s.record().target;
  s.apply(command);
  const double change = s.record().measured.total() - H;
  EXPECT_NEAR(booked(s, cause) - was, change, 1e-9 * (1 + std::abs(H)));
  EXPECT_NEAR(s.record().target - target, change, 1e-9 * (1 + std::abs(H)));
}

TEST(SessionLedger, ExplainsWhateverTheUserDoes) {
  auto d = spinning_cube(3, 1e5);
  d.gravity = {0, -9.81, 0};
  Session s = open(d);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(s.step());
  expect_booked(s, Grab{{0, 3}, {1, 2, 3}, 1}, sim::Added::user);
  EXPECT_GT(booked(s, sim::Added::user), 0);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(s.step());
  expect_booked(s, MoveGrab{{2, 2, 3}}, sim::Added::user);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(s.step());
  expect_booked(s, Release{}, sim::Added::user);
  scene::Material stiffer = s.description().bodies[0].material;
  stiffer.young *= 3;
  stiffer.density *= 0.5;
  expect_booked(s, SetMaterial{0, stiffer}, sim::Added::edit);
  expect_booked(s, SetGravity{{0, -1.6, 0}}, sim::Added::edit);
  expect_booked(s, Pin{{{0, 0}, {0, 7}}}, sim::Added::edit);
  EXPECT_LT(booked(s, sim::Added::edit), 1e12);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(s.step());
  expect_booked(s, UnpinAll{}, sim::Added::edit);
  expect_booked(s, SetIntegrator{"bdf2"}, sim::Added::edit);
  expect_booked(s, SetTimeStep{0.01}, sim::Added::edit);
}

TEST(SessionLedger, AStabilizedDragEndsWhereTheLedgerSays) {
  auto d = spinning_cube(4, 1e5);
  d.bodies[0].angularVelocity = {0, 0, 0};
  Session s = open(d, 2);
  s.apply(Grab{{0, 10}, {0.5, 0.5, 0.5}, 1});
  for (int frame = 0; frame < 120; ++frame) {
    s.apply(MoveGrab{{0.5 + 0.02 * frame, 0.5 + std::sin(0.1 * frame), 0.5}});
    ASSERT_TRUE(s.step());
    ASSERT_LT(std::abs(energy_error(s)), 0.011) << "frame " << frame;
  }
  s.apply(Release{});
  EXPECT_GT(booked(s, sim::Added::user), 1);
  for (int frame = 0; frame < 200; ++frame) {
    ASSERT_TRUE(s.step());
    ASSERT_LT(std::abs(energy_error(s)), 0.011);
  }
  EXPECT_NEAR(s.record().measured.total(), booked(s, sim::Added::user), 0.011 * s.record().scale);
}

TEST(SessionLedger, DampingOnlyTakesAndTheTargetFollows) {
  auto d = spinning_cube(3, 1e5);
  d.bodies[0].start = scene::StretchedStart{{1.4, 1, 0.8}};
  d.damping.coefficient = 0.05;
  Session s = open(d);
  double taken = 0;
  for (int frame = 0; frame < 100; ++frame) {
    ASSERT_TRUE(s.step());
    ASSERT_GE(s.record().dissipated_total(), taken);
    taken = s.record().dissipated_total();
    ASSERT_DOUBLE_EQ(s.record().target, s.record().initial + s.record().added_total() - taken);
  }
  EXPECT_GT(taken, 0);
}

TEST(SessionLedger, EveryDampingOnlyTakes) {
  for (const auto& info : sim::dampings()) {
    auto d = spinning_cube(3, 1e5);
    d.bodies[0].start = scene::StretchedStart{{1.4, 1, 0.8}};
    d.damping = {std::string(info.id), info.id == "rayleigh" ? 1e-3 : 0.5, "second"};
    Session s = open(d);
    double taken = 0;
    for (int frame = 0; frame < 60; ++frame) {
      ASSERT_TRUE(s.step()) << info.id;
      ASSERT_GT(s.record().dissipated_total(), taken) << info.id;
      taken = s.record().dissipated_total();
      ASSERT_LT(std::abs(energy_error(s)), 0.011) << info.id;
    }
    EXPECT_GT(taken, 0.01 * s.record().initial) << info.id;
  }
}

TEST(SessionLedger, DampingAFrameIsTheSameInOneStepAndInMany) {
  // A free point under rigid-preserving damping loses nothing, two points drifting apart lose the share k a frame.
  auto d = spinning_cube(1, 1e-2);
  d.bodies[0].mesh = scene::InlineMesh{{{0, 0, 0}, {1, 0, 0}}, {}, {}};
  d.bodies[0].material = {};
  d.bodies[0].material.model = "springs";
  d.bodies[0].masses = {1, 1};
  d.bodies[0].angularVelocity = {0, 0, 0};
  d.bodies[0].transform = {};
  d.bodies[0].velocities = {{-1, 0, 0}, {1, 0, 0}};
  d.damping = {"rigid-preserving", 0.2, "frame"};
  d.integrator.type = "forward-euler";  // keeps v to the last bit where there is no force
  for (const int substeps : {1, 5, 100}) {
    d.substeps = substeps;
    Session s = open(d);
    ASSERT_TRUE(s.step());
    EXPECT_NEAR(s.state().v(1, 0), 0.8, 1e-12) << substeps;
  }
}

TEST(SessionSubsteps, AreFramesOfAShorterStep) {
  for (const auto& info : sim::integrators()) {
    // Soft enough for the explicit ones: h^2 k/m is about 0.1 for the steps that a frame is cut into.
    auto d = hanging_cloth(6, 0.5);
    d.bodies[0].attachments[0].stiffness = 5;
    d.integrator.type = info.id;
    d.bodies[0].attachments[0].motion = {{0, {0, 0, 0}}, {0.32, {0, 0.5, 0}}};
    d.damping = {"rigid-preserving", 0.3, "second"};
    SCOPED_TRACE(info.id);
    expect_substeps_are_frames(d);
  }
}

TEST(SessionSubsteps, MakeTheStepEasierAndSoDoesTheirCommand) {
  Session s = open(spinning_cube(3));
  const double whole = s.stiffness_number();
  s.apply(SetSubsteps{10});
  EXPECT_NEAR(s.stiffness_number(), whole / 100, 1e-9 * whole);
  EXPECT_THROW(s.apply(SetSubsteps{0}), InputError);
  EXPECT_EQ(s.description().substeps, 10);
}

TEST(SessionSubsteps, AFrameThatFailsInTheMiddleChangesNothing) {
  auto d = spinning_cube(2, 1e6);
  d.integrator.type = "forward-euler";
  d.substeps = 7;
  d.bodies[0].attachments.push_back({std::vector<int>{0}, 100, {{0, {0, 0, 0}}, {1, {0, 1, 0}}}});
  Session s = open(d);
  sim::State before = s.state();
  double target = s.record().target;
  int frames = 0;
  for (; frames < 5000 && s.step(); ++frames) {
    before = s.state();
    target = s.record().target;
  }
  ASSERT_FALSE(s.failure().empty());
  ASSERT_GT(frames, 0);
  EXPECT_EQ(s.state().x, before.x);
  EXPECT_EQ(s.state().v, before.v);
  EXPECT_EQ(s.record().target, target);
  // What is there is what was booked, hands included.
  s.apply(SetIntegrator{"stabilized"});
  EXPECT_EQ(s.record().target, target);
}

TEST(SessionLedger, KeyframedHandsAreBookedAsMotion) {
  auto d = hanging_cloth(8, 50);
  d.gravity = {0, 0, 0};
  d.bodies[0].attachments[0].motion = {{0, {0, 0, 0}}, {0.33, {0, 0.5, 0}}};
  Session s = open(d);
  for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step());
  EXPECT_GT(booked(s, sim::Added::motion), 0);
  EXPECT_EQ(booked(s, sim::Added::user), 0);
  EXPECT_NEAR(s.record().measured.total(), booked(s, sim::Added::motion), 0.011 * s.record().scale);
}

TEST(SessionState, ResetIsAFreshStart) {
  Session used = open(spinning_cube(3));
  used.apply(SetIntegrator{"implicit-midpoint"});
  for (int i = 0; i < 10; ++i) used.step();
  used.apply(Grab{{0, 3}, {5, 2, 3}, 10});
  used.step();
  used.apply(SetIntegrator{"stabilized"});
  used.apply(Reset{});
  Session fresh = open(spinning_cube(3));
  for (int i = 0; i < 10; ++i) {
    used.step();
    fresh.step();
    ASSERT_EQ(used.state().x, fresh.state().x);
    ASSERT_EQ(used.state().v, fresh.state().v);
    ASSERT_EQ(used.record().target, fresh.record().target);
  }
}

TEST(SessionState, AnyNumberOfThreadsGivesTheSameBytes) {
  Session one = open(spinning_cube(6), 1), three = open(spinning_cube(6), 3);
  for (int i = 0; i < 50; ++i) {
    one.step();
    three.step();
  }
  EXPECT_EQ(one.state().x, three.state().x);
  EXPECT_EQ(one.state().v, three.state().v);
}

TEST(SessionState, PinnedVerticesHoldStillAndLetGo) {
  auto d = spinning_cube(3, 1e5);
  Session s = open(d);
  s.step();
  s.apply(Pin{{{0, 5}}});
  EXPECT_TRUE(s.is_pinned({0, 5}));
  const auto held = s.surface(0).row(5).eval();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(s.step());
  EXPECT_EQ((s.surface(0).row(5) - held).norm(), 0);
  s.apply(Unpin{{{0, 5}}});
  EXPECT_FALSE(s.is_pinned({0, 5}));
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(s.step());
  EXPECT_GT((s.surface(0).row(5) - held).norm(), 1e-3);
}

TEST(SessionFailure, KeepsTheLastFiniteStateAndGoesOnAfterAReset) {
  auto d = spinning_cube(2, 1e6);
  d.integrator.type = "forward-euler";
  Session s = open(d);
  for (int i = 0; i < 5000 && s.step(); ++i) {
  }
  ASSERT_NE(s.failure().find("forward-euler"), std::string::npos);
  EXPECT_TRUE(s.state().finite());
  const std::int64_t frame = s.frame();
  EXPECT_FALSE(s.step()) << "it stands still until the user does something";
  EXPECT_EQ(s.frame(), frame);
  s.apply(SetIntegrator{"stabilized"});
  EXPECT_TRUE(s.failure().empty()) << "another integrator goes on from the last finite state";
  s.apply(Reset{});
  EXPECT_TRUE(s.failure().empty());
  EXPECT_TRUE(s.step());
}

TEST(SessionInput, RefusesWhatIsOutOfRangeAndChangesNothing) {
  Session s = open(spinning_cube(2));
  s.step();
  const sim::State before = s.state();
  scene::Material material = s.description().bodies[0].material;
  for (const double bad : std::initializer_list<double>{-1, 0, NAN, INFINITY, 1e30}) {
    EXPECT_THROW(s.apply(SetTimeStep{bad}), InputError) << bad;
    EXPECT_THROW(s.apply(SetGravity{{0, bad == 0 || bad == -1 ? NAN : bad, 0}}), InputError) << bad;
    scene::Material m = material;
    m.young = bad;
    EXPECT_THROW(s.apply(SetMaterial{0, m}), InputError) << bad;
    m = material;
    m.density = bad;
    EXPECT_THROW(s.apply(SetMaterial{0, m}), InputError) << bad;
  }
  EXPECT_THROW(s.apply(SetIntegrator{"magic"}), InputError);
  EXPECT_THROW(s.apply(SetSolver{{"local-global", 0, {}}}), InputError);
  EXPECT_THROW(s.apply(Grab{{7, 0}, {0, 0, 0}, 1}), InputError);
  EXPECT_THROW(s.apply(Grab{{0, 100000}, {0, 0, 0}, 1}), InputError);
  EXPECT_EQ(s.description().timeStep, 0.033);
  EXPECT_EQ(s.description().bodies[0].material.young, 1e6);
  EXPECT_EQ(s.state().x, before.x);
  EXPECT_TRUE(s.step());
}

TEST(SessionInput, AWorldTooStiffForDoublePrecisionIsRefused) {
  auto d = spinning_cube(2, 1e12);
  d.timeStep = 1;
  d.bodies[0].material.density = 1e-3;
  EXPECT_THROW(open(d), InputError);
}

TEST(SessionInput, HandsFlungFarAwayDoNoHarm) {
  Session s = open(spinning_cube(3, 1e5));
  s.apply(Grab{{0, 0}, {1e30, 0, 0}, 1});
  for (int i = 0; i < 100; ++i) {
    s.apply(MoveGrab{{i % 2 ? 1e6 : -1e6, 0, NAN}});
    s.apply(MoveGrab{{i % 2 ? 1e6 : -1e6, 1e6, 0}});
    ASSERT_TRUE(s.step());
  }
  s.apply(Release{});
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(s.step());
    ASSERT_LT(energy_error(s), 0.011);
  }
}

TEST(SessionSolves, TheLastIterateOfBackwardEulerIsTheFrame) {
  for (const char* solver : {"newton", "newton-cg", "gast"}) {
    auto d = spinning_cube(3, 1e5);
    d.gravity = {0, -9.81, 0};
    d.integrator.type = "backward-euler";
    d.solver.type = solver;
    Session s = open(d), silent = open(d);
    ASSERT_TRUE(s.step() && silent.step());
    EXPECT_FALSE(s.places_of_solves()) << "nobody has asked";
    s.keep_places_of_solves(1000);
    EXPECT_TRUE(s.places_of_solves()->all().empty()) << "from the next frame on";
    for (int frame = 0; frame < 3; ++frame) {
      ASSERT_TRUE(s.step() && silent.step());
      const auto places = s.places_of_solves()->all();
      ASSERT_EQ(places.size(), s.solves().size());
      EXPECT_GT(places.size(), 2u);
      EXPECT_EQ(places.back()->x, s.state().x) << solver;
      EXPECT_EQ(s.state().x, silent.state().x) << "looking changes nothing";
    }
    s.apply(Reset{});
    EXPECT_TRUE(s.places_of_solves()->all().empty());
  }
}

TEST(SessionSolves, ABodyIsSeenWhereAnIterateIs) {
  auto d = spinning_cube(2, 1e5);
  d.bodies.push_back(d.bodies[0]);
  d.bodies[1].transform.translate = {3, 0, 0};
  Session s = open(d);
  Snapshot now, moved;
  look(s, now);
  const sim::Points aside = (s.state().x.array() + 0.5).matrix();
  look(s, aside, moved);
  ASSERT_EQ(now.surfaces.size(), 2u);
  for (std::size_t body = 0; body < 2; ++body)
    for (std::size_t i = 0; i < now.surfaces[body].size(); ++i)
      ASSERT_NEAR(moved.surfaces[body][i], now.surfaces[body][i] + 0.5f, 1e-5f);
}

TEST(Tables, HaveThePublicColumnsAndReadBackExactly) {
  EXPECT_EQ(ledger_header().rfind("frame,time,kinetic,elastic,gravity,attachment,contact,total,target,added,dissipated,"
                                  "blend,px,py,pz,lx,ly,lz,iterations,step_ms",
                                  0),
            0u);
  Session s = open(spinning_cube(2));
  s.step();
  const std::string row = ledger_row(s.record());
  const std::string header = ledger_header();
  EXPECT_EQ(std::count(row.begin(), row.end(), ','), std::count(header.begin(), header.end(), ','));
  const std::string states = states_rows(s);
  const std::string first = states.substr(0, states.find('\n'));
  std::vector<double> values;
  for (std::size_t at = 0; at != std::string::npos;) {
    values.push_back(std::stod(first.substr(at)));
    at = first.find(',', at);
    if (at != std::string::npos) ++at;
  }
  ASSERT_EQ(values.size(), 9u);
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(values[3 + c], s.state().x(0, c));
    EXPECT_EQ(values[6 + c], s.state().v(0, c));
  }
}

// A scene that is saved in mid-motion opens with what was pinned by hand.
TEST(Session, PinsGoIntoASavedScene) {
  scene::Description d = spinning_cube(2, 1e5);
  d.bodies.push_back(d.bodies[0]);
  d.bodies[1].name = "hung";
  d.bodies[1].transform.translate = {3, 0, 0};
  d.bodies[1].fixed = std::vector<int>{4, 7};
  Session s = open(d);
  const auto vertices = [&] {
    std::vector<int> pinned;
    for (int v = 0; v < s.model().vertices(); ++v)
      if (s.model().fixed[static_cast<std::size_t>(v)]) pinned.push_back(v);
    return pinned;
  };
  const auto saved = [&] { return scene::with_pins(s.description(), s.world().bodies, vertices()); };
  EXPECT_EQ(saved(), s.description());
  s.apply(Pin{{{0, 1}, {0, 5}, {1, 2}}});
  for (int frame = 0; frame < 5; ++frame) ASSERT_TRUE(s.step());
  const Session opened = open(scene::parse_scene(scene::to_text(saved(), "."), "saved", "."));
  EXPECT_EQ(opened.model().fixed, s.model().fixed);
  s.apply(UnpinAll{});
  EXPECT_EQ(std::get<std::vector<int>>(saved().bodies[1].fixed), std::vector<int>{});
}

}  // namespace
}  // namespace rebound::test
