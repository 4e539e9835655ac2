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
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i].frame, static_cast<std::int64_t>(i));
}

// A frame of a large world takes longer than a pause.
TEST(Pace, SaysHowSlowAFrameIsHoweverSlow) {
  constexpr double h = 0.033;
  const Pace::Clock::time_point start{};
  Pace pace;
  EXPECT_EQ(pace.real_time(), 1);
  pace.spent.step_ms = 1100;
  pace.frame(h, h, start);
  EXPECT_NEAR(pace.real_time(), h / 1.1, 1e-12);
  pace.spent.step_ms = 1100;
  pace.frame(2 * h, h, start + 1110ms);
  EXPECT_NEAR(pace.real_time(), h / 1.11, 1e-12);
  EXPECT_NEAR(pace.budget().waiting_ms, 10, 1e-9);
  pace.spent.step_ms = 1;
  pace.frame(3 * h, h, start + 2220ms);
  EXPECT_EQ(pace.real_time(), 1) << "a pause says nothing";
}

TEST(RunnerThread, HandsOverItsFirstFrameHoweverLateOneLooks) {
  Runner runner(small_session(), false);
  runner.set_speed(20);
  std::uint64_t serial = 0;
  Snapshot snapshot;
  ASSERT_TRUE(wait_for([&] { return runner.latest(serial, snapshot) && snapshot.record.frame >= 5; }));
  const auto records = runner.take_records();
  ASSERT_FALSE(records.empty());
  EXPECT_EQ(records.front().frame, 0);
  EXPECT_EQ(records.front().time, 0);
}

TEST(RunnerThread, ATracedPathHasEveryStateHoweverSeldomOneLooks) {
  auto d = spinning_cube(2);
  d.bodies[0].traces = {{3, {0}}};
  Runner runner(std::make_unique<Session>(scene::load_world(d), 1), false);
  runner.set_speed(100);
  std::uint64_t serial = 0;
  Snapshot snapshot;
  ASSERT_TRUE(wait_for([&] { return runner.latest(serial, snapshot) && snapshot.record.frame >= 50; }));
  ASSERT_EQ(snapshot.traces.size(), 1u);
  const auto& points = snapshot.traces[0].points;
  ASSERT_EQ(points.size(), static_cast<std::size_t>(snapshot.record.frame) + 1);
  Session alone(scene::load_world(d), 1);
  for (const auto& point : points) {
    ASSERT_EQ(point, sim::Vec3(alone.state().x.row(3).transpose())) << "frame " << alone.frame();
    alone.step();
  }
}

TEST(RunnerThread, AFieldIsInTheMomentsWhileSomebodyLooksAtIt) {
  Runner runner(small_session(), true);
  std::uint64_t serial = 0;
  Snapshot snapshot;
  ASSERT_TRUE(wait_for([&] { return runner.latest(serial, snapshot); }));
  EXPECT_EQ(snapshot.field.kind, FieldKind::none);
  for (int i = 0; i < 20; ++i) runner.step_once();
  runner.show_field(FieldKind::stress);
  ASSERT_TRUE(wait_for([&] {
    return runner.latest(serial, snapshot) && snapshot.field.kind == FieldKind::stress && snapshot.record.frame == 20;
  }));
  ASSERT_EQ(snapshot.field.bodies.size(), 1u);
  EXPECT_EQ(snapshot.field.bodies[0].size(), snapshot.surfaces[0].size() / 3);
  EXPECT_GT(snapshot.field.top, 0);
  const auto& points = snapshot.field.bodies[0];
  // Of so few points the hottest may be the two per cent above the top.
  EXPECT_GE(*std::max_element(points.begin(), points.end()), static_cast<float>(snapshot.field.top));
  runner.show_field(FieldKind::none);
  ASSERT_TRUE(wait_for([&] { return runner.latest(serial, snapshot) && snapshot.field.kind == FieldKind::none; }));
  EXPECT_FALSE(snapshot.field.has_any());
}

