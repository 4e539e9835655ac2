// Work that waits for frames to end.
#include "session/frame_gate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace rebound::test {
namespace {

using session::FrameGate;
using std::chrono::milliseconds;

constexpr milliseconds kForEver = std::chrono::hours(1), kNone(0);

TEST(FrameGate, LetsWorkThroughBetweenFrames) {
  FrameGate gate(kForEver);
  gate.pass();
  gate.close(kNone);
  gate.open();
  gate.pass();
}

TEST(FrameGate, KeepsWorkUntilTheFrameHasEnded) {
  FrameGate gate(kForEver);
  for (int frame = 0; frame < 20; ++frame) {
    gate.close(kNone);
    std::atomic<bool> through{false};
    std::thread worker([&] {
      gate.pass();
      through = true;
    });
    std::this_thread::sleep_for(milliseconds(2));
    EXPECT_FALSE(through) << frame;
    gate.open();
    worker.join();
    EXPECT_TRUE(through);
  }
}

// Frames that follow each other at once, and one that never ends.
TEST(FrameGate, LetsSomeWorkThroughWhateverFramesDo) {
  FrameGate gate(kForEver);
  std::atomic<bool> stop{false};
  std::atomic<int> passes{0};
  gate.close(kNone);
  std::thread worker([&] {
    while (passes < 50) {
      gate.pass();
      ++passes;
    }
    stop = true;
  });
  while (!stop) {
    gate.open();
    gate.close(kNone);
    std::this_thread::yield();
  }
  worker.join();

  FrameGate stuck(milliseconds(1));
  stuck.close(kNone);
  for (int pass = 0; pass < 5; ++pass) stuck.pass();
}

// In the frame in which it has waited, and in the next ones. If each pass waited, they would take a minute.
TEST(FrameGate, LetsWorkGoOnForAWhileAfterAWait) {
  FrameGate gate(milliseconds(60));
  gate.close(kForEver);
  gate.pass();
  const auto start = FrameGate::Clock::now();
  for (int frame = 0; frame < 500; ++frame) {
    gate.pass();
    gate.open();
    gate.close(kNone);
    gate.pass();
  }
  EXPECT_LT(FrameGate::Clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace rebound::test
