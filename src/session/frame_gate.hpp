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
  using Milliseconds = std::chrono::milliseconds;

  /// longest_wait: of a pass, should a frame never end.
  explicit FrameGate(Milliseconds longest_wait = Milliseconds(500)) : longest_wait_(longest_wait) {}

  /// While one of these lives, a frame is under way. One at a time.
  class Frame {
   public:
    explicit Frame(FrameGate& gate);
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

   private:
    FrameGate& gate_;
  };

  /// Called between two pieces of work, by the threads that have time. Returns when no frame is under way, or one has
  /// ended since.
  void pass();

 private:
  const Milliseconds longest_wait_;
  std::mutex mutex_;
  std::condition_variable opened_;
  std::atomic<bool> closed_{false};
  unsigned frame_ = 0;
};

}  // namespace rebound::session
