#include "session/runner.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "sim/base/memory.hpp"
#include "sim/base/stop_request.hpp"

namespace rebound::session {
namespace {

// Where frames leave no time between them, a preparation gets this part of one; else it would take for ever.
constexpr int kShareOfPreparation = 5;

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
      bodies_(timeline_.ensemble().first().world().bodies),
      paused_(paused),
      slow_vertices_(slow_vertices),
      preparer_(gate_, timeline_.ensemble().first().threads(), [this] { preparation_ended(); }) {
  if (recorded) timeline_.follow(std::move(*recorded));
  publish();
  for (const Pane& pane : timeline_.ensemble().panes()) records_[pane.id].emplace_back(pane.session->record(), 0);
  thread_ = sim::start_thread("the simulation's thread", [this] { loop(); });
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

void Runner::show_modes(const ShownModes& shown) {
  {
    const std::lock_guard lock(mutex_);
    if (shown == shown_modes_) return;
    shown_modes_ = shown;
    shows_others_ = true;
  }
  wake_.notify_one();
}

void Runner::show_field(FieldKind kind) {
  {
    const std::lock_guard lock(mutex_);
    if (kind == shown_field_) return;
    shown_field_ = kind;
    shows_others_ = true;
  }
  wake_.notify_one();
}

void Runner::show_vertices(bool shown) {
  {
    const std::lock_guard lock(mutex_);
    if (shown == shown_vertices_) return;
    shown_vertices_ = shown;
    shows_others_ = true;
  }
  wake_.notify_one();
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

std::vector<RunRecord> Runner::take_records(int pane) {
  const std::lock_guard lock(mutex_);
  return std::exchange(records_[pane], {});
}

std::vector<std::string> Runner::take_refusals() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(refusal_lost_, false)) refusals_.emplace_back("out of memory");
  return std::exchange(refusals_, {});
}

bool Runner::take_stop() {
  const std::lock_guard lock(mutex_);
  return std::exchange(stopped_, false);
}

void Runner::loop() {
  const sim::StopRequest end_with_the_runner(&stop_);
  auto due = Clock::now();
  bool step = false;
  while (wait_for_turn(due, step)) {
    const auto began = Clock::now();
    try {
      take_turn(step);
    } catch (const std::bad_alloc& e) {
      stop(e, "what the window shows");
    } catch (const sim::StepAbandoned&) {
      return;  // nobody looks any more
    }
    const auto ended = Clock::now();
    if (step && preparer_.busy()) due = std::max(due, ended + (ended - began) / kShareOfPreparation);
  }
}

// One step a tick of h / speed. A step that takes longer than its tick is followed at once by the next, never by a
// burst that tries to catch up. False at the end.
bool Runner::wait_for_turn(Clock::time_point& due, bool& step) {
  std::unique_lock lock(mutex_);
  constexpr std::chrono::milliseconds kPictureOfAMode(30);
  const auto something = [&] { return stop_ || !posted_.empty() || single_steps_ > 0 || prepared_ || shows_others_; };
  if (paused_ || timeline_.ensemble().stands_still()) {
    const auto turn = [&] { return something() || (!paused_ && !timeline_.ensemble().stands_still()); };
    if (shown_modes_.played) {
      shows_others_ = wake_.wait_for(lock, kPictureOfAMode, turn) ? shows_others_ : true;
    } else {
      wake_.wait(lock, turn);
    }
    due = Clock::now();
  } else {
    wake_.wait_until(lock, due, something);
  }
  prepared_ = false;
  const auto tick = std::chrono::duration<double>(timeline_.ensemble().first().description().timeStep / speed_);
  const auto now = Clock::now();
  step = single_steps_ > 0;
  if (step) {
    --single_steps_;
  } else if (!paused_ && now >= due) {
    due = std::max(due + std::chrono::duration_cast<Clock::duration>(tick), now);
    step = true;
  }
  return !stop_;
}

void Runner::take_turn(bool step) {
  bool changed = timed(pace_.spent.commands_ms, [this] { return apply_posted(); });
  {
    const std::lock_guard lock(mutex_);
    changed = std::exchange(shows_others_, false) || changed;
  }
  if (step) {
    this->step();
  } else if (changed) {
    timed(pace_.spent.hand_over_ms, [this] { publish(); });
  }
}

void Runner::step() {
  const bool followed = timeline_.follows();
  bool stepped = false;
  // Where a processor is left over, nobody is in the way.
  std::optional<FrameGate::Frame> frame;
  if (timeline_.ensemble().first().threads() >= static_cast<int>(std::thread::hardware_concurrency()))
    frame.emplace(gate_);
  try {
    stepped = timed(pace_.spent.step_ms, [this] { return timeline_.step(); });
  } catch (const std::bad_alloc& e) {
    stop(e, "the next frame");
  }
  frame.reset();
  if (followed && !timeline_.follows()) {
    const std::lock_guard lock(mutex_);
    paused_ = true;
  }
  if (stepped) {
    const Session& first = timeline_.ensemble().first();
    pace_.frame(first.record().time, first.description().timeStep);
  }
  timed(pace_.spent.hand_over_ms, [this] { publish(); });
  if (!stepped) return;
  const std::lock_guard lock(mutex_);
  for (const Pane& pane : timeline_.ensemble().panes()) {
    auto& records = records_[pane.id];
    if (!pane.session->failure().empty()) continue;
    if (records.size() >= Timeline::kMostRecords) records.clear();  // nobody takes them
    records.emplace_back(pane.session->record(), timeline_.frame());
  }
}

void Runner::preparation_ended() {
  {
    const std::lock_guard lock(mutex_);
    prepared_ = true;
  }
  wake_.notify_one();
}

void Runner::refuse(const char* why) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    refusals_.emplace_back(why);
  } catch (const std::bad_alloc&) {
    refusal_lost_ = true;
  }
}

void Runner::stop(const std::bad_alloc& why, std::string_view what) noexcept {
  {
    const std::lock_guard lock(mutex_);
    paused_ = stopped_ = true;
    single_steps_ = 0;
  }
  try {
    const bool is_worded = dynamic_cast<const sim::OutOfMemory*>(&why) != nullptr;
    refuse(is_worded ? why.what() : timeline_.out_of_memory(what).c_str());
  } catch (const std::bad_alloc&) {
    refuse("out of memory");
  }
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
  if (timeline_.is_lost()) return;
  look(timeline_, draft_);
  ShownModes shown;
  FieldKind field;
  bool vertices;
  {
    const std::lock_guard lock(mutex_);
    shown = shown_modes_;
    field = shown_field_;
    vertices = shown_vertices_;
    if (!paused_) shown.played.reset();
  }
  mode_show_.add_to(timeline_, shown, draft_);
  field_show_.add_to(timeline_, field, draft_);
  add_vertices(timeline_, vertices, draft_);
  describe_what_waits();
  for (Snapshot& snapshot : draft_.panes) {
    snapshot.real_time = pace_.real_time();
    snapshot.budget = pace_.budget();
  }

  const std::lock_guard lock(mutex_);
  for (Snapshot& snapshot : draft_.panes) snapshot.paused = paused_;
  std::swap(moment_, draft_);
  ++serial_;
}

}  // namespace rebound::session
