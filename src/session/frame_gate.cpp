#include "session/frame_gate.hpp"

namespace rebound::session {

void FrameGate::close(Clock::duration slice) {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  slice_ = slice;
  ++frame_;
}

void FrameGate::open() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = false;
  }
  opened_.notify_all();
}

void FrameGate::pass() {
  if (Clock::now() < free_until_.load()) return;
  std::unique_lock lock(mutex_);
  if (!closed_) return;
  opened_.wait_for(lock, longest_wait_, [this, frame = frame_] { return !closed_ || frame_ != frame; });
  free_until_ = Clock::now() + slice_;  // of all who have waited, whoever is last
}

}  // namespace rebound::session
