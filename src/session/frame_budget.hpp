// Where the time between two frames goes.
#pragma once

#include <chrono>
#include <optional>

namespace rebound::session {

/// Milliseconds of wall clock on the thread of the simulation, from one step to the next; means over a dozen frames or
/// two. The parts and idle_ms() add up to the frame.
struct FrameBudget {
  double frame_ms = 0;  ///< 0: not known yet
  double step_ms = 0;
  double commands_ms = 0;   ///< what was done to the world, applied and booked
  double hand_over_ms = 0;  ///< the picture for who looks on
  double idle_ms() const { return frame_ms - step_ms - commands_ms - hand_over_ms; }
};

class FrameMeter {
 public:
  using Clock = std::chrono::steady_clock;

  /// A step begins: the frame before it is complete.
  void begin(Clock::time_point now);
  /// Between two frames the simulation stands still: that is no frame, and the next begins anew.
  void interrupt() { began_.reset(); }
  /// Gives the time from `since` to now to a part of the present frame.
  void charge(double FrameBudget::*part, Clock::time_point since, Clock::time_point now);

  const FrameBudget& mean() const { return mean_; }

 private:
  std::optional<Clock::time_point> began_;
  FrameBudget present_, mean_;
};

}  // namespace rebound::session
