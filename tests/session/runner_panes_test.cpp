// The runner with several panes, its past, and the file of its run. Run under the thread sanitizer as well.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "session/runner.hpp"
#include "support/runs.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using namespace std::chrono_literals;

std::unique_ptr<Session> cube(int divisions = 2) {
  return std::make_unique<Session>(scene::load_world(eventful_scene(divisions)), 2);
}

/// One who looks, and keeps what was seen last.
class PanesOnlooker {
 public:
  explicit PanesOnlooker(Runner& runner) : runner_(runner) {}

  /// The latest moment for which `done` holds; the test fails if none comes.
  template <class Done>
  const Moment& when(const Done& done) {
    for (int i = 0; i < 4000; ++i) {
      if (!moment_.panes.empty() && done(moment_)) return moment_;
      if (!runner_.latest(serial_, moment_)) std::this_thread::sleep_for(2ms);
    }
    ADD_FAILURE() << "it never came";
    if (moment_.panes.empty()) moment_.panes.resize(3);
    return moment_;
  }

 private:
  Runner& runner_;
  std::uint64_t serial_ = 0;
  Moment moment_;
};

/// The journal of a runner, by way of its file; and whether a replay agrees with it to the last bit.
Journal journal_of(Runner& runner, const char* name) {
  const auto file = std::filesystem::temp_directory_path() / (std::string("rebound_") + name + ".run");
  EXPECT_EQ(runner.save_run(file).get(), "");
  Journal journal = Journal::read(file);
  std::filesystem::remove(file);
  return journal;
}

void expect_replay(const Journal& journal) {
  Ensemble ensemble(std::make_unique<Session>(scene::load_world(journal.scene()), 1));
  std::size_t next = 0;
  for (;;) {
    ASSERT_EQ(divergence(journal, ensemble), "");
    for (; next < journal.entries().size() && journal.entries()[next].frame == ensemble.frame(); ++next)
      ensemble.apply(journal.entries()[next].event);
    if (ensemble.frame() == journal.last()) return;
    ensemble.step();
  }
}

TEST(RunnerPanes, OneHandDragsTheSameVertexInAll) {
  Runner runner(cube(), true);
  PanesOnlooker onlooker(runner);
  runner.add_pane(0, "backward-euler");
  runner.add_pane(0, "bdf2");
  runner.post(Grab{{0, 5}, {1, 1, 1}, 1});
  Moment moment = onlooker.when([](const Moment& m) { return m.panes.size() == 3 && m.panes[2].grab; });
  for (const Snapshot& pane : moment.panes) {
    ASSERT_TRUE(pane.grab);
    EXPECT_EQ(pane.grab->point.vertex, 5);
    EXPECT_EQ(pane.grab->target, moment.panes[0].grab->target);
  }
  EXPECT_EQ(moment.panes[0].description.integrator.type, "stabilized");
  EXPECT_EQ(moment.panes[1].description.integrator.type, "backward-euler");
  EXPECT_EQ(moment.panes[2].description.integrator.type, "bdf2");
  // A setting goes to its pane, and the clock is one.
  runner.post_to(1, SetDamping{{"drag", 0.5, "second"}});
  for (int i = 0; i < 5; ++i) runner.step_once();
  moment = onlooker.when([](const Moment& m) { return m.frame == 5; });
  for (const Snapshot& pane : moment.panes) EXPECT_EQ(pane.record.frame, 5);
  EXPECT_EQ(moment.panes[0].description.damping.type, "rigid-preserving");
  EXPECT_EQ(moment.panes[1].description.damping.type, "drag");
  EXPECT_NE(moment.panes[0].surfaces, moment.panes[1].surfaces);
  EXPECT_EQ(runner.take_records(0).size(), 6u) << "the first frame, too";
  for (const int pane : {1, 2}) EXPECT_EQ(runner.take_records(pane).size(), 5u);
  runner.remove_pane(0);
  runner.step_once();
  moment = onlooker.when([](const Moment& m) { return m.frame == 6; });
  ASSERT_EQ(moment.panes.size(), 2u);
  EXPECT_EQ(moment.panes[0].pane, 1);
  EXPECT_EQ(runner.bodies().size(), 1u);
  expect_replay(journal_of(runner, "hand"));
}

