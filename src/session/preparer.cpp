#include "session/preparer.hpp"

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include <new>
#include <utility>

#include "sim/base/memory.hpp"

namespace rebound::session {
namespace {

void give_way() {
#if defined(__linux__)
  constexpr int kNice = 15;  // a thirtieth of what a frame gets, where a piece of work runs into one
  (void)setpriority(PRIO_PROCESS, 0, kNice);
#endif
}

}  // namespace

Preparer::Preparer(FrameGate& gate, int threads, std::function<void()> ended)
    : gate_(gate),
      threads_(threads),
      ended_(std::move(ended)),
      thread_(sim::start_thread("the thread that prepares changes", [this] { loop(); })) {}

Preparer::~Preparer() {
  cancel_ = true;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Preparer::start(std::unique_ptr<Preparation> preparation) {
  busy_ = true;
  {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(preparation);
  }
  wake_.notify_one();
}

std::unique_ptr<Preparation> Preparer::take() {
  const std::lock_guard lock(mutex_);
  if (!made_ && !refusal_) return nullptr;
  busy_ = false;
  if (refusal_) std::rethrow_exception(std::exchange(refusal_, nullptr));
  return std::move(made_);
}

void Preparer::discard(std::unique_ptr<Preparation> preparation) noexcept {
  if (!preparation) return;
  try {
    const std::lock_guard lock(mutex_);
    discarded_.push_back(std::move(preparation));
  } catch (const std::bad_alloc&) {
    return;  // then it is destroyed here
  }
  wake_.notify_one();
}

void Preparer::loop() {
  give_way();  // the threads that this one starts do, too
  sim::Workers workers(threads_, [this] { gate_.pass(); });
  for (;;) {
    std::vector<std::unique_ptr<Preparation>> discarded;
    std::unique_ptr<Preparation> preparation;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || waiting_ || !discarded_.empty(); });
      if (stop_) return;
      discarded.swap(discarded_);
      preparation = std::move(waiting_);
    }
    discarded.clear();
    if (!preparation) continue;
    std::exception_ptr refusal;
    try {
      preparation->run(workers, &cancel_);
    } catch (...) {
      refusal = std::current_exception();
      preparation.reset();
    }
    if (cancel_) return;
    {
      const std::lock_guard lock(mutex_);
      // Moved, so that who takes it destroys it: the count of its owners is not seen by the thread sanitizer.
      refusal_ = std::move(refusal);
      made_ = std::move(preparation);
    }
    ended_();
  }
}

}  // namespace rebound::session
