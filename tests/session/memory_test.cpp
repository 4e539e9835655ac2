// Memory runs out wherever it may: what was under way has then not happened, is said so, and can be done again; nothing
// ends the program. Every allocation of some size goes by a counter here, and the n-th one fails, for n = 0, 1, 2, ...
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <thread>

#include "session/runner.hpp"
#include "sim/base/memory.hpp"
#include "support/runs.hpp"

namespace {

// Large for bodies as small as those below.
constexpr std::size_t kLarge = 400;
// Nothing here is as large but the reserve.
constexpr long kLargeEnough = 4 << 20;

std::atomic<bool> armed{false};
std::atomic<long> left{0};          // so many more succeed
std::atomic<bool> for_good{false};  // not only that one fails, but all that follow
std::atomic<long> given_back{0};    // until something large is given back
std::atomic<int> failures{0};
thread_local bool spared = false;  // who looks on is not tested

bool fails(std::size_t bytes) {
  if (bytes < kLarge || spared || !armed) return false;
  if (left.fetch_sub(1) != 0) return false;
  if (for_good) {
    left = 0;
    const long size = static_cast<long>(bytes);
    if (given_back.fetch_sub(size) >= size) return false;
    given_back += size;
  }
  ++failures;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void __libc_free(void*);

void* malloc(std::size_t bytes) { return fails(bytes) ? nullptr : __libc_malloc(bytes); }
void free(void* block) {
  if (const auto size = static_cast<long>(malloc_usable_size(block)); armed && size >= kLargeEnough) given_back += size;
  __libc_free(block);
}
void* calloc(std::size_t count, std::size_t bytes) {
  return fails(count * bytes) ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* old, std::size_t bytes) { return fails(bytes) ? nullptr : __libc_realloc(old, bytes); }
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return fails(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return fails(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) {
  *result = fails(bytes) ? nullptr : __libc_memalign(alignment, bytes);
  return *result == nullptr ? ENOMEM : 0;
}
}

namespace rebound::test {
namespace {

using namespace rebound::session;
using namespace std::chrono_literals;

/// While it lives, the n-th large allocation fails; or all from there on.
class ShortOfMemory {
 public:
  explicit ShortOfMemory(long n, bool all_that_follow = false) {
    for_good = all_that_follow;
    failures = 0;
    given_back = 0;
    left = n;
    armed = true;
  }
  ~ShortOfMemory() { armed = false; }
  static int hits() { return failures; }
};

scene::Description small_world() {
  auto d = eventful_scene(3);
  scene::Obstacle ground;
  ground.shape = scene::PlaneShape{};
  ground.transform.translate = {0, -0.52, 0};
  ground.friction = 0.5;
  d.obstacles.push_back(ground);
  return d;
}

scene::Obstacle a_ball() {
  scene::Obstacle ball;
  ball.shape = scene::SphereShape{0.3};
  ball.transform.translate = {0, -0.7, 0};
  return ball;
}

using Deed = std::function<void(Timeline&)>;

Deed event(Event what) {
  return [what](Timeline& timeline) { timeline.apply(what); };
}
Deed all(Command command) { return event(Addressed{kAllPanes, std::move(command)}); }
Deed frame() {
  return [](Timeline& timeline) { timeline.step(); };
}
Deed go_to(std::int64_t where) {
  return [where](Timeline& timeline) { timeline.go_to(where); };
}

/// Everything that can be done, in an order in which each has something to do.
std::vector<Deed> deeds() {
  scene::Material stiff = small_world().bodies[0].material;
  stiff.young *= 3;
  std::vector<SurfacePoint> many;
  for (int v = 20; v < 40; ++v) many.push_back({0, v});
  return {frame(),
          all(Grab{{0, 6}, {0.9, 0.5, 0.5}, 1}),
          frame(),
          all(SetMaterial{0, stiff}),
          frame(),
          all(MoveGrab{{0.9, 0.8, 0.5}}),
          event(AddPane{0, "bdf2"}),
          frame(),
          all(Pin{{{0, 1}, {0, 2}}}),
          all(SetGravity{{0, -5, 0}}),
          frame(),
          all(AddObstacle{a_ball()}),
          all(MoveObstacle{1, {0, -0.6, 0}, {}}),
          frame(),
          all(SetContact{{true, true, 1e3, 0.1, {}}}),
          frame(),
          event(Addressed{0, SetSubsteps{2}}),
          frame(),
          go_to(3),
          go_to(7),
          event(Undo{}),
          event(Redo{}),
          frame(),
          all(Release{}),
          all(Pin{many}),
          frame(),
          event(Addressed{0, SetSolver{{"newton", 4, 2, false}}}),
          frame(),
          event(Addressed{1, SetTimeStep{0.02}}),
          event(Addressed{1, SetDamping{{"drag", 0.5, "second"}}}),
          all(UnpinAll{}),
          frame(),
          event(RemovePane{0}),
          all(RemoveObstacle{0}),
          frame(),
          go_to(4),
          frame(),
          event(Addressed{1, SetIntegrator{"newmark"}}),
          frame(),
          all(Reset{}),
          frame()};
}

Timeline begin(int threads = 1) {
  return Timeline(std::make_unique<Session>(scene::load_world(small_world()), threads));
}

/// All that can be seen of it, but for how much it remembers.
struct Look {
  std::vector<std::uint64_t> sums;
  std::vector<scene::Description> descriptions;
  std::vector<std::string> failures;
  std::int64_t frame, last;
  std::size_t entries;
  bool can_undo, can_redo;
};
void expect_same(const Look& a, const Look& b) {
  EXPECT_EQ(a.failures, b.failures);
  EXPECT_EQ(a.sums, b.sums);
  EXPECT_TRUE(a.descriptions == b.descriptions);
  EXPECT_EQ(a.frame, b.frame);
  EXPECT_EQ(a.last, b.last);
  EXPECT_EQ(a.entries, b.entries);
  EXPECT_EQ(a.can_undo, b.can_undo);
  EXPECT_EQ(a.can_redo, b.can_redo);
}
Look look_at(const Timeline& timeline) {
  const Ensemble& e = timeline.ensemble();
  Look look{checksums(e), {},          {}, timeline.frame(), timeline.last(), timeline.journal().entries().size(),
            e.can_undo(), e.can_redo()};
  for (const Pane& pane : e.panes()) {
    look.descriptions.push_back(pane.session->description());
    look.failures.push_back(pane.session->failure());
  }
  return look;
}

/// Does each deed with the n-th allocation failing until it comes to its end without one. Whatever fails must leave
/// all as it was; and in the end all is as if memory had been plenty.
void expect_all_or_nothing(int threads) {
  Timeline plenty = begin(threads), scarce = begin(threads);
  int deed = 0, hits = 0;
  for (const Deed& next : deeds()) {
    SCOPED_TRACE("deed " + std::to_string(deed++));
    Look before = look_at(plenty);
    next(plenty);
    const Look after = look_at(plenty);
    bool done = false;
    for (long n = 0; !done; ++n) {
      try {
        const ShortOfMemory memory(n);
        next(scarce);
        done = true;
      } catch (const std::bad_alloc& e) {
        ++hits;
        ASSERT_NE(std::string(e.what()).find("memory"), std::string::npos) << e.what();
      }
      SCOPED_TRACE("allocation " + std::to_string(n) + (ShortOfMemory::hits() > 0 ? " failed" : " was none"));
      ASSERT_FALSE(scarce.is_lost());
      const Look now = look_at(scarce);
      if (now.last < before.last) {
        EXPECT_FALSE(scarce.ghosts().empty());
        EXPECT_EQ(now.last, before.frame);
        before.last = now.last;
        before.entries = now.entries;
      }
      expect_same(now, done ? after : before);
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(hits, 500) << "the test is about memory that runs out";
  EXPECT_EQ(scarce.journal().entries().size(), plenty.journal().entries().size());
  for (std::int64_t f = 0; f <= plenty.last(); ++f) {
    const auto a = plenty.journal().sums(f), b = scarce.journal().sums(f);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end())) << "frame " << f;
  }
}

TEST(ShortOfMemory, WhatFailsHasNotHappenedAndCanBeDoneAgain) { expect_all_or_nothing(1); }
TEST(ShortOfMemory, OnSeveralThreadsAsWell) { expect_all_or_nothing(2); }

// Nor is there any left to come back: then it comes back with the next thing that is done when there is.
TEST(ShortOfMemory, WhatIsLostComesBack) {
  Timeline plenty = begin(), scarce = begin();
  int deed = 0, lost = 0;
  for (const Deed& next : deeds()) {
    SCOPED_TRACE("deed " + std::to_string(deed++));
    next(plenty);
    const Look after = look_at(plenty);
    bool done = false;
    for (long n = 0; !done; n += 1 + n / 4) {
      try {
        const ShortOfMemory memory(n, true);
        next(scarce);
        done = true;
      } catch (const std::bad_alloc&) {
        lost += scarce.is_lost() ? 1 : 0;
      }
    }
    expect_same(look_at(scarce), after);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(lost, 20) << "the test is about what is lost";
}

// JSON values ask for memory even when they go, and the program would end there.
TEST(ShortOfMemory, ARunIsWrittenOrNot) {
  const auto file = std::filesystem::path(testing::TempDir()) / "written_or_not.run";
  Timeline timeline = begin();
  for (const Deed& next : deeds()) next(timeline);
  for (const bool all_that_follow : {false, true}) {
    bool done = false;
    for (long n = 0; !done; ++n) {
      std::filesystem::remove(file);
      SCOPED_TRACE("allocation " + std::to_string(n) + (all_that_follow ? " and all that follow" : ""));
      try {
        const ShortOfMemory memory(n, all_that_follow);
        timeline.journal().write(file);
        done = ShortOfMemory::hits() == 0;
      } catch (const std::bad_alloc&) {
        ASSERT_FALSE(std::filesystem::exists(file));
      }
    }
  }
  EXPECT_EQ(Journal::read(file).entries().size(), timeline.journal().entries().size());
  std::filesystem::remove(file);
}

/// Until it holds; false if it never does.
template <class Condition>
bool wait_for(const Condition& condition) {
  for (int i = 0; i < 4000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

/// A runner, and who looks on from another thread.
struct Watched {
  explicit Watched(int slow_vertices = Runner::kQuickVertices)
      : runner(std::make_unique<Session>(scene::load_world(small_world()), 1), true, slow_vertices) {
    EXPECT_TRUE(sees([] { return true; }));
  }

  /// Does the moment come in which the condition holds?
  template <class Condition>
  bool sees(const Condition& condition) {
    return wait_for([&] { return runner.latest(serial, moment) && condition(); });
  }
  /// What has been said since the last call.
  std::vector<std::string> said() { return runner.take_refusals(); }

  Runner runner;
  std::uint64_t serial = 0;
  Moment moment;
};

/// Every frame is in it, and the events before each make it again.
void expect_no_gap(const std::filesystem::path& run) {
  const Journal journal = Journal::read(run);
  Ensemble again(std::make_unique<Session>(scene::load_world(journal.scene()), 1));
  for (std::size_t next = 0;;) {
    ASSERT_EQ(divergence(journal, again), "");
    for (; next < journal.entries().size() && journal.entries()[next].frame == again.frame(); ++next)
      again.apply(journal.entries()[next].event);
    if (again.frame() == journal.last()) break;
    again.step();
  }
}

void expect_one_line_about_memory(const std::vector<std::string>& said) {
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("out of memory"), std::string::npos) << said[0];
  EXPECT_NE(said[0].find(" vertices"), std::string::npos) << "what is too large? " << said[0];
  EXPECT_EQ(said[0].find('\n'), std::string::npos) << said[0];
}

// On the runner's thread. A frame that was made, and of which there is no memory for the picture alone, stays.
TEST(ShortOfMemory, AStepOfTheRunnerHasNotHappened) {
  spared = true;
  const auto run = std::filesystem::path(testing::TempDir()) / "short_of_memory.run";
  Watched watched;
  Runner& runner = watched.runner;
  const Moment& moment = watched.moment;
  std::int64_t frame = 0;
  int undone = 0;
  for (int i = 0; i < 4; ++i) {
    bool done = false;
    for (long n = 0; !done; ++n) {
      SCOPED_TRACE("frame " + std::to_string(frame) + ", allocation " + std::to_string(n));
      const auto surfaces = moment.panes[0].surfaces;
      std::vector<std::string> said;
      bool seen = false;
      {
        const ShortOfMemory memory(n);
        runner.step_once();
        ASSERT_TRUE(wait_for([&] {
          said = watched.said();
          seen = runner.latest(watched.serial, watched.moment) && moment.frame > frame;
          return !said.empty() || seen;
        }));
      }
      if (ShortOfMemory::hits() == 0) {
        done = true;
        ++frame;
        continue;
      }
      ASSERT_TRUE(!said.empty() || wait_for([&] { return !(said = watched.said()).empty(); }));
      expect_one_line_about_memory(said);
      EXPECT_TRUE(runner.take_stop());
      runner.post(Release{});  // does nothing, and is shown
      ASSERT_TRUE(watched.sees([] { return true; }));
      EXPECT_EQ(moment.frame, moment.last);
      if (said[0].find("what the window shows") != std::string::npos) {
        EXPECT_EQ(moment.frame, ++frame);
        continue;
      }
      ++undone;
      ASSERT_EQ(moment.frame, frame);
      EXPECT_EQ(moment.panes[0].surfaces, surfaces) << "the last state stays";
    }
  }
  EXPECT_GT(undone, 100) << "the test is about memory that runs out";
  ASSERT_EQ(runner.save_run(run).get(), "");
  EXPECT_EQ(Journal::read(run).last(), frame);
  expect_no_gap(run);
  std::filesystem::remove(run);
}

TEST(ShortOfMemory, ARunnerThatIsRunningPauses) {
  spared = true;
  Watched watched;
  Runner& runner = watched.runner;
  const Moment& moment = watched.moment;
  for (const long n : {0, 1, 5, 20, 60, 150}) {
    SCOPED_TRACE("allocation " + std::to_string(n));
    std::vector<std::string> said;
    {
      const ShortOfMemory memory(n);
      runner.set_paused(false);
      ASSERT_TRUE(wait_for([&] { return !(said = watched.said()).empty(); }));
    }
    expect_one_line_about_memory(said);
    EXPECT_TRUE(runner.take_stop());
    runner.post(Release{});  // does nothing, and is shown
    ASSERT_TRUE(watched.sees([&] { return moment.panes[0].paused; }));
    const std::int64_t frame = moment.frame;
    std::this_thread::sleep_for(30ms);
    runner.latest(watched.serial, watched.moment);
    EXPECT_EQ(moment.frame, frame);
  }
}

// Whatever it does, on its own thread and on that of what is prepared.
TEST(ShortOfMemory, TheRunnerPausesSaysSoAndGoesOn) {
  spared = true;
  const auto folder = std::filesystem::path(testing::TempDir()) / "rebound_short_of_memory";
  std::filesystem::create_directories(folder);
  scene::Material stiff = small_world().bodies[0].material;
  stiff.young *= 3;
  int stops = 0;
  for (long n = 0; n < 1200; n += 1 + n / 12)
    for (const bool for_good_too : {false, true}) {
      SCOPED_TRACE("allocation " + std::to_string(n) + (for_good_too ? " and all that follow" : ""));
      Watched watched(n % 2 == 0 ? 0 : 1000);
      Runner& runner = watched.runner;
      const Moment& moment = watched.moment;
      {
        const ShortOfMemory memory(n, for_good_too);
        runner.step_once();
        runner.post(Grab{{0, 6}, {0.9, 0.5, 0.5}, 1});
        runner.post(SetMaterial{0, stiff});
        runner.add_pane(0, "bdf2");
        runner.step_once();
        runner.post(AddObstacle{a_ball()});
        runner.step_once();
        runner.go_to(1);
        EXPECT_EQ(runner.save_run(folder / "short.run").wait_for(4s), std::future_status::ready);
      }
      // There is enough again.
      runner.post(SetGravity{{0, -2, 0}});
      runner.step_once();
      ASSERT_TRUE(watched.sees([&] {
        return moment.panes[0].preparing.empty() && moment.panes[0].description.gravity[1] == -2 &&
               moment.frame == moment.last;
      }));
      EXPECT_TRUE(moment.panes[0].paused);
      const bool stopped = runner.take_stop();
      const auto said = watched.said();
      stops += stopped ? 1 : 0;
      EXPECT_EQ(stopped, !said.empty()) << "whoever pauses says why";
      for (const std::string& line : said) EXPECT_NE(line.find("out of memory"), std::string::npos) << line;
      ASSERT_EQ(runner.save_run(folder / "after.run").get(), "");
      expect_no_gap(folder / "after.run");
    }
  EXPECT_GT(stops, 40) << "the test is about memory that runs out";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace rebound::test