TEST(RunnerPanes, WhatFailsStandsStillAndTheOthersGoOn) {
  auto d = spinning_cube(2, 1e6);
  Runner runner(std::make_unique<Session>(scene::load_world(d), 1), false);
  PanesOnlooker onlooker(runner);
  runner.set_speed(100);
  runner.add_pane(0, "forward-euler");
  const Moment moment = onlooker.when([](const Moment& m) {
    return m.panes.size() == 2 && !m.panes[1].failure.empty() && m.panes[0].record.frame > m.panes[1].record.frame + 20;
  });
  EXPECT_TRUE(moment.panes[0].failure.empty());
  for (const float coordinate : moment.panes[1].surfaces[0]) ASSERT_TRUE(std::isfinite(coordinate));
  runner.set_paused(true);
  expect_replay(journal_of(runner, "failing"));
}

TEST(RunnerPanes, GoesBackPausesAndBranches) {
  Runner runner(cube(), false);
  PanesOnlooker onlooker(runner);
  runner.set_speed(100);
  onlooker.when([](const Moment& m) { return m.frame >= 60; });
  runner.go_to(20);
  Moment moment = onlooker.when([](const Moment& m) { return m.frame == 20; });
  const auto there = moment.panes[0].surfaces;
  EXPECT_TRUE(moment.panes[0].paused);
  EXPECT_GE(moment.last, 60);
  EXPECT_EQ(moment.first, 0);
  // A scrubber that is dragged there and back.
  for (int frame = 0; frame <= 60; ++frame) runner.go_to(frame);
  moment = onlooker.when([](const Moment& m) { return m.frame == 60; });
  EXPECT_NE(moment.panes[0].surfaces, there);
  runner.go_to(20);
  moment = onlooker.when([](const Moment& m) { return m.frame == 20; });
  EXPECT_EQ(moment.panes[0].surfaces, there);
  EXPECT_EQ(moment.branch, 0u);
  EXPECT_TRUE(moment.ghosts.empty());
  runner.post(SetIntegrator{"backward-euler"});
  runner.step_once();
  moment = onlooker.when([](const Moment& m) { return m.frame == 21; });
  EXPECT_EQ(moment.branch, 1u);
  EXPECT_EQ(moment.last, 21);
  ASSERT_EQ(moment.ghosts.size(), 1u);
  EXPECT_GE(moment.ghosts[0]->records.size(), 40u);
  expect_replay(journal_of(runner, "branch"));
}

TEST(RunnerPanes, UndoesAndRedoesEditsAndRecordsThat) {
  // Prepared on another thread, and at once.
  for (const int slow_vertices : {0, 1000}) {
    Runner runner(cube(3), true, slow_vertices);
    PanesOnlooker onlooker(runner);
    scene::Material stiff = eventful_scene().bodies[0].material;
    const double young = stiff.young;
    const auto settled = [](const Moment& m) { return m.panes[0].preparing.empty(); };
    stiff.young = 3 * young;
    runner.post(Pin{{{0, 1}, {0, 2}}});
    runner.post(SetMaterial{0, stiff});
    runner.post(SetIntegrator{"bdf2"});
    Moment moment =
        onlooker.when([&](const Moment& m) { return settled(m) && m.panes[0].description.integrator.type == "bdf2"; });
    EXPECT_TRUE(moment.can_undo);
    EXPECT_FALSE(moment.can_redo);
    EXPECT_EQ(moment.panes[0].pinned.size(), 2u);
    runner.undo();
    runner.undo();
    runner.undo();
    moment = onlooker.when([&](const Moment& m) { return settled(m) && !m.can_undo; });
    EXPECT_EQ(moment.panes[0].description, eventful_scene());
    EXPECT_TRUE(moment.panes[0].pinned.empty());
    runner.redo();
    runner.redo();
    moment = onlooker.when(
        [&](const Moment& m) { return settled(m) && m.panes[0].description.bodies[0].material.young == 3 * young; });
    EXPECT_EQ(moment.panes[0].pinned.size(), 2u);
    EXPECT_TRUE(moment.can_redo);
    runner.post(SetGravity{{0, 0, 0}});
    moment = onlooker.when([&](const Moment& m) { return m.panes[0].description.gravity[1] == 0; });
    EXPECT_FALSE(moment.can_redo) << "an edit forgets what was undone";
    runner.step_once();
    onlooker.when([](const Moment& m) { return m.frame == 1; });
    runner.undo();
    runner.undo();
    runner.undo();
    runner.undo();
    onlooker.when([&](const Moment& m) { return settled(m) && !m.can_undo; });
    for (int i = 0; i < 100 && runner.take_refusals().empty(); ++i) std::this_thread::sleep_for(5ms);
    expect_replay(journal_of(runner, "undo"));
  }
}

