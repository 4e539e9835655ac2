#include "session/preparer.hpp"

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include <new>
#include <utility>

#include "mesh/error.hpp"

namespace rebound::session {
namespace {

// The simulation's threads wait for one another some fifty times a step: one that has to share its processor holds up
// all.
void give_way() {
#if defined(__linux__)
  constexpr int kNice = 10;  // about a tenth of what a frame gets
  (void)setpriority(PRIO_PROCESS, 0, kNice);
#endif
}

}  // namespace

Preparer::Preparer(bool gives_way, std::function<void()> ended)
    : gives_way_(gives_way), ended_(std::move(ended)), thread_([this] { loop(); }) {}

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
  if (!made_ && refusal_.empty()) return nullptr;
  busy_ = false;
  if (!refusal_.empty()) throw InputError(std::exchange(refusal_, {}));
  return std::move(made_);
}

void Preparer::discard(std::unique_ptr<Preparation> preparation) {
  if (!preparation) return;
  {
    const std::lock_guard lock(mutex_);
    discarded_.push_back(std::move(preparation));
  }
  wake_.notify_one();
}

void Preparer::loop() {
  if (gives_way_) give_way();
  // One thread: the other processors are the simulation's.
  sim::Workers alone(1);
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
    std::string refusal;
    try {
      preparation->run(alone, &cancel_);
    } catch (const InputError& e) {
      refusal = e.what();
    } catch (const std::bad_alloc&) {
      refusal = "out of memory: that needs factors that do not fit";
    }
    if (cancel_) return;
    {
      const std::lock_guard lock(mutex_);
      if (!refusal.empty()) {
        refusal_ = std::move(refusal);
        discarded_.push_back(std::move(preparation));
      } else {
        made_ = std::move(preparation);
      }
    }
    ended_();
  }
}

}  // namespace rebound::session
