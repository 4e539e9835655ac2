// Work that waits for frames to end.
#include "session/frame_gate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

namespace rebound::test {
namespace {

using session::FrameGate;
using std::chrono::milliseconds;

constexpr milliseconds kForEver = std::chrono::hours(1);

TEST(FrameGate, LetsWorkThroughBetweenFrames) {
  FrameGate gate(kForEver);
  gate.pass();
  { const FrameGate::Frame frame(gate); }
  gate.pass();
}

TEST(FrameGate, KeepsWorkUntilTheFrameHasEnded) {
  FrameGate gate(kForEver);
  for (int i = 0; i < 20; ++i) {
    std::optional<FrameGate::Frame> frame(gate);
    std::atomic<bool> through{false};
    std::thread worker([&] {
      gate.pass();
      through = true;
    });
    std::this_thread::sleep_for(milliseconds(2));
    EXPECT_FALSE(through) << i;
    frame.reset();
    worker.join();
    EXPECT_TRUE(through);
  }
}

// Frames that follow each other at once, and one that never ends.
TEST(FrameGate, LetsSomeWorkThroughWhateverFramesDo) {
  FrameGate gate(kForEver);
  std::atomic<bool> stop{false};
  std::atomic<int> passes{0};
  std::optional<FrameGate::Frame> frame(gate);
  std::thread worker([&] {
    while (passes < 50) {
      gate.pass();
      ++passes;
    }
    stop = true;
  });
  while (!stop) {
    frame.reset();
    frame.emplace(gate);
    std::this_thread::yield();
  }
  worker.join();

  FrameGate stuck(milliseconds(1));
  const FrameGate::Frame endless(stuck);
  for (int pass = 0; pass < 5; ++pass) stuck.pass();
}

}  // namespace
}  // namespace rebound::test