TEST(RunnerPanes, PreparesForEveryPaneWhileTheyGoOn) {
  Runner runner(cube(8), false, 0);
  PanesOnlooker onlooker(runner);
  runner.set_speed(20);
  runner.add_pane(0, "backward-euler");
  onlooker.when([](const Moment& m) { return m.panes.size() == 2; });
  scene::Material stiff = eventful_scene().bodies[0].material;
  for (int i = 1; i <= 5; ++i) {
    stiff.young *= 1.5;
    runner.post(SetMaterial{0, stiff});
    runner.post(Grab{{0, i}, {1, 1, 0.1 * i}, 1});
  }
  const Moment moment = onlooker.when([&](const Moment& m) {
    return m.panes[0].preparing.empty() && m.panes[0].description.bodies[0].material.young == stiff.young;
  });
  EXPECT_EQ(moment.panes[1].description.bodies[0].material.young, stiff.young);
  runner.set_paused(true);
  expect_replay(journal_of(runner, "prepared"));
}

/// A run with something done before every frame.
Journal busy_run(int divisions, int frames) {
  Timeline timeline(cube(divisions));
  for (int frame = 0; frame < frames; ++frame) {
    timeline.apply(Addressed{kAllPanes, SetGravity{{0, -1.0 - frame, 0}}});
    if (frame % 4 == 1) timeline.apply(Addressed{kAllPanes, Pin{{{0, frame}}}});
    timeline.step();
  }
  return timeline.journal();
}

// What a recorded run would do meanwhile must not get lost when a model takes effect that was made from an older one.
TEST(RunnerPanes, AnEditThatIsBeingPreparedEndsTheReplay) {
  constexpr int kDivisions = 12;
  Runner runner(cube(kDivisions), false, 0, busy_run(kDivisions, 80));
  PanesOnlooker onlooker(runner);
  runner.set_speed(100);
  onlooker.when([](const Moment& m) { return m.frame >= 3; });
  scene::Material stiff = eventful_scene().bodies[0].material;
  stiff.young *= 3;
  runner.post(SetMaterial{0, stiff});
  bool both = false;
  Moment moment = onlooker.when([&](const Moment& m) {
    const bool waits = !m.panes[0].preparing.empty();
    both = both || (waits && m.replaying);
    return !waits && m.panes[0].description.bodies[0].material.young == stiff.young;
  });
  EXPECT_FALSE(both) << "from the moment on in which it is accepted";
  EXPECT_FALSE(moment.replaying);
  EXPECT_EQ(moment.divergence, "") << "ended by the user, as by any other edit";
  const std::int64_t then = moment.frame;
  onlooker.when([&](const Moment& m) { return m.frame >= then + 3; });
  runner.set_paused(true);
  expect_replay(journal_of(runner, "edited_replay"));
}

TEST(RunnerPanes, AnEditThatIsRefusedLeavesTheReplayAsItIs) {
  Runner runner(cube(), true, 0, busy_run(2, 20));
  PanesOnlooker onlooker(runner);
  runner.post(SetTimeStep{-1});
  runner.post(SetMaterial{7, eventful_scene().bodies[0].material});
  runner.set_paused(false);
  runner.set_speed(100);
  const Moment moment = onlooker.when([](const Moment& m) { return !m.replaying; });
  EXPECT_EQ(moment.frame, 20);
  EXPECT_EQ(moment.divergence, "");
  EXPECT_EQ(runner.take_refusals().size(), 2u);
}

TEST(RunnerPanes, SurvivesAStormOfEverything) {
  Runner runner(cube(), false);
  runner.set_speed(50);
  std::atomic<bool> stop{false};
  std::thread looker([&] {
    std::uint64_t serial = 0;
    Moment moment;
    while (!stop) {
      runner.latest(serial, moment);
      runner.take_records(1);
      std::this_thread::sleep_for(1ms);
    }
  });
  for (int i = 0; i < 150; ++i) {
    const auto& list = sim::integrators();
    const std::string method(list[static_cast<std::size_t>(i) % list.size()].id);
    runner.post_to(i % 4, SetIntegrator{method});
    if (i % 6 == 0) runner.add_pane(i % 3, method);
    if (i % 9 == 0) runner.remove_pane(i / 9);
    runner.post(Grab{{0, i % 8}, {0.1 * i, 0, 0}, 1});
    if (i % 5 == 0) runner.post(Pin{{{0, i % 8}}});
    if (i % 8 == 0) runner.undo();
    if (i % 16 == 0) runner.redo();
    if (i % 10 == 0) runner.go_to(i / 2);
    if (i % 21 == 0) runner.post(Reset{});
    runner.set_paused(i % 7 == 0);
    std::this_thread::sleep_for(2ms);
  }
  stop = true;
  looker.join();
  runner.set_paused(true);
  expect_replay(journal_of(runner, "storm"));
}

}  // namespace
}  // namespace rebound::test
