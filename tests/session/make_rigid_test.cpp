// A body that is made rigid, and soft again.
#include <gtest/gtest.h>

#include <sstream>

#include "mesh/error.hpp"
#include "session/saved_state.hpp"
#include "session/snapshot.hpp"
#include "session/timeline.hpp"
#include "support/affine_box.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using sim::Vec3;

scene::Description soft_box(const char* solver = "newton") {
  scene::Description d = tumbling_box("stabilized", 0.005, 1e7);
  d.solver.type = solver;
  d.bodies[0].material.model = "stable-neo-hookean";
  d.bodies[0].material.young = 1e5;
  d.bodies[0].velocity = {1, 2, 3};
  d.bodies[0].angularVelocity = {1, 6, 2};
  d.bodies[0].traces = {{3, {}}};
  return d;
}

SetMaterial made_rigid(const Session& s) {
  SetMaterial set{0, s.description().bodies[0].material};
  set.material.model = "affine";
  return set;
}

/// The centre, momenta and turn of a body.
void expect_goes_on(const sim::Measurement& before, const Session& s, const mesh::Points& surface, double near) {
  const sim::Measurement& now = s.record().measured;
  EXPECT_LT((now.p - before.p).norm(), 1e-11 * before.p.norm());
  EXPECT_LT((now.l - before.l).norm(), 1e-11 * before.l.norm());
  EXPECT_LT((s.surface(0) - surface).rowwise().norm().maxCoeff(), near);
}

TEST(MakeRigid, KeepsPlaceAndMomentaAndBackAgain) {
  Session s = open(soft_box(), 2);
  for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step());
  const int soft_vertices = s.model().vertices();
  sim::Measurement before = s.record().measured;
  mesh::Points surface = s.surface(0);
  s.apply(made_rigid(s));
  EXPECT_EQ(s.model().vertices(), 4);
  expect_goes_on(before, s, surface, 0.08);  // as far as it was deformed
  EXPECT_NEAR(s.record().measured.elastic, 0, 1e-9 * before.kinetic);
  EXPECT_NEAR(s.record().added[static_cast<std::size_t>(sim::Added::edit)],
              s.record().measured.total() - before.total(), 1e-9 * before.kinetic);
  EXPECT_LT(std::abs(energy_error(s)), 0.011);
  for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  EXPECT_LT(std::abs(energy_error(s)), 0.011);

  before = s.record().measured;
  surface = s.surface(0);
  SetMaterial soft{0, soft_box().bodies[0].material};
  s.apply(soft);
  EXPECT_EQ(s.model().vertices(), soft_vertices);
  expect_goes_on(before, s, surface, 1e-4);
  for (int frame = 0; frame < 40; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  EXPECT_LT(std::abs(energy_error(s)), 0.011);
  EXPECT_EQ(s.traces()[0].points.size(), 121u);
}

// What an explosion has made goes first: nothing that spins without gravity has less energy than none.
TEST(MakeRigid, OfWhatExplodesLeavesATargetThatCanBe) {
  scene::Description d = spinning_cube(4, 1e5);
  d.integrator.type = "implicit-midpoint";
  d.solver.type = "newton";
  Session s = open(d);
  while (s.record().times_its_target() < 5) ASSERT_TRUE(s.step()) << s.failure();
  s.apply(made_rigid(s));
  EXPECT_GT(s.record().target, 0.5 * s.record().measured.total());
  EXPECT_LT(s.record().times_its_target(), 1.5);
  s.apply(SetIntegrator{"stabilized"});
  for (int frame = 0; frame < 100; ++frame) ASSERT_TRUE(s.step()) << s.failure();
  EXPECT_LT(s.record().times_its_target(), 1.1);
}

