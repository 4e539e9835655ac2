// How a step that is under way is told to end: by whoever waits for its thread, such as a window that closes.
#pragma once

#include <atomic>
#include <stdexcept>

namespace rebound::sim {

/// Leaves a step that nobody waits for any more: a Stepper, and a Session, are then as they were before it.
struct StepAbandoned : std::runtime_error {
  StepAbandoned() : std::runtime_error("the step was abandoned") {}
};

/// While it lives, steps on this thread end soon after the flag has become true: at the next
/// gradient, by StepAbandoned.
class StopRequest {
 public:
  /// flag: may be null, and then nothing stops them.
  explicit StopRequest(const std::atomic<bool>* flag) : before_(flag_) { flag_ = flag; }
  ~StopRequest() { flag_ = before_; }
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  /// This thread's flag, for others that work for it.
  static const std::atomic<bool>* flag() { return flag_; }
  /// Throws StepAbandoned.
  static void check() {
    if (flag_ != nullptr && flag_->load(std::memory_order_relaxed)) throw StepAbandoned();
  }

 private:
  static inline thread_local const std::atomic<bool>* flag_ = nullptr;
  const std::atomic<bool>* before_;
};

}  // namespace rebound::sim
