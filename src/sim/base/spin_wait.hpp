// A wait for what another thread does within microseconds.
#pragma once

#include <thread>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace rebound::sim {

/// Tells the processor that this thread looks again and again.
inline void relax() {
#if defined(__x86_64__)
  _mm_pause();
#else
  std::this_thread::yield();
#endif
}

/// Returns when `done` does. After a while the core is lent to others: the system may have put the other thread aside.
template <class Done>
void spin_until(const Done& done) {
  constexpr int kSpins = 2000;
  for (int spin = 0; !done(); ++spin)
    if (spin < kSpins) {
      relax();
    } else {
      std::this_thread::yield();
    }
}

}  // namespace rebound::sim
