// Preparations on a thread of their own, one after the other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "session/frame_gate.hpp"
#include "session/preparation.hpp"

namespace rebound::session {

class Preparer {
 public:
  /// gate: it gives way to frames, and to all other threads; it must outlive this. threads: that work on one.
  /// `ended` is called on the preparer's thread whenever a preparation has run, or failed.
  Preparer(FrameGate& gate, int threads, std::function<void()> ended);
  /// Cancels, and waits for the stage under way.
  ~Preparer();

  /// Not while busy.
  void start(std::unique_ptr<Preparation> preparation);
  /// From start() until take() has returned it or thrown.
  bool busy() const { return busy_; }
  /// What was started, once it has run; null until then. Throws InputError if it was refused, std::bad_alloc if there
  /// was no memory for it.
  std::unique_ptr<Preparation> take();
  /// Destroys on the preparer's thread: to free a large model takes as long as a frame.
  void discard(std::unique_ptr<Preparation> preparation) noexcept;
  /// Ends what is under way as soon as may be; it is never returned. For those who are about to destroy this.
  void cancel() { cancel_ = true; }

 private:
  void loop();

  FrameGate& gate_;
  const int threads_;
  std::function<void()> ended_;
  bool busy_ = false;  ///< the caller's
  std::atomic<bool> cancel_{false};

  std::mutex mutex_;  ///< guards everything down to thread_
  std::condition_variable wake_;
  bool stop_ = false;
  std::unique_ptr<Preparation> waiting_, made_;
  std::exception_ptr refusal_;
  std::vector<std::unique_ptr<Preparation>> discarded_;
  std::thread thread_;
};

}  // namespace rebound::session
