#include "sim/workers.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rebound::sim {
namespace {

// Long enough to bridge the serial part between two passes (a triangular solve of a small body), short enough that a
// paused program uses no processor.
constexpr int kSpins = 4000;

void relax() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

Workers::Workers(int threads) {
  for (int t = 1; t < threads; ++t) helpers_.emplace_back([this, t] { work(t); });
}

Workers::~Workers() {
  stop_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  for (auto& helper : helpers_) helper.join();
}

void Workers::run_erased(int count, const void* task, Call call) {
  count_ = count;
  task_ = task;
  call_ = call;
  unfinished_.store(static_cast<int>(helpers_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  do_share(0);
  for (int spin = 0; unfinished_.load(std::memory_order_acquire) != 0; ++spin) {
    if (spin < kSpins) {
      relax();
    } else {
      std::this_thread::yield();
    }
  }
}

void Workers::do_share(int thread) {
  // Neighbouring tasks touch neighbouring memory, so a thread takes a contiguous share.
  const std::int64_t n = count_, parts = threads();
  const int end = static_cast<int>(n * (thread + 1) / parts);
  for (int i = static_cast<int>(n * thread / parts); i < end; ++i) call_(task_, i);
}

void Workers::work(int thread) {
  std::uint32_t seen = 0;
  for (;;) {
    for (int spin = 0; round_.load(std::memory_order_acquire) == seen; ++spin) {
      if (spin < kSpins) {
        relax();
      } else {
        round_.wait(seen, std::memory_order_acquire);
      }
    }
    ++seen;
    if (stop_.load(std::memory_order_relaxed)) return;
    do_share(thread);
    unfinished_.fetch_sub(1, std::memory_order_release);
  }
}

}  // namespace rebound::sim
