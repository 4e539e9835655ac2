// What the runner has prepared on another thread takes effect in order, and what comes out is what would have come at
// once. Run under the thread sanitizer as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "session/runner.hpp"
#include "support/worlds.hpp"

namespace rebound::test {
namespace {

using namespace rebound::session;
using namespace std::chrono_literals;

constexpr int kAlwaysSlow = 0;

/// What somebody sees who looks at a runner.
class Onlooker {
 public:
  explicit Onlooker(Runner& runner) : runner_(runner) {}

  /// Looks until `seen` holds for a moment; false if it never does.
  template <class Seen>
  bool sees(const Seen& seen) {
    const auto patience = std::chrono::steady_clock::now() + 20s;
    do {
      if (runner_.latest(serial_, moment_) && seen(moment_)) return true;
      std::this_thread::sleep_for(100us);
    } while (std::chrono::steady_clock::now() < patience);
    return false;
  }
  /// Until nothing is pending and everything posted has been looked at.
  bool sees_the_end(const std::vector<Command>& posted) {
    for (const Command& command : posted) runner_.post(command);
    // The last of all, behind everything that waits.
    const double mark = 0.001 * ++marks_;
    runner_.post(SetBlend{mark, true});
    return sees([&](const Snapshot& s) { return s.preparing.empty() && s.description.integrator.tolerance == mark; });
  }
  const Snapshot& moment() const { return moment_; }

