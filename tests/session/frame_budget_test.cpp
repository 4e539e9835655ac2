// The parts of a frame and what is idle are the frame.
#include "session/frame_budget.hpp"

#include <gtest/gtest.h>

namespace rebound::test {
namespace {

using namespace rebound::session;
using namespace std::chrono_literals;

TEST(FrameBudget, OfEqualFramesIsThatOfEachAndAddsUp) {
  FrameMeter meter;
  FrameMeter::Clock::time_point now{};
  EXPECT_EQ(meter.mean().frame_ms, 0);
  for (int i = 0; i < 5; ++i, now += 33ms) {
    meter.begin(now);
    meter.charge(&FrameBudget::commands_ms, now + 1ms, now + 2ms);
    meter.charge(&FrameBudget::commands_ms, now + 3ms, now + 4ms);
    meter.charge(&FrameBudget::step_ms, now + 4ms, now + 24ms);
    meter.charge(&FrameBudget::hand_over_ms, now + 24ms, now + 25ms);
  }
  EXPECT_NEAR(meter.mean().frame_ms, 33, 1e-9);
  EXPECT_NEAR(meter.mean().step_ms, 20, 1e-9);
  EXPECT_NEAR(meter.mean().commands_ms, 2, 1e-9);
  EXPECT_NEAR(meter.mean().hand_over_ms, 1, 1e-9);
  EXPECT_NEAR(meter.mean().idle_ms(), 10, 1e-9);
}

TEST(FrameBudget, FollowsWhatChangesAndForgetsNoPart) {
  FrameMeter meter;
  FrameMeter::Clock::time_point now{};
  for (int i = 0; i < 200; ++i) {
    const auto step = i < 100 ? 10ms : 50ms;
    meter.begin(now);
    meter.charge(&FrameBudget::step_ms, now, now + step);
    now += step + 5ms;
    EXPECT_NEAR(meter.mean().idle_ms(), i == 0 ? 0 : 5, 1e-9) << "whatever the mean has forgotten";
  }
  EXPECT_NEAR(meter.mean().step_ms, 50, 0.2);
}

TEST(FrameBudget, APauseIsNoFrame) {
  FrameMeter meter;
  FrameMeter::Clock::time_point now{};
  meter.begin(now);
  meter.begin(now += 10ms);
  meter.interrupt();
  meter.begin(now += 1h);
  meter.begin(now += 10ms);
  EXPECT_NEAR(meter.mean().frame_ms, 10, 1e-9);
}

}  // namespace
}  // namespace rebound::test