// It waits behind a command that is being prepared when the window is closed.
TEST(RunnerThread, ASaveThatIsGivenUpSaysSo) {
  std::future<std::string> saved;
  {
    auto session = std::make_unique<Session>(scene::load_world(spinning_cube(14)), 1);
    scene::Material stiff = session->description().bodies[0].material;
    stiff.young *= 2;
    Runner runner(std::move(session), true, 0);
    runner.post(SetMaterial{0, stiff});
    saved = runner.save_run(std::filesystem::path(testing::TempDir()) / "given up.run");
  }
  std::string answer;
  EXPECT_NO_THROW(answer = saved.get()) << "a promise is kept";
  EXPECT_TRUE(answer.empty() || answer.find("given up") != std::string::npos) << answer;
}

TEST(RunnerThread, PausesStepsOnceAndGoesOn) {
  Runner runner(small_session(), true);
  std::this_thread::sleep_for(80ms);
  EXPECT_EQ(runner.take_records().size(), 1u) << "the first frame alone";
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
  std::uint64_t serial = 0;
  Snapshot snapshot;
  ASSERT_TRUE(runner.latest(serial, snapshot));
  EXPECT_FALSE(runner.latest(serial, snapshot));
  runner.post(Grab{{0, 3}, {1, 2, 3}, 1});
  runner.post(SetTimeStep{-1});
  EXPECT_TRUE(wait_for([&] { return runner.latest(serial, snapshot) && snapshot.grab.has_value(); }));
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
    std::uint64_t serial = 0;
    Snapshot snapshot;
    while (!stop) {
      runner.latest(serial, snapshot);
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

// ---- what is prepared on another thread: from 0 vertices on, so that these bodies are small ----

std::unique_ptr<Session> cube_session(int divisions) {
  return std::make_unique<Session>(scene::load_world(spinning_cube(divisions, 1e5)), 1);
}

scene::Material of_stiffness(double young) {
  scene::Material m = spinning_cube().bodies[0].material;
  m.young = young;
  return m;
}

std::vector<SurfacePoint> first_points(int count) {
  std::vector<SurfacePoint> result;
  for (int i = 0; i < count; ++i) result.push_back({0, i});
  return result;
}

/// What somebody sees who looks at a runner. The number is kept with the snapshot: who asks again with an older one is
/// handed the memory that he gave in exchange.
struct SettledOnlooker {
  Runner& runner;
  Snapshot snapshot{};
  std::uint64_t serial = 0;

  /// Until nothing is pending and `done` holds.
  template <class Done>
  bool sees_settled(const Done& done) {
    return wait_for([&] {
      runner.latest(serial, snapshot);
      return serial != 0 && snapshot.preparing.empty() && done();
    });
  }
};

TEST(RunnerPrepares, InTheOrderOfTheCommandsToTheSameBytes) {
  const std::vector<Command> commands{Pin{first_points(30)},
                                      SetMaterial{0, of_stiffness(4e5)},
                                      Unpin{first_points(5)},
                                      SetTimeStep{0.02},
                                      SetIntegrator{"bdf2"},
                                      Grab{{0, 200}, {1, 1, 1}, 1},
                                      SetSubsteps{2},
                                      SetGravity{{0, -3, 0}},
                                      UnpinAll{},
                                      SetIntegrator{"stabilized"}};
  for (const int divisions : {6, 12}) {
    auto expected = cube_session(divisions);
    Runner runner(cube_session(divisions), true, 0);
    for (const Command& command : commands) {
      expected->apply(command);
      runner.post(command);
    }
    SettledOnlooker onlooker{runner};
    const Snapshot& snapshot = onlooker.snapshot;
    ASSERT_TRUE(onlooker.sees_settled([&] {
      return snapshot.description.gravity[1] == -3 && snapshot.description.substeps == 2 &&
             snapshot.description.integrator.type == "stabilized";
    }));
    EXPECT_TRUE(runner.take_refusals().empty());
    // The hand does not wait for the others, so what it holds has another energy when they come.
    EXPECT_NEAR(snapshot.record.measured.total(), expected->record().measured.total(), 1e-9);
    EXPECT_EQ(snapshot.description, expected->description());
    runner.step_once();
    expected->step();
    ASSERT_TRUE(onlooker.sees_settled([&] { return snapshot.record.frame == 1; }));
    EXPECT_EQ(snapshot.record.measured.kinetic, expected->record().measured.kinetic);
    EXPECT_EQ(snapshot.record.measured.l, expected->record().measured.l);
    EXPECT_NEAR(snapshot.record.target, expected->record().target, 1e-9);
  }
}

TEST(RunnerPrepares, WhileTheMotionGoesOn) {
  Runner runner(cube_session(12), false, 0);
  runner.set_speed(20);
  SettledOnlooker onlooker{runner};
  const Snapshot& snapshot = onlooker.snapshot;
  std::int64_t last = 0;
  for (const double young : {2e5, 3e5, 5e4}) {
    runner.post(SetMaterial{0, of_stiffness(young)});
    ASSERT_TRUE(onlooker.sees_settled([&] { return snapshot.description.bodies[0].material.young == young; }));
    EXPECT_GT(snapshot.record.frame, last);
    last = snapshot.record.frame;
    const auto& r = snapshot.record;
    EXPECT_NEAR(r.target, r.initial + r.added_total() - r.dissipated_total(), 1e-9 * r.scale);
    EXPECT_NE(r.added[static_cast<int>(sim::Added::edit)], 0) << "what the change meant is booked";
  }
}

TEST(RunnerPrepares, OnlyTheLastOfASliderThatIsDragged) {
  Runner runner(cube_session(12), true, 0);
  SettledOnlooker onlooker{runner};
  const Snapshot& snapshot = onlooker.snapshot;
  ASSERT_TRUE(onlooker.sees_settled([] { return true; }));
  const std::uint64_t before = snapshot.revision;
  for (int i = 1; i <= 100; ++i) {
    runner.post(SetMaterial{0, of_stiffness(1e5 + i)});
    if (i % 10 == 0) std::this_thread::sleep_for(1ms);
  }
  ASSERT_TRUE(onlooker.sees_settled([&] { return snapshot.description.bodies[0].material.young == 1e5 + 100; }));
  EXPECT_LE(snapshot.revision, before + 30) << "most were made pointless by the next";
}

TEST(RunnerPrepares, AndRefusesWithoutLosingWhatComesAfter) {
  Runner runner(cube_session(6), true, 0);
  scene::Material hopeless = of_stiffness(1e12);
  hopeless.density = 1e-3;
  runner.post(SetMaterial{0, hopeless});
  runner.post(SetTimeStep{0.01});
  SettledOnlooker onlooker{runner};
  const Snapshot& snapshot = onlooker.snapshot;
  ASSERT_TRUE(onlooker.sees_settled([&] { return snapshot.description.timeStep == 0.01; }));
  EXPECT_EQ(snapshot.description.bodies[0].material.young, 1e5);
  const auto refusals = runner.take_refusals();
  ASSERT_EQ(refusals.size(), 1u);
  EXPECT_NE(refusals[0].find("too long"), std::string::npos) << refusals[0];
}

TEST(RunnerPrepares, AndShowsWhatWaitsEvenWhereItWillBeRefused) {
  Runner runner(cube_session(12), true, 0);
  runner.post(SetMaterial{0, of_stiffness(2e5)});
  runner.post(SetMaterial{7, of_stiffness(3e5)});
  runner.post(RemoveObstacle{3});
  SettledOnlooker onlooker{runner};
  const Snapshot& snapshot = onlooker.snapshot;
  ASSERT_TRUE(onlooker.sees_settled([&] { return snapshot.description.bodies[0].material.young == 2e5; }));
  EXPECT_EQ(runner.take_refusals().size(), 2u);
}

TEST(RunnerPrepares, AndMayBeClosedAtAnyMoment) {
  for (int i = 0; i < 12; ++i) {
    Runner runner(cube_session(i % 2 == 0 ? 6 : 12), i % 3 == 0, 0);
    runner.post(SetMaterial{0, of_stiffness(2e5)});
    runner.post(Pin{first_points(40)});
    std::this_thread::sleep_for(std::chrono::milliseconds(2 * i));
  }
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