TEST(MakeRigid, BeginsRigidAndIsMadeSoft) {
  scene::Description d = soft_box();
  d.bodies[0].material.model = "affine";
  Session s = open(d);
  for (int frame = 0; frame < 10; ++frame) ASSERT_TRUE(s.step());
  const sim::Measurement before = s.record().measured;
  const mesh::Points surface = s.surface(0);
  s.apply(SetMaterial{0, soft_box().bodies[0].material});
  EXPECT_EQ(s.model().vertices(), 5 * 3 * 2);
  expect_goes_on(before, s, surface, 1e-3);
  ASSERT_TRUE(s.step()) << s.failure();
}

TEST(MakeRigid, TheHandHoldsOn) {
  Session s = open(soft_box());
  const SurfacePoint corner{0, 0};
  const Vec3 at = body_point(s, corner).of(s.state().x);
  s.apply(Grab{corner, at, 1});
  ASSERT_TRUE(s.step());
  s.apply(made_rigid(s));
  ASSERT_TRUE(s.grab().has_value());
  EXPECT_LT((s.grab()->springs.front().point.of(s.state().x) - s.surface(0).row(0).transpose()).norm(), 1e-12);
  s.apply(MoveGrab{at + Vec3(0.1, 0, 0)});
  for (int frame = 0; frame < 20; ++frame) ASSERT_TRUE(s.step()) << s.failure();
}

TEST(MakeRigid, IsRefusedWhereItIsPinnedInPartAndWhereTheSolverDoesNotTakeIt) {
  const auto refusal = [](Session& s) -> std::string {
    const int vertices = s.model().vertices();
    try {
      s.apply(made_rigid(s));
    } catch (const InputError& error) {
      EXPECT_EQ(s.model().vertices(), vertices);
      EXPECT_TRUE(s.step());
      return error.what();
    }
    return "done";
  };
  Session pinned = open(soft_box());
  pinned.apply(Pin{{{0, 0}, {0, 1}}});
  EXPECT_NE(refusal(pinned).find("is pinned in part"), std::string::npos);
  scene::Description d = soft_box("local-global");
  d.bodies[0].material.model = "arap";
  Session other_solver = open(d);
  EXPECT_NE(refusal(other_solver).find("set /solver/type to \"newton\""), std::string::npos);
  d = soft_box();
  d.bodies[0].masses.assign(30, 1.0);
  Session by_masses = open(d);
  EXPECT_NE(refusal(by_masses).find("/masses: "), std::string::npos);
}

/// Rigid at frame 10, soft at 20, taken back at 30 and again at 35.
void live(Timeline& timeline, int frames) {
  for (int frame = 0; frame < frames; ++frame) {
    const Session& s = timeline.ensemble().first();
    if (frame == 10) timeline.apply(Addressed{kAllPanes, made_rigid(s)});
    if (frame == 12) timeline.apply(AddPane{0, "rebound"});
    if (frame == 30) timeline.apply(Addressed{0, SetMaterial{0, soft_box().bodies[0].material}});
    if (frame == 50) timeline.apply(Undo{});
    timeline.step();
  }
}

TEST(MakeRigid, IsUndoneAndRewoundAndReplayedToTheLastBit) {
  Timeline timeline(std::make_unique<Session>(scene::load_world(soft_box()), 2));
  std::vector<sim::Points> surfaces;
  live(timeline, 60);
  const auto points = [&] { return timeline.ensemble().first().surface(0); };
  const mesh::Points end = points();
  EXPECT_EQ(timeline.ensemble().first().model().vertices(), 4);  // undone: rigid again
  timeline.go_to(40);
  EXPECT_EQ(timeline.ensemble().first().model().vertices(), 30);
  timeline.go_to(5);
  EXPECT_EQ(timeline.ensemble().first().model().vertices(), 30);
  timeline.go_to(25);
  EXPECT_EQ(timeline.ensemble().first().model().vertices(), 4);
  timeline.go_to(60);
  EXPECT_EQ(points(), end);

  const Journal& journal = timeline.journal();
  Timeline again(std::make_unique<Session>(scene::load_world(soft_box()), 1));
  again.follow(journal);
  for (int frame = 0; frame < 60; ++frame) again.step();
  EXPECT_EQ(again.divergence(), "");
  EXPECT_EQ(again.ensemble().first().surface(0), end);
}

