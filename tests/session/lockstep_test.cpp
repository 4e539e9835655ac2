// Sessions that step at once: which threads run them is not seen. Run under the thread sanitizer as well.
#include "session/lockstep.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "sim/base/stop_request.hpp"
#include "support/runs.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;

/// Two blocks of rubber that a barrier keeps apart and off the floor.
scene::Description two_blocks_behind_a_barrier() {
  auto d = spinning_cube(1, 1e5);
  d.gravity = {0, -9.81, 0};
  d.contact.type = "barrier";
  d.solver.type = "newton";
  d.bodies[0].material.model = "neo-hookean";
  d.bodies.push_back(d.bodies[0]);
  d.bodies[1].name = "other";
  d.bodies[0].angularVelocity = {0, 1, 0};
  d.bodies[1].transform.translate = {0, 2, 0};
  scene::Obstacle floor;
  floor.shape = scene::PlaneShape{{0, 1, 0}, -1};
  d.obstacles.push_back(floor);
  return d;
}

/// A sheet on a ball, that touches itself.
scene::Description sheet_on_a_ball() {
  scene::Description d;
  scene::Body sheet;
  sheet.name = "sheet";
  sheet.mesh = scene::ClothMesh{{1, 1}, {12, 12}};
  sheet.material.model = "springs";
  sheet.material.stiffness = 100;
  sheet.material.density = 0.3;
  sheet.transform.translate = {0, 0.21, 0};
  d.bodies.push_back(sheet);
  d.gravity = {0, -9.81, 0};
  d.contact.self = true;
  scene::Obstacle ball;
  ball.shape = scene::SphereShape{0.2};
  ball.friction = 0.4;
  ball.stiffness = 100;
  d.obstacles.push_back(ball);
  return d;
}

void expect_equal(const Ensemble& a, const Ensemble& b) {
  ASSERT_EQ(a.panes().size(), b.panes().size());
  for (std::size_t i = 0; i < a.panes().size(); ++i) {
    const Session &one = *a.panes()[i].session, &other = *b.panes()[i].session;
    ASSERT_EQ(one.failure(), other.failure()) << i;
    ASSERT_EQ(one.state().x, other.state().x) << i;
    ASSERT_EQ(one.state().v, other.state().v) << i;
    ASSERT_EQ(one.record().target, other.record().target) << i;
  }
}

TEST(Lockstep, AnyNumberOfThreadsGivesTheSameBytes) {
  for (const scene::Description& d : {two_blocks_behind_a_barrier(), sheet_on_a_ball()}) {
    std::vector<std::unique_ptr<Ensemble>> all;
    for (const int threads : {1, 2, 5}) {
      all.push_back(std::make_unique<Ensemble>(std::make_unique<Session>(scene::load_world(d), threads)));
      for (const char* integrator : {"rebound", "stabilized", "bdf2"}) all.back()->apply(AddPane{0, integrator});
    }
    for (int frame = 0; frame < 15; ++frame) {
      for (auto& ensemble : all) ASSERT_TRUE(ensemble->step()) << ensemble->first().failure();
      for (auto& ensemble : all) ASSERT_NO_FATAL_FAILURE(expect_equal(*all[0], *ensemble)) << frame;
    }
  }
}

TEST(Lockstep, PanesComeGoAndFailOnAnyNumberOfThreads) {
  std::vector<std::unique_ptr<Ensemble>> all;
  for (const int threads : {1, 4})
    all.push_back(std::make_unique<Ensemble>(std::make_unique<Session>(scene::load_world(eventful_scene()), threads)));
  for (std::int64_t frame = 0; frame < 40; ++frame) {
    for (auto& ensemble : all) {
      for (const Event& event : eventful(frame)) ensemble->apply(event);
      if (frame == 25) ensemble->apply(AddPane{0, "forward-euler"});
      ASSERT_TRUE(ensemble->step());
    }
    ASSERT_NO_FATAL_FAILURE(expect_equal(*all[0], *all[1])) << frame;
  }
}

TEST(Lockstep, SharesOutItsThreads) {
  Ensemble ensemble(std::make_unique<Session>(scene::load_world(eventful_scene(1)), 4));
  const auto threads = [&] {
    ensemble.step();
    return ensemble.first().threads();
  };
  EXPECT_EQ(threads(), 4);
  ensemble.apply(AddPane{0, "bdf2"});
  EXPECT_EQ(threads(), 2);
  ensemble.apply(AddPane{0, "newmark"});
  EXPECT_EQ(threads(), 1);
  ensemble.apply(RemovePane{1});
  ensemble.apply(RemovePane{2});
  EXPECT_EQ(threads(), 4);
}

// Whoever waits for the thread is not held up by a step that is under way, on whatever thread it is.
TEST(Lockstep, StepsEndWhereNobodyWaitsForThem) {
  for (const int panes : {1, 2}) {
    std::vector<std::unique_ptr<Session>> sessions;
    std::vector<Session*> all;
    for (int i = 0; i < panes; ++i) {
      sessions.push_back(std::make_unique<Session>(scene::load_world(two_blocks_behind_a_barrier()), 1));
      all.push_back(sessions.back().get());
    }
    Lockstep lockstep(2);
    std::atomic<bool> nobody_waits = false;
    {
      const sim::StopRequest request(&nobody_waits);
      EXPECT_TRUE(lockstep.step(all));
      nobody_waits = true;
      EXPECT_THROW(lockstep.step(all), sim::StepAbandoned) << panes;
    }
    Session other(scene::load_world(two_blocks_behind_a_barrier()), 1);
    EXPECT_TRUE(other.step()) << "of this thread again";
  }
}

// What a step that was ended has begun is undone: the session goes on as if there had been none.
TEST(Lockstep, AnEndedStepHasNotHappened) {
  scene::Description d = spinning_cube(3);
  d.substeps = 1000;
  d.solver.type = "newton";
  d.bodies[0].attachments.push_back({std::vector<int>{0, 1}, 1e4, {}});
  Session session = open(d), other = open(d);
  ASSERT_TRUE(session.step());
  ASSERT_TRUE(other.step());
  const std::uint64_t before = checksum(session);
  {
    std::atomic<bool> nobody_waits = false;
    const sim::StopRequest request(&nobody_waits);
    std::thread ends_it([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      nobody_waits = true;
    });
    EXPECT_THROW(session.step(), sim::StepAbandoned);
    ends_it.join();
  }
  EXPECT_EQ(checksum(session), before);
  EXPECT_EQ(session.frame(), 1);
  ASSERT_TRUE(session.step());
  ASSERT_TRUE(other.step());
  EXPECT_EQ(checksum(session), checksum(other));
}

}  // namespace
}  // namespace rebound::test
