#include "session/runner.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "mesh/error.hpp"

namespace rebound::session {

Runner::Runner(std::unique_ptr<Session> session, bool paused, int slow_vertices)
    : session_(std::move(session)), paused_(paused), slow_vertices_(slow_vertices), preparer_([this] {
        {
          const std::lock_guard lock(mutex_);
          prepared_ = true;
        }
        wake_.notify_one();
      }) {
  publish();
  thread_ = std::thread([this] { loop(); });
}

Runner::~Runner() {
  preparer_.cancel();
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

bool Runner::latest(Snapshot& snapshot) {
  const std::lock_guard lock(mutex_);
  if (!fresh_) return false;
  fresh_ = false;
  std::swap(snapshot, snapshot_);
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
    bool is_time = false;
    {
      std::unique_lock lock(mutex_);
      const auto something = [&] { return stop_ || !posted_.empty() || single_steps_ > 0 || prepared_; };
      if (paused_ || !session_->failure().empty()) {
        wake_.wait(lock, [&] { return something() || (!paused_ && session_->failure().empty()); });
        due = Clock::now();
        meter_.interrupt();
      } else {
        wake_.wait_until(lock, due, something);
      }
      if (stop_) return;
      prepared_ = false;
      const auto tick = std::chrono::duration<double>(session_->description().timeStep / speed_);
      const auto now = Clock::now();
      if (single_steps_ > 0) {
        --single_steps_;
        is_time = true;
      } else if (!paused_ && now >= due) {
        due = std::max(due + std::chrono::duration_cast<Clock::duration>(tick), now);
        is_time = true;
      }
    }
    const auto began = Clock::now();
    const bool changed = apply_posted();
    meter_.charge(&FrameBudget::commands_ms, began, Clock::now());
    if (!is_time && !changed) continue;
    const bool stepped = is_time && step();
    publish();
    if (stepped) {
      const std::lock_guard lock(mutex_);
      records_.push_back(session_->record());
    }
  }
}

bool Runner::step() {
  const auto began = Clock::now();
  meter_.begin(began);
  const bool stepped = session_->step();
  meter_.charge(&FrameBudget::step_ms, began, Clock::now());
  if (stepped) measure_pace();
  return stepped;
}

// Whether anything was done that should be seen.
bool Runner::apply_posted() {
  std::deque<Command> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(posted_);
  }
  bool changed = apply_waiting();
  for (Command& command : commands) {
    if (moves_the_hand(command)) {
      try {
        take_effect(command, nullptr);
      } catch (const InputError& refusal) {
        refuse(refusal.what());
      }
    } else {
      queue(std::move(command));
      apply_waiting();
    }
    changed = true;
  }
  return changed;
}

// Behind those that wait, and in the place of one that it makes pointless: a slider that is dragged must not pile up
// work. Only commands of its own kind may lie between, such as the materials of other bodies: others might refuse, or
// mean something else, if they came before.
void Runner::queue(Command command) {
  const std::size_t first = preparer_.busy() ? 1 : 0;
  for (std::size_t i = waiting_.size(); i > first && waiting_[i - 1].index() == command.index(); --i)
    if (replaces(command, waiting_[i - 1])) {
      waiting_[i - 1] = std::move(command);
      return;
    }
  waiting_.push_back(std::move(command));
}

bool Runner::apply_waiting() {
  bool changed = false;
  while (!waiting_.empty()) {
    try {
      if (!apply_next()) break;
    } catch (const InputError& refusal) {
      refuse(refusal.what());
    } catch (const std::bad_alloc&) {
      refuse("out of memory: that needs factors that do not fit");
    }
    waiting_.pop_front();
    changed = true;
  }
  return changed;
}

// False if it has to wait. Throws if it is refused.
bool Runner::apply_next() {
  const Command& command = waiting_.front();
  std::unique_ptr<Preparation> made;
  if (preparer_.busy()) {
    made = preparer_.take();
    if (!made) return false;
  } else if (session_->model().vertices() >= slow_vertices_) {
    made = session_->preparation(command);
    if (made) {
      preparer_.start(std::move(made));
      return false;
    }
  }
  take_effect(command, made.get());
  preparer_.discard(std::move(made));
  return true;
}

// Everything that is done to the session passes here, between the frames session_->frame() and the next. Applied at
// once at the same places, the same commands make the same session: what was prepared elsewhere leaves no trace in it.
// made: what was prepared; null: what it takes is made now. Throws if it is refused.
void Runner::take_effect(const Command& command, Preparation* made) {
  made != nullptr ? session_->apply(command, made) : session_->apply(command);
}

void Runner::refuse(const char* why) {
  const std::lock_guard lock(mutex_);
  refusals_.emplace_back(why);
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

// The panels show what was asked for, and compose the next command from it.
void Runner::describe_what_waits() {
  draft_.preparing.clear();
  if (waiting_.empty()) return;
  draft_.preparing = subject(waiting_.front());
  draft_.description = session_->description();
  for (const Command& command : waiting_) describe(command, draft_.description);
  draft_.revision = 0;  // no session's: it is read anew when nothing waits any more
}

// Three moments go round: the one being drafted, the latest, and that of who looks on. Nobody copies and nobody waits.
void Runner::publish() {
  const auto began = Clock::now();
  look(*session_, draft_);
  describe_what_waits();
  draft_.real_time = 1;
  if (pace_.size() > 1)
    draft_.real_time = (pace_.back().second - pace_.front().second) /
                       std::chrono::duration<double>(pace_.back().first - pace_.front().first).count();
  draft_.budget = meter_.mean();
  {
    const std::lock_guard lock(mutex_);
    draft_.paused = paused_;
    std::swap(snapshot_, draft_);
    fresh_ = true;
  }
  meter_.charge(&FrameBudget::hand_over_ms, began, Clock::now());
}

}  // namespace rebound::session
