#include "session/runner.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "mesh/error.hpp"

namespace rebound::session {
namespace {

/// Adds to ms what the work takes, and returns what it returns.
template <class Work>
auto timed(double& ms, const Work& work) {
  struct Stopwatch {
    ~Stopwatch() { ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count(); }
    double& ms;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  };
  const Stopwatch stopwatch{ms};
  return work();
}

}  // namespace

Runner::Runner(std::unique_ptr<Session> session, bool paused, int slow_vertices)
    : session_(std::move(session)),
      paused_(paused),
      slow_vertices_(slow_vertices),
      patient_(true, [this] { preparation_ended(); }),
      eager_(false, [this] { preparation_ended(); }) {
  publish();
  thread_ = std::thread([this] { loop(); });
}

Runner::~Runner() {
  patient_.cancel();
  eager_.cancel();
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
    bool step = false;
    {
      std::unique_lock lock(mutex_);
      const auto something = [&] { return stop_ || !posted_.empty() || single_steps_ > 0 || prepared_; };
      if (paused_ || !session_->failure().empty()) {
        wake_.wait(lock, [&] { return something() || (!paused_ && session_->failure().empty()); });
        due = Clock::now();
      } else {
        wake_.wait_until(lock, due, something);
      }
      if (stop_) return;
      prepared_ = false;
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
    const bool changed = timed(spent_.commands_ms, [this] { return apply_posted(); });
    if (step) {
      const bool stepped = timed(spent_.step_ms, [this] { return session_->step(); });
      if (stepped) measure_pace();
      timed(spent_.hand_over_ms, [this] { publish(); });
      if (stepped) {
        const std::lock_guard lock(mutex_);
        records_.push_back(session_->record());
      }
    } else if (changed) {
      timed(spent_.hand_over_ms, [this] { publish(); });
    }
  }
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
// work. Only commands of its own kind may lie between, such as the materials of other bodies: others might be refused,
// or mean something else, if they came before.
void Runner::queue(Command command) {
  const std::size_t first = preparer_->busy() ? 1 : 0;
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
  if (session_->model().vertices() < slow_vertices_) {
    take_effect(command, nullptr);
    return true;
  }
  std::unique_ptr<Preparation> made;
  if (preparer_->busy()) {
    made = preparer_->take();
    if (!made) return false;
  } else {
    made = session_->preparation(command);
    if (made) {
      preparer_ = has_time_to_spare() ? &patient_ : &eager_;
      preparer_->start(std::move(made));
      return false;
    }
  }
  take_effect(command, made.get());
  preparer_->discard(std::move(made));
  return true;
}

// Whatever is done to the session passes here, between the frames session_->frame() and the next. The same commands,
// applied at once after the same frames, make the same session to the last byte: that something was prepared elsewhere,
// and for how long, leaves no trace in it. made: null where nothing was prepared; what it takes is made now. Throws if
// it is refused.
void Runner::take_effect(const Command& command, Preparation* made) {
  made != nullptr ? session_->apply(command, made) : session_->apply(command);
}

void Runner::preparation_ended() {
  {
    const std::lock_guard lock(mutex_);
    prepared_ = true;
  }
  wake_.notify_one();
}

// Frames that come in time must go on doing so; those that are late anyway share the processor with what is prepared.
bool Runner::has_time_to_spare() const {
  constexpr double kShare = 0.15;
  const FrameBudget spent = budget();
  return spent.waiting_ms >= kShare * spent.frame_ms();
}

void Runner::refuse(const char* why) {
  const std::lock_guard lock(mutex_);
  refusals_.emplace_back(why);
}

// After a pause or a reset, old entries say nothing.
void Runner::measure_pace() {
  const Pace now{Clock::now(), session_->record().time, std::exchange(spent_, {})};
  if (!pace_.empty() && (now.at - pace_.back().at > std::chrono::seconds(1) || now.time <= pace_.back().time))
    pace_.clear();
  pace_.push_back(now);
  if (pace_.size() > 1) {
    Pace& last = pace_.back();
    last.spent.waiting_ms = 0;
    const auto since = std::chrono::duration<double, std::milli>(now.at - pace_[pace_.size() - 2].at);
    last.spent.waiting_ms = since.count() - last.spent.frame_ms();
  }
  while (pace_.size() > 2 && now.at - pace_[1].at > std::chrono::seconds(1)) pace_.pop_front();
}

FrameBudget Runner::budget() const {
  FrameBudget sum;
  for (std::size_t i = 1; i < pace_.size(); ++i) sum += pace_[i].spent;
  return pace_.size() > 1 ? sum / static_cast<double>(pace_.size() - 1) : sum;
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

void Runner::publish() {
  look(*session_, draft_);
  describe_what_waits();
  draft_.real_time = 1;
  draft_.budget = budget();
  if (pace_.size() > 1)
    draft_.real_time = (pace_.back().time - pace_.front().time) /
                       std::chrono::duration<double>(pace_.back().at - pace_.front().at).count();

  const std::lock_guard lock(mutex_);
  draft_.paused = paused_;
  std::swap(snapshot_, draft_);
  ++serial_;
}

}  // namespace rebound::session
