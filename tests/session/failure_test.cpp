// An explosion: it stops while there is something to look at, says where it broke, and the way back is open.
#include <gtest/gtest.h>

#include "session/saved_state.hpp"
#include "session/timeline.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

/// Steps until it fails, and checks what must hold then.
void fail_finitely(Session& s) {
  sim::State before = s.state();
  for (int i = 0; i < 20'000 && s.step(); ++i) before = s.state();
  ASSERT_NE(s.failure(), "");
  EXPECT_EQ(s.failure().find('\n'), std::string::npos);
  EXPECT_EQ(s.failure().rfind("frame " + std::to_string(s.frame() + 1) + ": ", 0), 0u) << s.failure();
  EXPECT_EQ(s.state().x, before.x) << "the last good state stays";
  EXPECT_EQ(s.state().v, before.v);
  EXPECT_TRUE(s.state().finite());
  EXPECT_TRUE(std::isfinite(s.record().measured.total()));
  ASSERT_TRUE(s.failure_site() && s.failure_site()->element);
  EXPECT_NE(s.failure().find("body 'cube'"), std::string::npos) << s.failure();
}

Session one_that_runs_away() {
  auto d = spinning_cube(5, 1e6);
  d.integrator.type = "symplectic-euler";
  d.runaway = 100;
  return open(d);
}

TEST(Explosion, StopsBeforeItsNumbersAreOfNoUse) {
  for (const char* integrator : {"forward-euler", "symplectic-euler"}) {
    auto d = spinning_cube(5, 1e6);
    d.integrator.type = integrator;
    Session s = open(d);
    fail_finitely(s);
    if (HasFatalFailure()) return;
    // What a float has room for, and a picture.
    EXPECT_LT(s.state().x.cwiseAbs().maxCoeff(), 1e9) << integrator;
    EXPECT_LE(s.record().measured.total() - s.record().target, 1e6 * s.record().scale) << integrator;
    EXPECT_NE(s.failure().find("a million times"), std::string::npos) << s.failure();
    EXPECT_FALSE(s.failure_site()->vertex) << "all is still finite";
    EXPECT_GT(s.failure_site()->element->stretch, 5);
  }
}

TEST(Explosion, StopsAtTheLimitThatTheSceneSets) {
  Session s = one_that_runs_away();
  fail_finitely(s);
  if (HasFatalFailure()) return;
  const double times = s.record().times_its_target();
  EXPECT_GT(times, 100);
  EXPECT_NE(s.failure().find("times its target"), std::string::npos) << s.failure();
  // Saved and restored it stands still as well; another method may try, and brings it down.
  const SavedState saved = s.save();
  s.restore(saved);
  EXPECT_FALSE(s.step());
  s.apply(SetIntegrator{"backward-euler"});
  EXPECT_EQ(s.failure(), "");
  ASSERT_TRUE(s.step());
  EXPECT_LT(s.record().times_its_target(), times);
  ASSERT_TRUE(s.step());
}

// The hand is for all panes, and one of them may stand still.
TEST(Explosion, CannotBePulledAtWhereItStandsStill) {
  Session s = one_that_runs_away();
  fail_finitely(s);
  if (HasFatalFailure()) return;
  const FrameRecord before = s.record();
  s.apply(Grab{{0, 0}, {5, 5, 5}});
  s.apply(MoveGrab{{9, 5, 5}});
  EXPECT_FALSE(s.grab());
  EXPECT_EQ(s.record().measured.total(), before.measured.total());
  EXPECT_EQ(s.record().added_total(), before.added_total());
  s.apply(Release{});
  s.apply(SetIntegrator{"backward-euler"});
  s.apply(Grab{{0, 0}, {5, 5, 5}});
  EXPECT_TRUE(s.grab()) << "it may be pulled at again";
}

TEST(Explosion, GoesOnBeyondThatWhereTheSceneSetsNoLimit) {
  auto d = spinning_cube(5, 1e6);
  d.integrator.type = "symplectic-euler";
  Session s = open(d);
  while (s.step()) {
  }
  EXPECT_GT(s.record().times_its_target(), 200);
}

TEST(Explosion, NamesTheElementThatIsPulledFurthest) {
  // Two of which the second is thrown apart at one corner.
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.integrator.type = "forward-euler";
  scene::Body quiet = cube_body(2, 1e-2), torn;
  quiet.name = "quiet";
  torn.name = "cube";
  torn.mesh = scene::InlineMesh{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1}, {1, 2}}, {}};
  torn.material.model = "springs";
  torn.material.stiffness = 1e3;
  torn.masses = {1e9, 1e9, 1};
  torn.velocities = {{0, 0, 0}, {0, 0, 0}, {0, 1, 0}};
  torn.transform.translate = {0, 5, 0};
  d.bodies = {quiet, torn};
  Session s = open(d);
  fail_finitely(s);
  if (HasFatalFailure()) return;
  const auto element = *s.failure_site()->element;
  EXPECT_EQ(element.body, 1);
  EXPECT_EQ(element.element, 1);
  EXPECT_EQ(element.kind, sim::ElementKind::edges);
  EXPECT_NE(s.failure().find("spring 1 is stretched to"), std::string::npos) << s.failure();
}

