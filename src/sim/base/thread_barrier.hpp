// Where threads that work side by side wait until all of them are there, every few microseconds.
#pragma once

#include <atomic>
#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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
    for (int spin = 0; meeting_.load(std::memory_order_acquire) == meeting; ++spin)
      if (spin < kSpins) {
        relax();
      } else {
        std::this_thread::yield();  // the system may have put one aside, to whom this core is of use
      }
  }

 private:
  static constexpr int kSpins = 2000;
  static void relax() {
#if defined(__x86_64__)
    _mm_pause();
#endif
  }

  const int threads_;
  // A line of the cache each: those who wait read the one while others write to the other.
  alignas(64) std::atomic<int> here_{0};
  alignas(64) std::atomic<unsigned> meeting_{0};
};

}  // namespace rebound::sim
