// Lets threads that have time work only while no frame is under way. A frame's threads wait for one another some fifty
// times, so one that has to share its processor holds up all; a low priority does not keep the system from giving it
// away for milliseconds.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace rebound::session {

class FrameGate {
 public:
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::milliseconds;

  /// longest_wait: of a pass.
  explicit FrameGate(Milliseconds longest_wait = Milliseconds(50)) : longest_wait_(longest_wait) {}

  /// A frame begins, and ends. slice: what may be done from its end on, though the next one may have begun; else a
  /// factor would take many seconds where frames leave little time between them.
  void close(Clock::duration slice);
  void open();

  /// Called between two pieces of work, by the threads that have time. Returns when the frame under way has ended, or
  /// after a while: they get a little done in every frame, however long they are.
  void pass();

 private:
  const Milliseconds longest_wait_;
  std::mutex mutex_;
  std::condition_variable opened_;
  bool closed_ = false;
  unsigned frame_ = 0;
  Clock::duration slice_{0};  ///< of the frame under way
  std::atomic<Clock::time_point> free_until_{Clock::time_point::min()};
};

}  // namespace rebound::session
