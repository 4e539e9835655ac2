// How fast frames follow one another, and what their time is spent on.
#pragma once

#include <chrono>
#include <deque>

#include "session/frame_budget.hpp"

namespace rebound::session {

class Pace {
 public:
  using Clock = std::chrono::steady_clock;

  /// What is spent now, to be added to; frame() takes it over.
  FrameBudget spent;

  /// A frame of `step` seconds has ended that was simulated up to `time`, s. After a pause or a reset, what was before
  /// says nothing. at: when it ended.
  void frame(double time, double step, Clock::time_point at = Clock::now());
  void forget() { frames_.clear(); }

  /// Means over the last second; zeros until there are two frames.
  FrameBudget budget() const;
  /// Simulated seconds a second of wall clock, over the last second or the last frame. Of a single one what it took,
  /// but no more than 1; 1 while there is none.
  double real_time() const;

 private:
  struct Frame {
    Clock::time_point at;  ///< when the step had ended
    double time = 0;       ///< s, simulated
    double step = 0;       ///< s
    FrameBudget spent;     ///< since the one before
  };
  std::deque<Frame> frames_;  ///< of the last second
};

}  // namespace rebound::session
