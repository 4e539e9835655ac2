#include "session/frame_gate.hpp"

namespace rebound::session {

FrameGate::Frame::Frame(FrameGate& gate) : gate_(gate) {
  const std::lock_guard lock(gate_.mutex_);
  gate_.closed_ = true;
  ++gate_.frame_;
}

FrameGate::Frame::~Frame() {
  {
    const std::lock_guard lock(gate_.mutex_);
    gate_.closed_ = false;
  }
  gate_.opened_.notify_all();
}

void FrameGate::pass() {
  if (!closed_) return;
  std::unique_lock lock(mutex_);
  if (!closed_) return;
  opened_.wait_for(lock, longest_wait_, [this, frame = frame_] { return !closed_ || frame_ != frame; });
}

}  // namespace rebound::session
