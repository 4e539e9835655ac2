// Memory runs out wherever it may: what was under way has then not happened, is said so, and can be done again; nothing
// ends the program. Every allocation of some size goes by a counter here, and the n-th one fails, for n = 0, 1, 2, ...
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cerrno>
#include <functional>

#include "session/out_of_memory.hpp"
#include "session/timeline.hpp"
#include "support/runs.hpp"

namespace {

// Large for bodies as small as those below.
constexpr std::size_t kLarge = 400;

std::atomic<bool> armed{false};
std::atomic<long> left{0};          // so many more succeed
std::atomic<bool> for_good{false};  // not only that one fails, but all that follow
std::atomic<int> failures{0};
thread_local bool spared = false;  // who looks on is not tested

bool fails(std::size_t bytes) {
  if (bytes < kLarge || spared || !armed) return false;
  if (left.fetch_sub(1) != 0) return false;
  if (for_good) left = 0;
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

void* malloc(std::size_t bytes) { return fails(bytes) ? nullptr : __libc_malloc(bytes); }
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

/// While it lives, the n-th large allocation fails; or all from there on.
class ShortOfMemory {
 public:
  explicit ShortOfMemory(long n, bool all_that_follow = false) {
    for_good = all_that_follow;
    failures = 0;
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

}  // namespace
}  // namespace rebound::test
