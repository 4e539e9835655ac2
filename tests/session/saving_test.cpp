// A session that is put back goes on as it did the first time, to the last byte.
#include <gtest/gtest.h>

#include "session/saved_state.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

scene::Material stiffer(const Session& s, double by) {
  scene::Material m = s.description().bodies[0].material;
  m.young *= by;
  m.stiffness *= by;
  return m;
}

/// What happens to a session before each of its frames.
using Story = std::function<void(Session&, int frame)>;

void live_on(Session& s, const Story& story, int from, int to, std::vector<SavedState>* kept) {
  for (int frame = from; frame < to; ++frame) {
    story(s, frame);
    ASSERT_TRUE(s.step()) << s.failure();
    if (kept != nullptr) kept->push_back(s.save());
  }
}

void expect_same(const SavedState& then, const Session& now, const std::string& when) {
  const FrameRecord &a = then.record, &b = now.record();
  ASSERT_EQ(a.frame, b.frame) << when;
  ASSERT_EQ(then.now->x, now.state().x) << when;
  ASSERT_EQ(then.now->v, now.state().v) << when;
  ASSERT_EQ(a.measured.total(), b.measured.total()) << when;
  ASSERT_EQ(a.target, b.target) << when;
  ASSERT_EQ(a.added, b.added) << when;
  ASSERT_EQ(a.dissipated, b.dissipated) << when;
  ASSERT_EQ(a.time, b.time) << when;
  ASSERT_EQ(a.blend, b.blend) << when;
  ASSERT_EQ(a.iterations, b.iterations) << when;
  ASSERT_EQ(then.setup->description, now.description()) << when;
  ASSERT_EQ(then.traces.paths().size(), now.traces().size()) << when;
  for (std::size_t i = 0; i < now.traces().size(); ++i)
    ASSERT_EQ(then.traces.paths()[i].points, now.traces()[i].points) << when;
}

/// Lives through the story, then goes back to several of its frames, in the session itself and in a fresh one, and
/// lives on from there.
void expect_the_same_again(const scene::Description& d, const Story& story, int frames, const std::string& what) {
  Session s = open(d, 2);
  std::vector<SavedState> kept{s.save()};
  live_on(s, story, 0, frames, &kept);
  if (testing::Test::HasFatalFailure()) return;
  Session fresh = open(d, 1);
  for (Session* other : {&s, &fresh})
    for (const int back : {frames - 3, frames / 2, 0, frames / 3}) {
      other->restore(kept[static_cast<std::size_t>(back)]);
      expect_same(kept[static_cast<std::size_t>(back)], *other, what);
      for (int frame = back; frame < frames; ++frame) {
        live_on(*other, story, frame, frame + 1, nullptr);
        expect_same(kept[static_cast<std::size_t>(frame) + 1], *other,
                    what + ", back at " + std::to_string(back) + ", frame " + std::to_string(frame + 1) +
                        (other == &fresh ? ", another session" : ""));
        if (testing::Test::HasFatalFailure()) return;
      }
    }
}

// In single precision, where new points touch while a hand holds: what is learnt of them is of no other solve.
TEST(Saving, GoesOnAsBeforeWhereWhatIsHeldComesToTouchMore) {
  scene::Description d;
  scene::Body body;
  body.mesh = scene::BoxMesh{{1, 1, 1}, {11, 11, 11}, 5};
  body.material.young = 2e4;
  body.transform.translate = {0, 0.7, 0};
  body.transform.rotate = {{0, 0, 1}, 20};
  d.bodies.push_back(body);
  scene::Obstacle floor;
  floor.shape = scene::PlaneShape{};
  floor.stiffness = 2e3;
  d.obstacles.push_back(floor);
  const auto story = [](Session& s, int frame) {
    if (frame == 2) s.apply(Grab{{0, static_cast<int>(s.surface(0).rows()) - 1}, {0.6, 0.9, 0.6}, 2});
    if (frame > 2) s.apply(MoveGrab{{0.6 + 0.02 * frame, 0.9 - 0.04 * frame, 0.6}});
  };
  for (const char* integrator : {"stabilized", "rebound", "backward-euler"}) {
    d.integrator.type = integrator;
    expect_the_same_again(d, story, 30, integrator);
    if (HasFatalFailure()) return;
  }
}

void hand_and_pins(Session& s, int frame) {
  if (frame == 3) s.apply(Grab{{0, 6}, {0.8, 0.5, 0.5}, 1});
  if (frame > 3 && frame < 12) s.apply(MoveGrab{{0.8, 0.5 + 0.02 * frame, 0.5}});
  if (frame == 7) s.apply(Pin{{{0, 1}, {0, 2}}});
  if (frame == 9) s.apply(Pin{{{0, 4}}});
  if (frame == 12) s.apply(Release{});
  if (frame == 14) s.apply(Unpin{{{0, 2}}});
}

TEST(Saving, GoesOnAsBeforeWithEveryIntegratorAndSolver) {
  for (const auto& integrator : sim::integrators())
    for (const auto& solver : sim::solvers()) {
      auto d = spinning_cube(3, 1e4);
      d.bodies[0].angularVelocity = {0, 4, 0};
      d.timeStep = 0.01;
      d.bodies[0].attachments.push_back({std::vector<int>{0}, 1e3, {{0, {0, 0, 0}}, {0.1, {0, 0.1, 0}}}});
      d.bodies[0].traces = {{3, {0}}};
      d.damping = {"rigid-preserving", 0.05, "frame"};
      d.integrator.type = integrator.id;
      d.solver.type = solver.id;
      for (const int substeps : {1, 3}) {
        d.substeps = substeps;
        expect_the_same_again(
            d, hand_and_pins, 18,
            std::string(integrator.id) + ", " + std::string(solver.id) + ", " + std::to_string(substeps) + " substeps");
        if (HasFatalFailure()) return;
      }
    }
}

