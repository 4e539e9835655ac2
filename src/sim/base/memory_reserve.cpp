#include "sim/base/memory_reserve.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <new>
#include <thread>

namespace rebound::sim {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// Never touched, so it is address space alone. A JSON array asks for 16 bytes per entry when it goes.
class Part {
 public:
  void fill() {
    if (block_.load() != nullptr) return;
    void* const block = std::malloc(kBytes);
    if (block == nullptr) throw std::bad_alloc();
    void* none = nullptr;
    if (!block_.compare_exchange_strong(none, block)) std::free(block);
  }
  /// False if there was none.
  bool give_back() {
    void* const block = block_.exchange(nullptr);
    std::free(block);
    return block != nullptr;
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{8} << 20;
  std::atomic<void*> block_{nullptr};
};

Part for_work, for_clean_up;
thread_local int works = 0, clean_ups = 0;
thread_local Clock::time_point first_try, last_try;

// For a second, each failure a try soon after the one before.
bool may_wait() {
  const auto now = Clock::now();
  if (now - last_try > 50ms) first_try = now;
  last_try = now;
  return now - first_try < 1s;
}

/// What `new` calls when there is no memory: it tries again when this returns.
void make_room() {
  const bool may_fail = clean_ups == 0 && std::uncaught_exceptions() == 0;
  if ((works > 0 || !may_fail) && for_work.give_back()) return;
  if (may_fail) throw std::bad_alloc();
  if (for_clean_up.give_back()) return;
  if (!may_wait()) throw std::bad_alloc();
  std::this_thread::sleep_for(1ms);
}

}  // namespace

MemoryReserve::MemoryReserve() {
  std::set_new_handler(make_room);
  for_work.fill();
  for_clean_up.fill();
  ++works;
}
MemoryReserve::~MemoryReserve() { --works; }

CleanUp::CleanUp() { ++clean_ups; }
CleanUp::~CleanUp() { --clean_ups; }

}  // namespace rebound::sim
