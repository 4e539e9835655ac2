#include "session/runner.hpp"

#include <algorithm>
#include <utility>

#include "mesh/error.hpp"

namespace rebound::session {
namespace {

// A moved hand replaces the move before it: only the last one matters, and a slow step must not fall behind the mouse.
bool replaces(const Command& newer, const Command& older) {
  return std::holds_alternative<MoveGrab>(newer) && std::holds_alternative<MoveGrab>(older);
}

}  // namespace

Runner::Runner(std::unique_ptr<Session> session, bool paused) : session_(std::move(session)), paused_(paused) {
  publish();
  thread_ = std::thread([this] { loop(); });
}

Runner::~Runner() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Runner::post(Command command) {
  {
    const std::lock_guard lock(mutex_);
    if (!posted_.empty() && replaces(command, posted_.back())) {
      posted_.back() = std::move(command);
    } else {
      posted_.push_back(std::move(command));
    }
  }
  wake_.notify_one();
}

void Runner::set_paused(bool paused) {
  {
    const std::lock_guard lock(mutex_);
    paused_ = paused;
  }
  wake_.notify_one();
}

void Runner::step_once() {
  {
    const std::lock_guard lock(mutex_);
    paused_ = true;
    ++single_steps_;
  }
  wake_.notify_one();
}

void Runner::set_speed(double speed) {
  const std::lock_guard lock(mutex_);
  speed_ = speed;
}

bool Runner::latest(std::uint64_t& serial, Snapshot& snapshot) {
  const std::lock_guard lock(mutex_);
  if (serial == serial_) return false;
  serial = serial_;
  snapshot = snapshot_;
  return true;
}

std::vector<FrameRecord> Runner::take_records() {
  const std::lock_guard lock(mutex_);
  return std::exchange(records_, {});
}

std::vector<std::string> Runner::take_refusals() {
  const std::lock_guard lock(mutex_);
  return std::exchange(refusals_, {});
}

// One step a tick of h / speed. A step that takes longer than its tick is followed at once by the next, never by a
// burst that tries to catch up.
void Runner::loop() {
  auto due = Clock::now();
  for (;;) {
    bool step = false;
    {
      std::unique_lock lock(mutex_);
      const auto something = [&] { return stop_ || !posted_.empty() || single_steps_ > 0; };
      if (paused_ || !session_->failure().empty()) {
        wake_.wait(lock, [&] { return something() || (!paused_ && session_->failure().empty()); });
        due = Clock::now();
      } else {
        wake_.wait_until(lock, due, something);
      }
      if (stop_) return;
      const auto tick = std::chrono::duration<double>(session_->description().timeStep / speed_);
      const auto now = Clock::now();
      if (single_steps_ > 0) {
        --single_steps_;
        step = true;
      } else if (!paused_ && now >= due) {
        due = std::max(due + std::chrono::duration_cast<Clock::duration>(tick), now);
        step = true;
      }
    }
    const bool changed = apply_posted();
    if (step) {
      const bool stepped = session_->step();
      if (stepped) measure_pace();
      publish();
      if (stepped) {
        const std::lock_guard lock(mutex_);
        records_.push_back(session_->record());
      }
    } else if (changed) {
      publish();
    }
  }
}

bool Runner::apply_posted() {
  std::deque<Command> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(posted_);
  }
  for (const Command& command : commands) {
    try {
      session_->apply(command);
    } catch (const InputError& refusal) {
      const std::lock_guard lock(mutex_);
      refusals_.emplace_back(refusal.what());
    }
  }
  return !commands.empty();
}

void Runner::measure_pace() {
  pace_.emplace_back(Clock::now(), session_->record().time);
  while (pace_.size() > 2 && pace_.back().first - pace_[1].first > std::chrono::seconds(1)) pace_.pop_front();
  // After a pause or a reset, old entries say nothing.
  if (pace_.size() > 1) {
    const auto gap = pace_.back().first - pace_[pace_.size() - 2].first;
    if (gap > std::chrono::seconds(1) || pace_.back().second <= pace_[pace_.size() - 2].second)
      pace_.erase(pace_.begin(), pace_.end() - 1);
  }
}

void Runner::publish() {
  look(*session_, draft_);
  draft_.real_time = 1;
  if (pace_.size() > 1)
    draft_.real_time = (pace_.back().second - pace_.front().second) /
                       std::chrono::duration<double>(pace_.back().first - pace_.front().first).count();

  const std::lock_guard lock(mutex_);
  draft_.paused = paused_;
  std::swap(snapshot_, draft_);
  ++serial_;
}

}  // namespace rebound::session