TEST(Saving, GoesOnAsBeforeInSinglePrecision) {
  for (const bool acceleration : {false, true}) {
    auto d = spinning_cube(12, 1e5);
    d.solver.acceleration = acceleration;
    expect_the_same_again(d, hand_and_pins, 18, "2197 vertices");
  }
}

TEST(Saving, GoesBackAcrossEverySetting) {
  for (const int divisions : {4, 12}) {
    auto d = spinning_cube(divisions, 1e5);
    d.gravity = {0, -9.81, 0};
    const Story settings = [](Session& s, int frame) {
      if (frame == 1) s.apply(SetIntegrator{"bdf2"});
      if (frame == 3) s.apply(SetMaterial{0, stiffer(s, 2)});
      if (frame == 4) s.apply(SetTimeStep{0.02});
      if (frame == 5) s.apply(SetSubsteps{2});
      if (frame == 6) s.apply(SetGravity{{0, -1.6, 0}});
      if (frame == 7) s.apply(SetDamping{{"rayleigh", 1e-3, "second"}});
      if (frame == 8) s.apply(SetIntegrator{"stabilized"});
      if (frame == 8) s.apply(SetBlend{0.001, false});
      if (frame == 9) s.apply(SetSolver{{"local-global", 6, {}, true}});
      // More pins than a factor takes on top: it is made anew, and rounds otherwise from here on.
      if (frame == 10)
        s.apply(Pin{{{0, 0},
                     {0, 1},
                     {0, 2},
                     {0, 3},
                     {0, 4},
                     {0, 5},
                     {0, 6},
                     {0, 7},
                     {0, 8},
                     {0, 9},
                     {0, 10},
                     {0, 11},
                     {0, 12},
                     {0, 13},
                     {0, 14},
                     {0, 15},
                     {0, 16},
                     {0, 17}}});
      if (frame == 12) s.apply(Unpin{{{0, 3}}});
      if (frame == 13) s.apply(Pin{{{0, 3}}});
      if (frame == 14 && s.model().vertices() < 1000) s.apply(SetSolver{{"newton", 3, {}}});
      if (frame == 16) s.apply(SetSolver{{"local-global", 10, {}}});
      if (frame == 17) s.apply(SetMaterial{0, stiffer(s, 0.5)});
      if (frame == 18) s.apply(UnpinAll{});
    };
    expect_the_same_again(d, settings, 21, std::to_string(divisions) + " divisions");
    if (HasFatalFailure()) return;
  }
}

TEST(Saving, GoesBackAmongContactsOfBodies) {
  auto d = hanging_cloth(10, 1e3);
  d.timeStep = 0.01;
  d.bodies[0].attachments.clear();
  d.bodies[0].velocity = {0, -2, 0};
  scene::Body ball;
  ball.name = "ball";
  ball.mesh = scene::SphereMesh{0.5, 6};
  ball.transform.translate = {0.1, -0.55, 0};
  d.bodies.push_back(ball);
  int contacts = 0;
  const auto switched = [](Session& s, bool on) {
    scene::BodyContact contact = s.description().contact;
    contact.self = contact.bodies = on;
    s.apply(SetContact{contact});
  };
  expect_the_same_again(
      d,
      [&](Session& s, int frame) {
        if (frame == 2 || frame == 26) switched(s, true);
        if (frame == 22) switched(s, false);
        contacts += static_cast<int>(s.contacts().size());
      },
      34, "bodies in contact");
  EXPECT_GT(contacts, 100);
}

TEST(Saving, KeepsAFailureAndASunkenTargetsCount) {
  auto d = spinning_cube(2, 1e6);
  d.integrator.type = "forward-euler";
  Session s = open(d);
  while (s.step()) {
  }
  const SavedState failed = s.save();
  const std::string why = s.failure();
  s.apply(Reset{});
  s.restore(failed);
  EXPECT_EQ(s.failure(), why);
  EXPECT_FALSE(s.step());
  EXPECT_TRUE(s.state().finite());
}

TEST(Saving, ATwinLivesTheSameLifeAndIsItsOwn) {
  for (const int divisions : {4, 12}) {
    auto d = spinning_cube(divisions, 1e5);
    Session s = open(d);
    live_on(s, hand_and_pins, 0, 10, nullptr);
    const auto twin = s.twin();
    EXPECT_EQ(twin->world().bodies[0].rest, s.world().bodies[0].rest);
    for (int frame = 10; frame < 16; ++frame) {
      live_on(s, hand_and_pins, frame, frame + 1, nullptr);
      live_on(*twin, hand_and_pins, frame, frame + 1, nullptr);
      expect_same(s.save(), *twin, "frame " + std::to_string(frame + 1));
    }
    twin->apply(SetIntegrator{"backward-euler"});
    const sim::State before = s.state();
    ASSERT_TRUE(twin->step());
    EXPECT_EQ(s.state().x, before.x);
    EXPECT_EQ(s.description().integrator.type, "stabilized");
  }
}

TEST(Saving, SharesWhatIsTheSame) {
  Session s = open(spinning_cube(6));
  s.step();
  const SavedState first = s.save(), again = s.save();
  EXPECT_EQ(first.now, again.now) << "nothing has moved since";
  s.step();
  const SavedState second = s.save();
  EXPECT_EQ(second.before, first.now) << "what is looked back on is the frame before";
  EXPECT_NE(second.now, first.now);
  EXPECT_EQ(second.setup, first.setup) << "the description is kept once";
  s.apply(SetIntegrator{"bdf2"});
  EXPECT_NE(s.save().setup, first.setup);
}

}  // namespace
}  // namespace rebound::test
