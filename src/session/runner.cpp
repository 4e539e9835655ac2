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

Runner::Runner(std::unique_ptr<Session> session, bool paused, int slow_vertices, std::optional<Journal> recorded)
    : timeline_(std::move(session)),
      bodies_(timeline_.ensemble().first().world().geometry),
      paused_(paused),
      slow_vertices_(slow_vertices),
      patient_(true, [this] { preparation_ended(); }),
      eager_(false, [this] { preparation_ended(); }) {
  if (recorded) timeline_.follow(std::move(*recorded));
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

bool Runner::latest(std::uint64_t& serial, Moment& moment) {
  const std::lock_guard lock(mutex_);
  if (serial == serial_) return false;
  serial = serial_;
  std::swap(moment, moment_);
  return true;
}

bool Runner::latest(std::uint64_t& serial, Snapshot& snapshot) {
  const std::lock_guard lock(mutex_);
  if (serial == serial_) return false;
  serial = serial_;
  if (moment_.panes.empty()) moment_.panes.emplace_back();  // what the last onlooker gave in exchange
  std::swap(snapshot, moment_.panes.front());
  return true;
}

std::vector<FrameRecord> Runner::take_records(int pane) {
  const std::lock_guard lock(mutex_);
  return std::exchange(records_[pane], {});
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
      if (paused_ || timeline_.ensemble().stands_still()) {
        wake_.wait(lock, [&] { return something() || (!paused_ && !timeline_.ensemble().stands_still()); });
        due = Clock::now();
      } else {
        wake_.wait_until(lock, due, something);
      }
      if (stop_) return;
      prepared_ = false;
      const auto tick = std::chrono::duration<double>(timeline_.ensemble().first().description().timeStep / speed_);
      const auto now = Clock::now();
      if (single_steps_ > 0) {
        --single_steps_;
        step = true;
      } else if (!paused_ && now >= due) {
        due = std::max(due + std::chrono::duration_cast<Clock::duration>(tick), now);
        step = true;
      }
    }
    try {
      const bool changed = timed(spent_.commands_ms, [this] { return apply_posted(); });
      if (step) {
        this->step();
      } else if (changed) {
        timed(spent_.hand_over_ms, [this] { publish(); });
      }
    } catch (const std::bad_alloc&) {
      ran_out_of_memory(step ? "a frame, or its place in the past" : "the picture of the moment");
    }
  }
}

void Runner::step() {
  const bool followed = timeline_.follows();
  const bool stepped = timed(spent_.step_ms, [this] { return timeline_.step(); });
  if (followed && !timeline_.follows()) {
    const std::lock_guard lock(mutex_);
    paused_ = true;
  }
  if (stepped) measure_pace();
  timed(spent_.hand_over_ms, [this] { publish(); });
  if (!stepped) return;
  const std::lock_guard lock(mutex_);
  for (const Pane& pane : timeline_.ensemble().panes()) {
    auto& records = records_[pane.id];
    if (!pane.session->failure().empty()) continue;
    if (records.size() >= Timeline::kMostRecords) records.clear();  // nobody takes them
    records.push_back(pane.session->record());
  }
}

// Whether anything was done that should be seen.
bool Runner::apply_posted() {
  std::deque<Request> requests;
  {
    const std::lock_guard lock(mutex_);
    requests.swap(posted_);
  }
  bool changed = apply_waiting();
  for (Request& request : requests) {
    if (moves_the_hand(request)) {
      try {
        timeline_.apply(std::get<Event>(request));
      } catch (const InputError& refusal) {
        refuse(refusal.what());
      } catch (const std::bad_alloc&) {
        ran_out_of_memory("the hand");
      }
    } else {
      queue(std::move(request));
      apply_waiting();
    }
    changed = true;
  }
  return changed;
}

// Behind those that wait, and in the place of one that it makes pointless: a slider that is dragged must not pile up
// work. Only requests of its own kind may lie between, such as the materials of other bodies: others might be refused,
// or mean something else, if they came before.
void Runner::queue(Request request) {
  const std::size_t first = preparer_->busy() ? 1 : 0;
  for (std::size_t i = waiting_.size(); i > first && same_kind(waiting_[i - 1], request); --i)
    if (replaces(request, waiting_[i - 1])) {
      waiting_[i - 1] = std::move(request);
      return;
    }
  waiting_.push_back(std::move(request));
}

