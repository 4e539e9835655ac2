// Where threads that work side by side wait until all of them are there, every few microseconds.
#pragma once

#include <atomic>

#include "sim/base/spin_wait.hpp"

namespace rebound::sim {

class ThreadBarrier {
 public:
  /// So many threads meet, again and again. One that never comes holds up all others.
  explicit ThreadBarrier(int threads) : threads_(threads) {}

  /// What each thread wrote before is there for all of them after.
  void wait() {
    const unsigned meeting = meeting_.load(std::memory_order_relaxed);
    if (here_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      here_.store(0, std::memory_order_relaxed);
      meeting_.store(meeting + 1, std::memory_order_release);
      return;
    }
    spin_until([&] { return meeting_.load(std::memory_order_acquire) != meeting; });
  }

 private:
  const int threads_;
  // A line of the cache each: those who wait read the one while others write to the other.
  alignas(64) std::atomic<int> here_{0};
  alignas(64) std::atomic<unsigned> meeting_{0};
};

}  // namespace rebound::sim
