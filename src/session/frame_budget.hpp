// Where the time of a frame goes, on the simulation's thread.
#pragma once

namespace rebound::session {

/// Means over the last second, wall clock, ms a frame. The four are all there is: they add up to frame_ms().
struct FrameBudget {
  double step_ms = 0;
  double commands_ms = 0;   ///< what the user did
  double hand_over_ms = 0;  ///< the copy for the window
  double waiting_ms = 0;    ///< for the next tick

  double frame_ms() const { return step_ms + commands_ms + hand_over_ms + waiting_ms; }
  FrameBudget& operator+=(const FrameBudget& other) {
    step_ms += other.step_ms;
    commands_ms += other.commands_ms;
    hand_over_ms += other.hand_over_ms;
    waiting_ms += other.waiting_ms;
    return *this;
  }
  FrameBudget operator/(double n) const { return {step_ms / n, commands_ms / n, hand_over_ms / n, waiting_ms / n}; }
};

}  // namespace rebound::session
