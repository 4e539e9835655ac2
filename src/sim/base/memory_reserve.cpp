#include "sim/base/memory_reserve.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace rebound::sim {
namespace {

// Never touched, so it is address space alone. A JSON array asks for 16 bytes per entry when it goes.
constexpr std::size_t kBytes = std::size_t{8} << 20;

std::atomic<void*> reserve{nullptr};

void give_back() {
  std::free(reserve.exchange(nullptr));
  throw std::bad_alloc();
}

}  // namespace

void keep_memory_reserve() {
  if (reserve.load() != nullptr) return;
  std::set_new_handler(give_back);
  void* const kept = std::malloc(kBytes);
  if (kept == nullptr) throw std::bad_alloc();
  void* none = nullptr;
  if (!reserve.compare_exchange_strong(none, kept)) std::free(kept);
}

}  // namespace rebound::sim
