// The session's own thread: nothing is lost, nothing races, nothing hangs. Run under the thread sanitizer as well.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "session/loader.hpp"
#include "session/runner.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using namespace std::chrono_literals;

std::unique_ptr<Session> small_session() { return std::make_unique<Session>(scene::load_world(spinning_cube(2)), 2); }

template <class Condition>
bool wait_for(const Condition& condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

TEST(RunnerThread, StepsInRealTimeAndHandsOverEveryRecord) {
  Runner runner(small_session(), false);
  runner.set_speed(4);
  std::vector<FrameRecord> all;
  EXPECT_TRUE(wait_for([&] {
    for (auto& r : runner.take_records()) all.push_back(r);
    return all.size() >= 40;
  }));
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i].frame, static_cast<std::int64_t>(i + 1));
}

TEST(RunnerThread, ATracedPathHasEveryStateHoweverSeldomOneLooks) {
  auto d = spinning_cube(2);
  d.bodies[0].traces = {{3, {0}}};
  Runner runner(std::make_unique<Session>(scene::load_world(d), 1), false);
  runner.set_speed(100);
  Snapshot snapshot;
  ASSERT_TRUE(wait_for([&] { return runner.latest(snapshot) && snapshot.record.frame >= 50; }));
  ASSERT_EQ(snapshot.traces.size(), 1u);
  const auto& points = snapshot.traces[0].points;
  ASSERT_EQ(points.size(), static_cast<std::size_t>(snapshot.record.frame) + 1);
  Session alone(scene::load_world(d), 1);
  for (const auto& point : points) {
    ASSERT_EQ(point, sim::Vec3(alone.state().x.row(3).transpose())) << "frame " << alone.frame();
    alone.step();
  }
}

TEST(RunnerThread, PausesStepsOnceAndGoesOn) {
  Runner runner(small_session(), true);
  std::this_thread::sleep_for(80ms);
  EXPECT_TRUE(runner.take_records().empty());
  runner.step_once();
  EXPECT_TRUE(wait_for([&] { return runner.take_records().size() == 1; }));
  std::this_thread::sleep_for(80ms);
  EXPECT_TRUE(runner.take_records().empty());
  runner.set_paused(false);
  EXPECT_TRUE(wait_for([&] { return !runner.take_records().empty(); }));
}

TEST(RunnerThread, AppliesCommandsWhilePausedAndReportsRefusals) {
  Runner runner(small_session(), true);
  Snapshot snapshot;
  ASSERT_TRUE(runner.latest(snapshot));
  EXPECT_FALSE(runner.latest(snapshot));
  runner.post(Grab{{0, 3}, {1, 2, 3}, 1});
  runner.post(SetTimeStep{-1});
  EXPECT_TRUE(wait_for([&] { return runner.latest(snapshot) && snapshot.grab.has_value(); }));
  EXPECT_EQ(snapshot.grab->point.vertex, 3);
  std::vector<std::string> refusals;
  EXPECT_TRUE(wait_for([&] {
    for (auto& r : runner.take_refusals()) refusals.push_back(r);
    return !refusals.empty();
  }));
  EXPECT_NE(refusals[0].find("-1"), std::string::npos);
}

TEST(RunnerThread, SurvivesAStormOfCommandsAndLooks) {
  Runner runner(small_session(), false);
  runner.set_speed(50);
  std::atomic<bool> stop{false};
  std::thread looker([&] {
    Snapshot snapshot;
    while (!stop) {
      runner.latest(snapshot);
      runner.take_records();
      std::this_thread::sleep_for(1ms);
    }
  });
  for (int i = 0; i < 300; ++i) {
    const auto& list = sim::integrators();
    runner.post(SetIntegrator{std::string(list[static_cast<std::size_t>(i) % list.size()].id)});
    runner.post(Grab{{0, i % 8}, {0.1 * i, 0, 0}, 1});
    for (int k = 0; k < 10; ++k) runner.post(MoveGrab{{0.1 * k, 0.2, 0}});
    if (i % 7 == 0) runner.post(Pin{{{0, i % 8}}});
    if (i % 11 == 0) runner.post(UnpinAll{});
    if (i % 13 == 0) runner.post(Reset{});
    runner.set_paused(i % 5 == 0);
    std::this_thread::sleep_for(1ms);
  }
  stop = true;
  looker.join();
}

TEST(LoaderThread, OpensReportsErrorsAndCancels) {
  Loader good([] { return spinning_cube(2); }, 1);
  ASSERT_TRUE(wait_for([&] { return good.status().finished; }));
  EXPECT_NE(good.take(), nullptr);
  EXPECT_EQ(good.error(), "");

  Loader bad([]() -> scene::Description { throw InputError("file.json:1: nonsense"); }, 1);
  ASSERT_TRUE(wait_for([&] { return bad.status().finished; }));
  EXPECT_EQ(bad.take(), nullptr);
  EXPECT_EQ(bad.error(), "file.json:1: nonsense");

  Loader cancelled(
      [] {
        std::this_thread::sleep_for(100ms);
        return spinning_cube(8);
      },
      1);
  cancelled.cancel();
  ASSERT_TRUE(wait_for([&] { return cancelled.status().finished; }));
  EXPECT_EQ(cancelled.take(), nullptr);
  EXPECT_EQ(cancelled.error(), "");
}

}  // namespace
}  // namespace rebound::test