 private:
  Runner& runner_;
  std::uint64_t serial_ = 0;
  Snapshot moment_;
  int marks_ = 0;
};

std::unique_ptr<Session> session_of(const scene::Description& d) {
  return std::make_unique<Session>(scene::load_world(d), 1);
}

scene::Description falling_cube(int divisions) {
  auto d = spinning_cube(divisions, 1e5);
  d.gravity = {0, -9.81, 0};
  return d;
}

std::vector<SurfacePoint> points(int first, int count) {
  std::vector<SurfacePoint> result;
  for (int i = first; i < first + count; ++i) result.push_back({0, i});
  return result;
}

scene::Material material_of(const scene::Description& d, double young) {
  scene::Material m = d.bodies[0].material;
  m.young = young;
  return m;
}

TEST(Background, WhilePausedItEndsAsIfDoneAtOnce) {
  const auto d = falling_cube(6);
  const std::vector<Command> commands = {Pin{points(40, 30)},
                                         SetMaterial{0, material_of(d, 4e5)},
                                         Unpin{points(40, 5)},
                                         SetGravity{{0, -3, 1}},
                                         SetTimeStep{0.02},
                                         SetIntegrator{"bdf2"},
                                         SetSubsteps{2},
                                         UnpinAll{},
                                         SetSolver{{"newton", 3, {}}},
                                         SetDamping{{"rigid-preserving", 0.1, "frame"}},
                                         SetSolver{{"local-global", 10, {}}},
                                         SetIntegrator{"stabilized"}};
  Runner runner(session_of(d), true, kAlwaysSlow);
  Onlooker onlooker(runner);
  ASSERT_TRUE(onlooker.sees_the_end(commands));
  const auto at_once = session_of(d);
  for (const Command& command : commands) at_once->apply(command);
  at_once->apply(SetBlend{0.001, true});
  Snapshot expected;
  for (int frame = 0; frame <= 3; ++frame) {
    if (frame > 0) {
      runner.step_once();
      ASSERT_TRUE(onlooker.sees([&](const Snapshot& s) { return s.record.frame == frame; }));
      ASSERT_TRUE(at_once->step());
    }
    look(*at_once, expected);
    EXPECT_EQ(onlooker.moment().surfaces, expected.surfaces) << "frame " << frame;
    EXPECT_EQ(onlooker.moment().record.measured.total(), expected.record.measured.total()) << "frame " << frame;
    EXPECT_EQ(onlooker.moment().record.target, expected.record.target) << "frame " << frame;
    EXPECT_EQ(onlooker.moment().record.added, expected.record.added) << "frame " << frame;
    EXPECT_TRUE(onlooker.moment().description == expected.description) << "frame " << frame;
  }
  EXPECT_TRUE(runner.take_refusals().empty());
}

// A thread that is kept waiting may look when all is over: then once more.
TEST(Background, FramesGoOnAndTheHandOvertakes) {
  const auto d = falling_cube(16);
  for (int attempt = 0; attempt < 6; ++attempt) {
    Runner runner(session_of(d), false, kAlwaysSlow);
    Onlooker onlooker(runner);
    ASSERT_TRUE(onlooker.sees([](const Snapshot& s) { return s.record.frame > 1; }));
    runner.post(SetMaterial{0, material_of(d, 3e5)});
    ASSERT_TRUE(onlooker.sees([](const Snapshot& s) { return s.description.bodies[0].material.young == 3e5; }));
    const bool is_asked_for = onlooker.moment().preparing == "material";
    runner.post(Grab{{0, 3}, {1, 1, 1}, 1});
    ASSERT_TRUE(onlooker.sees([](const Snapshot& s) { return s.grab.has_value(); }));
    const bool did_not_wait = onlooker.moment().preparing == "material";
    if (did_not_wait) {
      EXPECT_TRUE(is_asked_for) << "the panels show what was asked for";
      EXPECT_EQ(onlooker.moment().record.added[static_cast<std::size_t>(sim::Added::edit)], 0) << "not booked yet";
    }
    ASSERT_TRUE(onlooker.sees([](const Snapshot& s) { return s.preparing.empty(); }));
    EXPECT_NE(onlooker.moment().record.added[static_cast<std::size_t>(sim::Added::edit)], 0)
        << "booked with its effect";
    EXPECT_TRUE(onlooker.moment().grab.has_value());
    if (did_not_wait) return;
  }
  FAIL() << "the hand waited";
}

// On all processors.
TEST(Background, EndsWhereFramesFollowOneAnotherAtOnce) {
  const auto d = falling_cube(10);
  const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  Runner runner(std::make_unique<Session>(scene::load_world(d), all), false, kAlwaysSlow);
  runner.set_speed(1e6);
  Onlooker onlooker(runner);
  for (int edit = 1; edit <= 4; ++edit) {
    auto material = d.bodies[0].material;
    material.young *= 1 + 0.1 * edit;
    runner.post(SetMaterial{0, material});
    ASSERT_TRUE(onlooker.sees([&](const Snapshot& s) {
      return s.preparing.empty() && s.description.bodies[0].material.young == material.young;
    })) << edit;
  }
}

TEST(Background, SettingsOfSeveralBodiesCollapseEachWithItsOwn) {
  auto d = falling_cube(12);
  d.bodies.push_back(d.bodies[0]);
  d.bodies[1].transform.translate = {3, 0, 0};
  Runner runner(session_of(d), true, kAlwaysSlow);
  Onlooker onlooker(runner);
  ASSERT_TRUE(onlooker.sees([](const Snapshot& s) { return s.preparing.empty(); }));
  const std::uint64_t before = onlooker.moment().revision;
  std::vector<Command> storm;
  for (int i = 1; i <= 20; ++i)
    for (const int body : {0, 1}) storm.push_back(SetMaterial{body, material_of(d, 1e4 * i * (body + 1))});
  ASSERT_TRUE(onlooker.sees_the_end(storm));
  EXPECT_EQ(onlooker.moment().description.bodies[0].material.young, 2e5);
  EXPECT_EQ(onlooker.moment().description.bodies[1].material.young, 4e5);
  EXPECT_LT(onlooker.moment().revision, before + 19);
}

// "squared" springs are refused by local/global: they must not come before the solver that they need.
TEST(Background, NothingOvertakesWhatItDependsOn) {
  const auto d = hanging_cloth(8, 100);
  Runner runner(session_of(d), true, kAlwaysSlow);
  Onlooker onlooker(runner);
  scene::Material stiffer = d.bodies[0].material, stiffest = stiffer, squared = stiffer;
  stiffer.stiffness = 200;
  stiffest.stiffness = 300;
  squared.law = "squared";
  ASSERT_TRUE(onlooker.sees_the_end({SetMaterial{0, stiffer}, SetIntegrator{"backward-euler"}, SetMaterial{0, stiffest},
                                     SetSolver{{"newton", 5, {}}}, SetMaterial{0, squared}}));
  EXPECT_TRUE(runner.take_refusals().empty());
  EXPECT_EQ(onlooker.moment().description.bodies[0].material.law, "squared");
}

TEST(Background, AResetDropsNothingThatWasAskedFor) {
  const auto d = falling_cube(6);
  Runner runner(session_of(d), false, kAlwaysSlow);
  Onlooker onlooker(runner);
  ASSERT_TRUE(onlooker.sees([](const Snapshot& s) { return s.record.frame > 3; }));
  runner.set_paused(true);
  ASSERT_TRUE(onlooker.sees_the_end(
      {SetMaterial{0, material_of(d, 2e5)}, SetTimeStep{0.02}, Reset{}, SetMaterial{0, material_of(d, 3e5)}}));
  EXPECT_EQ(onlooker.moment().record.frame, 0);
  EXPECT_EQ(onlooker.moment().description.timeStep, 0.02);
  EXPECT_EQ(onlooker.moment().description.bodies[0].material.young, 3e5);
}

}  // namespace
}  // namespace rebound::test
