// Threads that share a step's work: each task once, on the thread that it belongs to, and what it throws comes out.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include "sim/base/thread_barrier.hpp"
#include "sim/base/workers.hpp"

namespace rebound::test {
namespace {

using sim::ThreadBarrier;
using sim::Workers;

TEST(WorkersTest, RunEachTaskOnceWhateverTheNumberOfThreads) {
  for (const int threads : {1, 2, 5}) {
    Workers workers(threads);
    for (int round = 0; round < 3000; ++round) {
      const int count = 1 + round % 37;
      std::vector<int> runs(static_cast<std::size_t>(count), 0);
      workers.run(count, [&](int i) { ++runs[static_cast<std::size_t>(i)]; });
      ASSERT_EQ(std::accumulate(runs.begin(), runs.end(), 0), count);
      ASSERT_EQ(*std::max_element(runs.begin(), runs.end()), 1);
    }
  }
}

TEST(WorkersTest, RunATaskOnEachThreadWhichIsAlwaysTheSame) {
  constexpr int kRounds = 300;  // each waits for all, also where they are more than processors
  for (const int threads : {1, 2, 5}) {
    Workers workers(threads);
    std::vector<std::thread::id> first(static_cast<std::size_t>(workers.threads()));
    workers.run_on_each([&](int t) { first[static_cast<std::size_t>(t)] = std::this_thread::get_id(); });
    EXPECT_EQ(first[0], std::this_thread::get_id());
    std::vector<int> runs(first.size(), 0);
    for (int round = 0; round < kRounds; ++round) {
      workers.run_on_each([&](int t) {
        const auto own = static_cast<std::size_t>(t);
        runs[own] += first[own] == std::this_thread::get_id() ? 1 : 1000000;
      });
      // Rounds of both kinds, one after the other.
      if (round % 3 == 0) workers.run(round % 7, [](int) {});
    }
    for (const int count : runs) EXPECT_EQ(count, kRounds) << threads;
  }
}

// Each thread reads what all others wrote before they met.
TEST(WorkersTest, MeetAtABarrier) {
  constexpr int kMeetings = 500;
  for (const int threads : {1, 2, 4}) {
    Workers workers(threads);
    ThreadBarrier barrier(workers.threads());
    std::array<std::vector<int>, 2> written;
    for (auto& turn : written) turn.resize(static_cast<std::size_t>(workers.threads()));
    std::vector<int> wrong(written[0].size(), 0);
    workers.run_on_each([&](int t) {
      for (int meeting = 0; meeting < kMeetings; ++meeting) {
        std::vector<int>& turn = written[static_cast<std::size_t>(meeting % 2)];
        turn[static_cast<std::size_t>(t)] = meeting;
        barrier.wait();
        for (const int of : turn) wrong[static_cast<std::size_t>(t)] += of == meeting ? 0 : 1;
      }
    });
    for (const int count : wrong) EXPECT_EQ(count, 0) << threads;
  }
}

TEST(WorkersTest, RunOneTaskBesideTheFirstThatTheyShare) {
  for (const int threads : {1, 2, 4}) {
    Workers workers(threads);
    for (const int passes : {0, 1, 3}) {
      int beside = 0;
      std::vector<int> calls(50, 0);
      workers.run_beside([&] { ++beside; },
                         [&] {
                           for (int pass = 0; pass < passes; ++pass)
                             workers.run(50, [&](int i) { ++calls[static_cast<std::size_t>(i)]; });
                         });
      EXPECT_EQ(beside, 1) << threads << " " << passes;
      for (const int count : calls) EXPECT_EQ(count, passes) << threads;
    }
    // What was not begun when the work failed is not done later.
    int beside = 0;
    EXPECT_THROW(workers.run_beside([&] { ++beside; }, [] { throw std::runtime_error("work"); }), std::runtime_error);
    EXPECT_THROW(workers.run_beside([] { throw std::runtime_error("task"); }, [&] { workers.run(4, [](int) {}); }),
                 std::runtime_error);
    workers.run(3, [](int) {});
    EXPECT_EQ(beside, 0);
  }
}

TEST(WorkersTest, PauseBeforeEachTask) {
  for (const int threads : {1, 3}) {
    std::atomic<bool> held{true};
    std::atomic<int> begun{0};
    Workers workers(threads, [&] {
      while (held) std::this_thread::yield();
    });
    std::thread holder([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_EQ(begun, 0) << threads;
      held = false;
    });
    workers.run(7, [&](int) { ++begun; });
    holder.join();
    EXPECT_EQ(begun, 7);
    held = true;
    std::thread opener([&] { held = false; });
    workers.pause();
    opener.join();
  }
}

TEST(WorkersTest, ThrowWhatATaskThrewAndGoOn) {
  Workers workers(3);
  for (int round = 0; round < 100; ++round) {
    EXPECT_THROW(workers.run_on_each([](int t) {
      if (t == 1) throw std::runtime_error("own");
    }),
                 std::runtime_error);
    EXPECT_THROW(workers.run(10,
                             [](int i) {
                               if (i == 7) throw std::runtime_error("any");
                             }),
                 std::runtime_error);
    int sum = 0;
    workers.run(1, [&](int) { ++sum; });
    EXPECT_EQ(sum, 1);
  }
}

}  // namespace
}  // namespace rebound::test
