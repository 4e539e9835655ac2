#include "sim/base/workers.hpp"

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "sim/base/spin_wait.hpp"

namespace rebound::sim {
namespace {

// Long enough to bridge the serial part between two passes (a triangular solve of a small body), as waking a thread
// costs both more than that; short enough that a paused program uses no processor.
constexpr int kSpins = 20000;

// The lower half of a ticket while its round is being set up: nothing can be taken.
constexpr std::uint32_t kClosed = 0xffffffffu;
// And where each thread has one task: none is taken, and the round lasts until all have done theirs.
constexpr std::uint32_t kForEach = 0xfffffffeu;
constexpr std::uint64_t for_each(std::uint32_t round) { return (std::uint64_t{round} << 32) | kForEach; }
constexpr std::uint64_t closed(std::uint32_t round) { return (std::uint64_t{round} << 32) | kClosed; }
constexpr std::uint64_t open(std::uint32_t round) { return std::uint64_t{round} << 32; }
constexpr std::uint32_t round_of(std::uint64_t ticket) { return static_cast<std::uint32_t>(ticket >> 32); }
constexpr std::uint32_t next_of(std::uint64_t ticket) { return static_cast<std::uint32_t>(ticket); }

}  // namespace

Workers::Workers(int threads, std::function<void()> pause) : pause_(std::move(pause)) { start(threads); }

Workers::~Workers() { stop(); }

void Workers::use(int threads) {
  if (threads == asked_) return;
  stop();
  start(threads);
}

void Workers::start(int threads) {
  if (threads < 1)
    throw std::invalid_argument("a team of " + std::to_string(threads) + " threads; the least is 1, the calling one");
  asked_ = threads;
  stop_.store(false, std::memory_order_relaxed);
  const std::uint32_t round = round_of(ticket_.load(std::memory_order_relaxed));
  try {
    helpers_.reserve(static_cast<std::size_t>(threads - 1));
    for (int t = 1; t < threads; ++t) helpers_.emplace_back([this, round, t] { work(round, t); });
  } catch (const std::system_error&) {
    // No room for another stack, or too many processes.
  } catch (const std::bad_alloc&) {
  }
}

void Workers::stop() {
  stop_.store(true, std::memory_order_relaxed);
  // Nothing is left to take in the round that wakes them.
  count_.store(0, std::memory_order_relaxed);
  ticket_.store(open(round_of(ticket_.load(std::memory_order_relaxed)) + 1), std::memory_order_release);
  ticket_.notify_all();
  for (auto& helper : helpers_) helper.join();
  helpers_.clear();
}

void Workers::run_erased(int count, const void* task, Call call) {
  const std::uint32_t round = round_of(ticket_.load(std::memory_order_relaxed)) + 1;
  // Closed first: whoever reads a new field below has then seen the ticket change, and its claim fails.
  ticket_.store(closed(round), std::memory_order_relaxed);
  count_.store(count, std::memory_order_release);
  task_.store(task, std::memory_order_release);
  call_.store(call, std::memory_order_release);
  done_.store(0, std::memory_order_relaxed);
  const bool on_each = count == kOnEach;
  if (on_each) count = threads();
  ticket_.store(on_each ? for_each(round) : open(round), std::memory_order_release);
  ticket_.notify_all();
  if (on_each) {
    run_task(call, task, 0);
  } else {
    take_tasks(round);
  }
  spin_until([&] {
    if (done_.load(std::memory_order_acquire) == count) return true;
    pause();
    return false;
  });
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Workers::run_task(Call call, const void* task, int index) {
  try {
    call(task, index);
  } catch (...) {
    const std::lock_guard lock(thrown_mutex_);
    thrown_ = std::current_exception();
  }
  done_.fetch_add(1, std::memory_order_release);
}

void Workers::take_tasks(std::uint32_t round) {
  std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
  while (round_of(ticket) == round && next_of(ticket) < kForEach) {
    pause();
    const int count = count_.load(std::memory_order_acquire);
    const void* task = task_.load(std::memory_order_acquire);
    const Call call = call_.load(std::memory_order_acquire);
    const auto index = static_cast<int>(next_of(ticket));
    if (index >= count) return;
    if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel, std::memory_order_acquire))
      continue;
    run_task(call, task, index);
    ticket = ticket_.load(std::memory_order_acquire);
  }
}

void Workers::work(std::uint32_t seen, int thread) {
  for (;;) {
    std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
    for (int spin = 0; round_of(ticket) == seen || next_of(ticket) == kClosed; ++spin) {
      if (spin < kSpins) {
        pause();
        relax();
      } else {
        ticket_.wait(ticket, std::memory_order_acquire);
      }
      ticket = ticket_.load(std::memory_order_acquire);
    }
    seen = round_of(ticket);
    if (stop_.load(std::memory_order_relaxed)) return;
    if (next_of(ticket) == kForEach) {
      run_task(call_.load(std::memory_order_acquire), task_.load(std::memory_order_acquire), thread);
    } else {
      take_tasks(seen);
    }
  }
}

}  // namespace rebound::sim
