#include "session/timeline.hpp"

#include <algorithm>

#include "mesh/error.hpp"

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

// The branch is left when something is done in its past, not when one only looks there; and what is refused leaves it
// as it is, so this comes after what may be refused.
void Timeline::begin_a_branch() {
  if (frame() == last()) return;
  leave_a_ghost();
  journal_.truncate(frame());
  rewind_.truncate(frame());
  while (!rows_.empty() && rows_.back().frame > frame()) rows_.pop_back();
  ++branch_;
}

void Timeline::leave_a_ghost() {
  std::map<int, Ghost> left;
  for (const Row& row : rows_) {
    if (row.frame < frame()) continue;
    for (const auto& [pane, record] : row.records) left[pane].records.push_back(record);
  }
  for (auto& [pane, ghost] : left) {
    ghost.pane = pane;
    ghost.integrator = methods_[pane];
    ghosts_.push_back(std::make_shared<const Ghost>(std::move(ghost)));
  }
  if (ghosts_.size() > kMostGhosts)
    ghosts_.erase(ghosts_.begin(), ghosts_.end() - static_cast<std::ptrdiff_t>(kMostGhosts));
}

void Timeline::apply(const Event& event) {
  do_event(event);
  stop_following();
}

void Timeline::do_event(const Event& event) {
  ensemble_.apply(event);
  begin_a_branch();
  journal_.add(frame(), event);
}

void Timeline::apply(const Event& event, PreparedEvent& prepared) {
  ensemble_.apply(event, prepared);
  begin_a_branch();
  journal_.add(frame(), event);
  stop_following();
}

// What was recorded at this frame.
void Timeline::repeat() {
  if (!recorded_) return;
  const auto& entries = recorded_->entries();
  auto next = std::lower_bound(entries.begin(), entries.end(), frame(),
                               [](const Entry& entry, std::int64_t at) { return entry.frame < at; });
  try {
    for (; next != entries.end() && next->frame == frame(); ++next) do_event(next->event);
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
  if (ensemble_.stands_still()) return false;
  begin_a_branch();
  repeat();
  const bool stepped = ensemble_.step();
  remember();
  compare();
  return stepped;
}

void Timeline::go_to(std::int64_t wanted) {
  const std::int64_t target = std::clamp(wanted, first(), last());
  if (target == frame()) return;
  const SavedEnsemble* from = rewind_.at_or_before(target);
  // Forward it may be nearer from here.
  if (frame() > target || frame() < from->frame) ensemble_.restore(*from);
  const auto& entries = journal_.entries();
  auto next = std::lower_bound(entries.begin(), entries.end(), frame(),
                               [](const Entry& entry, std::int64_t at) { return entry.frame < at; });
  for (;;) {
    const bool arrived = frame() == target;
    if (arrived && target != last()) return;
    for (; next != entries.end() && next->frame == frame(); ++next) ensemble_.apply(next->event);
    if (arrived) return;
    ensemble_.step();
  }
}

}  // namespace rebound::session