TEST(Explosion, FindsTheVertexThatIsNowhere) {
  Session s = open(spinning_cube(2));
  for (const bool in_velocity : {false, true}) {
    sim::State broken = s.state();
    (in_velocity ? broken.v : broken.x)(7, 1) = NAN;
    broken.x(11, 0) = INFINITY;
    const FailureSite failure_site = find_failure_site(s.world(), s.model(), s.state(), broken);
    ASSERT_TRUE(failure_site.vertex);
    EXPECT_EQ(failure_site.vertex->vertex, 7);
    EXPECT_EQ(wording(failure_site, s.world()).rfind("body 'cube': vertex 7 is not finite, tetrahedron ", 0), 0u)
        << wording(failure_site, s.world());
    EXPECT_NEAR(failure_site.element->stretch, 1, 1e-12) << "it is at rest in its last good state";
  }
  // A stretch that is known: F = diag(3, 1, 1), turned.
  sim::State stretched = s.state();
  stretched.x.col(2) *= 3;
  EXPECT_NEAR(find_failure_site(s.world(), s.model(), s.state(), stretched).element->stretch, 3, 1.0);
  auto d = spinning_cube(2);
  d.bodies[0].transform.rotate.angle = 0;
  Session upright = open(d);
  stretched = upright.state();
  stretched.x.col(0) *= 3;
  EXPECT_NEAR(find_failure_site(upright.world(), upright.model(), upright.state(), stretched).element->stretch, 3,
              1e-12);
}

TEST(Explosion, IsNoneWhereEnergyIsWhatItShouldBe) {
  // Far from rest, flung about, at rest, without weight, in units of millimetres: none of it is an explosion.
  std::vector<scene::Description> scenes(5, spinning_cube(3, 1e5));
  scenes[0].bodies[0].start = scene::RandomizedStart{3};
  scenes[1].bodies[0].angularVelocity = {0, 200, 0};
  scenes[2].bodies[0].angularVelocity = {0, 0, 0};
  scenes[3].gravity = {0, -9.81, 0};
  scenes[4].bodies[0].transform.scale = 1e-3;
  for (auto& d : scenes)
    for (const char* integrator : {"stabilized", "backward-euler"}) {
      d.integrator.type = integrator;
      Session s = open(d);
      for (int i = 0; i < 60; ++i) {
        if (i == 20) s.apply(Grab{{0, 3}, {100, 0, 0}, 100});
        if (i == 30) s.apply(Release{});
        ASSERT_TRUE(s.step()) << s.failure();
      }
    }
}

TEST(Explosion, IsNotMadeByDampingThatTakesMadeUpEnergy) {
  // [Dinev18 Fig. 6]: midpoint makes energy, damping takes more than there ever was, and the ledger's target sinks.
  auto d = spinning_cube(4, 1e6);
  d.integrator.type = "implicit-midpoint";
  d.bodies[0].angularVelocity = {0, 0, 0};
  d.bodies[0].start = scene::RandomizedStart{1};
  d.damping.coefficient = 0.08;
  Session s = open(d);
  bool sunken = false;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(s.step()) << s.failure();
    sunken = sunken || s.record().target < 0;
  }
  EXPECT_TRUE(sunken) << "the test is about a target that has sunk";
}

// Whichever of its steps it was that failed.
TEST(Explosion, AFrameOfSeveralStepsThatFailsChangesNothing) {
  for (const int substeps : {1, 2, 5}) {
    auto d = spinning_cube(5, 1e6);
    d.integrator.type = "symplectic-euler";
    d.substeps = substeps;
    d.gravity = {0, -9.81, 0};
    scene::Obstacle ground;
    ground.shape = scene::PlaneShape{};
    ground.transform.translate = {0, -0.6, 0};
    ground.friction = 0.3;
    d.obstacles.push_back(ground);
    d.bodies[0].attachments.push_back({std::vector<int>{0}, 100, {{0, {0, 0, 0}}, {1, {0, 1, 0}}}});
    Session s = open(d);
    for (;;) {
      const SavedState before = s.save();
      const double time = s.record().time;
      if (s.step()) continue;
      const SavedState after = s.save();
      EXPECT_EQ(after.now->x, before.now->x);
      EXPECT_EQ(after.now->v, before.now->v);
      EXPECT_EQ(after.targets, before.targets);
      EXPECT_EQ(after.poses, before.poses);
      EXPECT_EQ(after.ledger.target(), before.ledger.target());
      EXPECT_EQ(after.memory->method.held, before.memory->method.held);
      EXPECT_EQ(after.contact_knowledge, before.contact_knowledge);
      const auto &now = after.memory->contacts.contacts, &then = before.memory->contacts.contacts;
      ASSERT_EQ(now.size(), then.size());
      for (std::size_t c = 0; c < now.size(); ++c) {
        EXPECT_EQ(now[c].x_s, then[c].x_s);
        EXPECT_EQ(now[c].friction_impulse, then[c].friction_impulse);
      }
      EXPECT_EQ(s.record().time, time);
      break;
    }
  }
}

TEST(Explosion, LeavesTheWayBackOpen) {
  auto d = spinning_cube(5, 1e6);
  d.integrator.type = "symplectic-euler";
  Timeline timeline(std::make_unique<Session>(scene::load_world(d), 1));
  while (timeline.step()) {
  }
  const std::string why = timeline.ensemble().first().failure();
  EXPECT_NE(why.find("go back"), std::string::npos);
  const std::int64_t end = timeline.last();
  timeline.go_to(end - 20);
  timeline.apply(Addressed{0, SetIntegrator{"stabilized"}});
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(timeline.step());
  ASSERT_FALSE(timeline.ghosts().empty());
  EXPECT_EQ(timeline.ghosts()[0]->integrator, "symplectic-euler");
}

}  // namespace
}  // namespace rebound::test