bool Runner::apply_waiting() {
  bool changed = false;
  while (!waiting_.empty()) {
    try {
      if (!apply_next()) break;
    } catch (const InputError& refusal) {
      refuse(refusal.what());
    } catch (const std::bad_alloc&) {
      // What was prepared elsewhere has said so itself; here it is the command, or a copy of the past.
      ran_out_of_memory(subject(waiting_.front()).words.data());
    }
    discard_prepared();
    waiting_.pop_front();
    changed = true;
  }
  return changed;
}

// False if it has to wait. Throws if it is refused.
bool Runner::apply_next() {
  Request& request = waiting_.front();
  if (auto* save = std::get_if<SaveRun>(&request)) {
    this->save(*save);
  } else if (const auto* go_to = std::get_if<GoTo>(&request)) {
    go_back(go_to->frame);
  } else {
    const Event& event = std::get<Event>(request);
    if (timeline_.ensemble().first().model().vertices() < slow_vertices_) {
      timeline_.apply(event);
    } else {
      if (!prepare(event)) return false;
      // The same events before the same frames make the same run to the last byte: that something was prepared
      // elsewhere, and for how long, leaves no trace in it.
      timeline_.apply(event, prepared_event_);
    }
  }
  return true;
}

// One part after the other; true once all are prepared.
bool Runner::prepare(const Event& event) {
  if (preparer_->busy()) {
    auto made = preparer_->take();
    if (!made) return false;
    prepared_event_.made.push_back(std::move(made));
  } else {
    prepared_event_ = timeline_.ensemble().begin(event);
  }
  while (prepared_event_.made.size() < prepared_event_.parts.size()) {
    auto made = timeline_.ensemble().preparation(prepared_event_);
    if (made) {
      timeline_.stop_following();
      preparer_ = has_time_to_spare() ? &patient_ : &eager_;
      preparer_->start(std::move(made));
      return false;
    }
    prepared_event_.made.push_back(nullptr);
  }
  return true;
}

void Runner::discard_prepared() {
  for (auto& made : prepared_event_.made) preparer_->discard(std::move(made));
  prepared_event_ = {};
}

void Runner::go_back(std::int64_t frame) {
  timeline_.go_to(frame);
  pace_.clear();
}

void Runner::save(SaveRun& request) {
  try {
    timeline_.journal().write(request.file);
    request.done.give("");
  } catch (const InputError& e) {
    request.done.give(e.what());
  } catch (const std::bad_alloc&) {
    request.done.give("out of memory: the run was not saved");
  }
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

// The last state stays, and whoever looks on decides what to close. A line that does not fit either is not said.
void Runner::ran_out_of_memory(const char* what) {
  set_paused(true);
  try {
    const Ensemble& ensemble = timeline_.ensemble();
    const std::string line = std::string("out of memory (") + what + "): " + std::to_string(ensemble.panes().size()) +
                             " panes of " + std::to_string(ensemble.first().model().vertices()) +
                             " vertices; close panes or other programs, or take coarser bodies";
    refuse(line.c_str());
  } catch (const std::bad_alloc&) {
  }
}

// After a pause or a reset, old entries say nothing.
void Runner::measure_pace() {
  const Pace now{Clock::now(), timeline_.ensemble().first().record().time, std::exchange(spent_, {})};
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
  for (Snapshot& snapshot : draft_.panes) snapshot.preparing.clear();
  if (waiting_.empty()) return;
  for (Snapshot& snapshot : draft_.panes) {
    const Session& session = *timeline_.ensemble().find(snapshot.pane);
    snapshot.preparing = subject(waiting_.front()).words;
    snapshot.description = session.description();
    for (const Request& request : waiting_) {
      const auto* event = std::get_if<Event>(&request);
      const auto* addressed = event != nullptr ? std::get_if<Addressed>(event) : nullptr;
      if (addressed == nullptr) continue;
      const bool its = addressed->pane == kAllPanes || addressed->pane == snapshot.pane;
      if (its || is_for_all(addressed->command)) describe(addressed->command, snapshot.description);
    }
    snapshot.revision = 0;  // no session's: it is read anew when nothing waits any more
  }
}

void Runner::publish() {
  look(timeline_, draft_);
  describe_what_waits();
  double real_time = 1;
  if (pace_.size() > 1)
    real_time = (pace_.back().time - pace_.front().time) /
                std::chrono::duration<double>(pace_.back().at - pace_.front().at).count();
  for (Snapshot& snapshot : draft_.panes) {
    snapshot.real_time = real_time;
    snapshot.budget = budget();
  }

  const std::lock_guard lock(mutex_);
  for (Snapshot& snapshot : draft_.panes) snapshot.paused = paused_;
  std::swap(moment_, draft_);
  ++serial_;
}

}  // namespace rebound::session