TEST(MakeRigid, IsSeenToBeHeldWhereTheSceneHoldsIt) {
  scene::Description d = soft_box();
  d.bodies[0].velocity = d.bodies[0].angularVelocity = {0, 0, 0};
  d.bodies[0].fixed = scene::BoxRegion{{-9, -9, -9}, {9, 0.1, 9}};
  Timeline timeline(std::make_unique<Session>(scene::load_world(d), 1));
  Moment moment;
  look(timeline, moment);
  const auto where = moment.panes[0].pinned;
  ASSERT_GT(where.size(), 4u);
  timeline.apply(Addressed{kAllPanes, made_rigid(timeline.ensemble().first())});
  timeline.step();
  look(timeline, moment);
  ASSERT_EQ(moment.panes[0].pinned.size(), where.size());
  for (std::size_t i = 0; i < where.size(); ++i) EXPECT_LT((moment.panes[0].pinned[i] - where[i]).norm(), 1e-9);
  EXPECT_EQ(moment.panes[0].pinned_vertices.size(), 4u) << "the whole of it";
}

// What is rigid wants another solver than what is soft: both come and go by one step.
TEST(MakeRigid, OneUndoTakesTheSolverBackThatCameWithIt) {
  scene::Description d = soft_box("local-global");
  d.bodies[0].material.model = "arap";
  d.solver.iterations = 7;
  Timeline timeline(std::make_unique<Session>(scene::load_world(d), 1));
  const auto now = [&]() -> const scene::Description& { return timeline.ensemble().first().description(); };
  for (int frame = 0; frame < 5; ++frame) timeline.step();
  SetMaterial rigid = made_rigid(timeline.ensemble().first());
  EXPECT_THROW(timeline.apply(Addressed{kAllPanes, rigid}), InputError) << "not by local/global";
  rigid.solver = d.solver;
  rigid.solver.type = "newton";
  rigid.solver.iterations.reset();
  timeline.apply(Addressed{kAllPanes, rigid});
  EXPECT_EQ(now().solver, rigid.solver);
  for (int frame = 0; frame < 5; ++frame) timeline.step();
  timeline.apply(Undo{});
  EXPECT_EQ(now().solver, d.solver);
  EXPECT_EQ(now().bodies[0].material.model, "arap");
  EXPECT_FALSE(timeline.ensemble().can_undo());
  timeline.apply(Redo{});
  EXPECT_EQ(now().solver, rigid.solver);
  EXPECT_EQ(now().bodies[0].material.model, "affine");
  for (int frame = 0; frame < 5; ++frame) timeline.step();
  EXPECT_EQ(timeline.ensemble().first().failure(), "");
  Timeline again(std::make_unique<Session>(scene::load_world(d), 1));
  again.follow(timeline.journal());
  for (int frame = 0; frame < 15; ++frame) again.step();
  EXPECT_EQ(again.divergence(), "");
}

TEST(MakeRigid, IsFoundAgainInAnotherSession) {
  Session s = open(soft_box());
  for (int frame = 0; frame < 5; ++frame) ASSERT_TRUE(s.step());
  s.apply(made_rigid(s));
  for (int frame = 0; frame < 5; ++frame) ASSERT_TRUE(s.step());
  const SavedState saved = s.save();
  Session fresh = open(soft_box());
  fresh.restore(saved);
  for (int frame = 0; frame < 20; ++frame) {
    ASSERT_TRUE(s.step());
    ASSERT_TRUE(fresh.step());
    ASSERT_EQ(s.state().x, fresh.state().x);
  }
  s.apply(Reset{});
  EXPECT_EQ(s.frame(), 0);
  EXPECT_EQ(s.model().vertices(), 4);
  ASSERT_TRUE(s.step());
}

}  // namespace
}  // namespace rebound::test
