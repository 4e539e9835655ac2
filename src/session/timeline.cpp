#include "session/timeline.hpp"

#include <algorithm>

#include "mesh/error.hpp"
#include "sim/base/memory.hpp"

namespace rebound::session {

Timeline::Timeline(std::unique_ptr<Session> first, Rewind::Limits limits)
    : ensemble_(std::move(first)), journal_(ensemble_.first().description()), rewind_(limits) {
  remember();
}

void Timeline::remember() {
  journal_.add_frame(ensemble_);
  rewind_.add(ensemble_);
  remember_records();
}

void Timeline::remember_records() {
  Row row{ensemble_.frame(), {}};
  for (const Pane& pane : ensemble_.panes()) {
    row.records.emplace_back(pane.id, pane.session->record());
    methods_[pane.id] = pane.session->description().integrator.type;
  }
  rows_.push_back(std::move(row));
  if (rows_.size() > kMostRecords) rows_.pop_front();
}

// ---- whole, or not at all ----

template <class Work>
auto Timeline::all_or_nothing(std::string_view what, const Work& work) {
  come_back();
  const std::int64_t here = frame();
  done_ = journal_.mark();
  try {
    return work();
  } catch (const std::bad_alloc& e) {
    lost_ = here;
    rewind_.give_way(here);
    try {
      come_back();
    } catch (const std::bad_alloc&) {
      // Then it is lost, until the next call.
    }
    if (dynamic_cast<const sim::OutOfMemory*>(&e) != nullptr) throw;
    throw sim::OutOfMemory(out_of_memory(what));
  }
}

void Timeline::come_back() {
  if (!lost_) return;
  journal_.go_back_to(done_);
  rewind_.truncate(last());
  while (!rows_.empty() && rows_.back().frame > last()) rows_.pop_back();
  ensemble_.restore(*rewind_.at_or_before(*lost_));
  live_until(*lost_);
  lost_.reset();
}

std::string Timeline::out_of_memory(std::string_view what) const {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  const std::size_t panes = ensemble_.panes().size();
  return "out of memory (" + std::string(what) + "): " + std::to_string(panes) + (panes == 1 ? " pane" : " panes") +
         " of " + std::to_string(ensemble_.first().model().vertices()) + " vertices, " +
         std::to_string(rewind_.bytes() / kMegabyte) + " MB of the past; " +
         (lost_ ? "frame " + std::to_string(*lost_) + " comes back when there is memory for it"
                : "nothing has changed") +
         "; close panes or other programs, or take coarser bodies";
}

// ---- branches ----

// The branch is left when something is done in its past, not when one only looks there; and what is refused leaves it
// as it is, so this comes after what may be refused.
void Timeline::begin_a_branch(std::int64_t at) {
  if (at == last()) return;
  leave_a_ghost(at);
  journal_.truncate(at);
  done_ = journal_.mark();
  rewind_.truncate(at);
  while (!rows_.empty() && rows_.back().frame > at) rows_.pop_back();
  ++branch_;
}

void Timeline::leave_a_ghost(std::int64_t at) {
  std::map<int, Ghost> left;
  for (const Row& row : rows_) {
    if (row.frame < at) continue;
    for (const auto& [pane, record] : row.records) left[pane].records.emplace_back(record, row.frame);
  }
  auto ghosts = ghosts_;
  for (auto& [pane, ghost] : left) {
    ghost.pane = pane;
    ghost.integrator = methods_[pane];
    ghosts.push_back(std::make_shared<const Ghost>(std::move(ghost)));
  }
  if (ghosts.size() > kMostGhosts)
    ghosts.erase(ghosts.begin(), ghosts.end() - static_cast<std::ptrdiff_t>(kMostGhosts));
  ghosts_.swap(ghosts);
}

void Timeline::apply(const Event& event) {
  come_back();
  PreparedEvent prepared = prepare(event);
  apply(event, prepared);
}

void Timeline::apply(const Event& event, PreparedEvent& prepared) {
  all_or_nothing(subject(event).words, [&] { do_event(event, prepared); });
  stop_following();
}

// It changes nothing, so there is nothing to come back from.
PreparedEvent Timeline::prepare(const Event& event) const {
  try {
    return ensemble_.prepare(event);
  } catch (const std::bad_alloc&) {
    throw sim::OutOfMemory(out_of_memory(subject(event).words));
  }
}

// What may be refused, or want memory, comes before the branch is left.
void Timeline::do_event(const Event& event, PreparedEvent& prepared) {
  journal_.make_room();
  ensemble_.apply(event, prepared);
  begin_a_branch(frame());
  journal_.add(frame(), event);
}

// What was recorded at this frame.
void Timeline::repeat() {
  if (!recorded_) return;
  const auto& entries = recorded_->entries();
  auto next = std::lower_bound(entries.begin(), entries.end(), frame(),
                               [](const Entry& entry, std::int64_t at) { return entry.frame < at; });
  try {
    for (; next != entries.end() && next->frame == frame(); ++next) {
      PreparedEvent prepared = ensemble_.prepare(next->event);
      do_event(next->event, prepared);
    }
  } catch (const InputError& refusal) {
    divergence_ = "frame " + std::to_string(frame()) + ": " + refusal.what();
    recorded_.reset();
  }
}

void Timeline::compare() {
  if (!recorded_) return;
  divergence_ = session::divergence(*recorded_, ensemble_);
  // Where all stand still there is no step before which it would be done.
  const bool ends = frame() >= recorded_->last();
  if (divergence_.empty() && (ends || ensemble_.stands_still())) repeat();
  if (ends || !divergence_.empty()) recorded_.reset();
}

bool Timeline::step() {
  come_back();
  if (ensemble_.stands_still()) return false;
  return all_or_nothing("the next frame", [&] {
    const std::int64_t before = frame();
    repeat();
    const bool stepped = step_panes();
    begin_a_branch(before);
    remember();
    compare();
    return stepped;
  });
}

// That memory ran out is nothing that a run can tell of.
bool Timeline::step_panes() {
  const bool stepped = ensemble_.step();
  for (const Pane& pane : ensemble_.panes())
    if (pane.session->outcome() == sim::Outcome::out_of_memory) throw sim::OutOfMemory(pane.session->failure());
  return stepped;
}

std::int64_t Timeline::settled_since() const {
  const auto unsettles = [](const Event& event) {
    const Command* command = command_of(event);
    return std::holds_alternative<AddPane>(event) || std::holds_alternative<RemovePane>(event) ||
           (command != nullptr && std::holds_alternative<Reset>(*command));
  };
  const auto& entries = journal_.entries();
  // What was done at a frame is seen from the next one on.
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    const bool is_done = entry->frame < frame() || frame() == last();
    if (is_done && unsettles(entry->event)) return entry->frame + 1;
  }
  return 0;
}

void Timeline::go_to(std::int64_t wanted) {
  come_back();
  const std::int64_t target = std::clamp(wanted, first(), last());
  if (target == frame()) return;
  all_or_nothing("going to another frame", [&] {
    const SavedEnsemble* from = rewind_.at_or_before(target);
    // Forward it may be nearer from here.
    if (frame() > target || frame() < from->frame) ensemble_.restore(*from);
    live_until(target);
  });
}

// As it was when it had been stepped; at the end of the branch, with what was done since.
void Timeline::live_until(std::int64_t target) {
  const auto& entries = journal_.entries();
  auto next = std::lower_bound(entries.begin(), entries.end(), frame(),
                               [](const Entry& entry, std::int64_t at) { return entry.frame < at; });
  for (;;) {
    const bool arrived = frame() == target;
    if (arrived && target != last()) return;
    for (; next != entries.end() && next->frame == frame(); ++next) ensemble_.apply(next->event);
    if (arrived) return;
    step_panes();
  }
}

}  // namespace rebound::session
