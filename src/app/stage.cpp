#include "app/stage.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "film/pane_colors.hpp"
#include "mesh/error.hpp"
#include "scene/build.hpp"
#include "scene/constraints.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

using film::kPaneSeries;
constexpr std::size_t kMostLeft = 32;

}  // namespace

Stage::Stage(std::unique_ptr<session::Session> session, Source source, bool paused)
    : runner_(std::make_unique<session::Runner>(std::move(session), paused, session::Runner::kQuickVertices,
                                                source.run ? std::optional(*source.run) : std::nullopt)),
      source_(std::move(source)),
      paused_(paused) {
  update();
}

// Records are taken before the moment: a record is published after its moment, so none is later than what is shown,
// unless one has gone back.
bool Stage::update() {
  bool changed = false;
  for (PaneNotes& notes : notes_) {
    const auto records = runner_->take_records(notes.id);
    notes.history.append(records);
    changed |= !records.empty();
  }
  if (runner_->take_stop()) {
    paused_ = changed = true;
    steps_under_way_ = 0;
  }
  const std::int64_t frame = moment_.frame;
  const bool was_at_the_end = !in_the_past();
  const std::uint64_t branch = moment_.branch;
  const bool replayed = moment_.replaying;
  if (!runner_->latest(serial_, moment_)) return changed;
  if (heading_for_ == moment_.frame || moment_.branch != branch) heading_for_.reset();
  match_notes();
  const bool branched = moment_.branch != branch;
  for (std::size_t i = 0; i < notes_.size(); ++i)
    follow(notes_[i], moment_.panes[i], branched, (was_at_the_end || branched) && !in_the_past());
  name_panes();
  if (replayed && !moment_.replaying) end_replay();
  const auto steps = static_cast<int>(std::max<std::int64_t>(moment_.frame - frame, 0));
  steps_under_way_ = stands_still() || moment_.frame < frame ? 0 : std::max(0, steps_under_way_ - steps);
  return true;
}

// The runner has paused of itself, unless it was something that the user did.
void Stage::end_replay() {
  if (!moment_.divergence.empty()) {
    replay_report_ = "Not as it was recorded: " + moment_.divergence;
  } else if (moment_.frame >= source_.run->last()) {
    replay_report_ = source_.run->is_cut_off()
                         ? "The run has been replayed as far as its file goes, every frame as it was recorded."
                         : "The run has been replayed to its end, every frame as it was recorded.";
  } else {
    replay_report_ = "The replay has ended here, as something else was done.";
    return;
  }
  paused_ = true;
}

bool Stage::stands_still() const {
  return std::all_of(moment_.panes.begin(), moment_.panes.end(),
                     [](const session::Snapshot& pane) { return !pane.failure.empty(); });
}

// The notes in the order of the panes. The chosen pane stays the same one as long as it is there.
void Stage::match_notes() {
  const int chosen = notes_.empty() ? 0 : notes_[chosen_].id;
  std::move(notes_.begin(), notes_.end(), std::back_inserter(left_));
  notes_.clear();
  chosen_ = 0;
  for (std::size_t i = 0; i < moment_.panes.size(); ++i) {
    const int id = moment_.panes[i].pane;
    notes_.push_back(notes_of(id));
    if (id == chosen) chosen_ = i;
  }
  if (left_.size() > kMostLeft) left_.erase(left_.begin());
  // What is alone has the colour of its body.
  if (notes_.size() == 1) notes_.front().color = 0;
}

PaneNotes Stage::notes_of(int id) {
  const auto known = std::find_if(left_.begin(), left_.end(), [id](const PaneNotes& notes) { return notes.id == id; });
  PaneNotes notes;
  notes.id = id;
  if (known != left_.end()) {
    notes = std::move(*known);
    left_.erase(known);
  }
  const auto is_taken = [this](std::size_t color) {
    const auto wears = [&](const PaneNotes& other, int pane) { return other.id == pane && other.color == color; };
    if (std::any_of(notes_.begin(), notes_.end(), [&](const auto& other) { return other.color == color; })) return true;
    // Those that are still to be matched keep theirs.
    return std::any_of(moment_.panes.begin(), moment_.panes.end(), [&](const session::Snapshot& pane) {
      return std::any_of(left_.begin(), left_.end(), [&](const auto& other) { return wears(other, pane.pane); });
    });
  };
  while (is_taken(notes.color)) notes.color = (notes.color + 1) % kPaneSeries.size();
  return notes;
}

// may_switch: what is another integrator now has been chosen now. Where one looks back it was chosen then.
void Stage::follow(PaneNotes& notes, const session::Snapshot& moment, bool branched, bool may_switch) {
  const session::FrameRecord& record = moment.record;
  if (branched) notes.history.cut(moment_.frame);
  // The record of what stands still is of an earlier frame.
  notes.started = moment.failure.empty() ? moment_.frame - record.frame : notes.history.started_before(moment_.frame);
  notes.history.show(notes.started);
  const bool is_at_the_start = record.frame == 0 && !in_the_past();
  if (is_at_the_start || notes.history.records().empty()) notes.history.begin(record);
  if (!in_the_past()) notes.history.renew(record);
  const std::string& integrator = moment.description.integrator.type;
  // Some frames may have gone by since: what they show is of the new one.
  if (!notes.integrator.empty() && integrator != notes.integrator && may_switch)
    notes.history.mark(std::min(notes.seen_at, record.time), short_title(integrator));
  notes.integrator = integrator;
  notes.seen_at = record.time;
}

void Stage::name_panes() {
  for (std::size_t i = 0; i < notes_.size(); ++i) {
    const auto is_same = [&](const PaneNotes& other) { return other.integrator == notes_[i].integrator; };
    const auto before = std::count_if(notes_.begin(), notes_.begin() + static_cast<std::ptrdiff_t>(i), is_same);
    notes_[i].name = short_title(notes_[i].integrator);
    if (before > 0) notes_[i].name += " " + std::to_string(before + 1);
    std::erase(coming_, notes_[i].integrator);
  }
}

bool Stage::turns_away() {
  turned_away_ = turned_away_ || protected_;
  return protected_;
}

void Stage::post(session::Command command, bool goes_on) {
  if (turns_away()) return;
  // What one pane alone is told is told to all of them: that makes the shorter record of a run.
  if (pane_count() == 1 || session::is_for_all(command)) {
    runner_->post(std::move(command), goes_on);
  } else {
    runner_->post_to(now().pane, std::move(command), goes_on);
  }
}

void Stage::post_to(int pane, session::Command command) {
  if (!turns_away()) runner_->post_to(pane, std::move(command));
}

void Stage::remove_pane(int id) {
  if (!turns_away()) runner_->remove_pane(id);
}

void Stage::undo() {
  if (!turns_away()) runner_->undo();
}

void Stage::redo() {
  if (!turns_away()) runner_->redo();
}

bool Stage::takes(std::string_view integrator) const {
  scene::Description with = now().description;
  with.integrator.type = integrator;
  try {
    scene::check_contact(with);
    scene::check_constraints(with, with.integrator.type, with.solver.type);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

void Stage::add_pane() {
  if (turns_away()) return;
  const auto& list = sim::integrators();
  const auto is_shown = [this](const sim::IntegratorInfo& info) {
    const std::string id(info.id);
    return std::find(coming_.begin(), coming_.end(), id) != coming_.end() ||
           std::any_of(notes_.begin(), notes_.end(), [&](const auto& notes) { return notes.integrator == id; });
  };
  const auto here = std::find_if(list.begin(), list.end(),
                                 [this](const auto& info) { return info.id == notes_[chosen_].integrator; });
  const auto from = static_cast<std::size_t>(here - list.begin());
  for (std::size_t i = 1; i <= list.size(); ++i) {
    const auto& info = list[(from + i) % list.size()];
    if (i < list.size() && (is_shown(info) || !takes(info.id))) continue;
    coming_.emplace_back(info.id);
    runner_->add_pane(now().pane, coming_.back());
    return;
  }
}

std::vector<std::string> Stage::take_refusals() {
  auto refusals = runner_->take_refusals();
  if (!refusals.empty()) coming_.clear();
  if (std::exchange(turned_away_, false))
    refusals.emplace_back("What was is being filmed, and stays as it is. Wait, or press V to end the film.");
  return refusals;
}

std::vector<std::string> Stage::integrators() const {
  std::vector<std::string> all;
  for (const auto& pane : moment_.panes) all.push_back(pane.description.integrator.type);
  return all;
}

void Stage::open_panes(const std::vector<std::string>& integrators) {
  if (integrators.size() < 2) return;
  const int first = moment_.panes.front().pane;
  runner_->post_to(first, session::SetIntegrator{integrators.front()});
  for (std::size_t i = 1; i < integrators.size(); ++i) runner_->add_pane(first, integrators[i]);
}

void Stage::go_to(std::int64_t frame) {
  paused_ = true;
  heading_for_ = std::clamp(frame, moment_.first, moment_.last);
  runner_->go_to(*heading_for_);
}

void Stage::set_paused(bool paused) {
  paused_ = paused;
  if (!paused) heading_for_.reset();
  if (!led_) runner_->set_paused(paused);
}

void Stage::lead(bool led) {
  led_ = led;
  steps_under_way_ = 0;
  runner_->set_paused(led || paused_);
}

void Stage::advance(int steps) {
  steps_under_way_ += steps;
  for (int i = 0; i < steps; ++i) runner_->step_once();
}

void Stage::step_once() {
  if (heading_for_.value_or(moment_.frame) < moment_.last) {
    go_by(1);
    return;
  }
  paused_ = true;
  runner_->step_once();
}

void Stage::set_speed(double speed) {
  speed_ = speed;
  runner_->set_speed(speed);
}

std::filesystem::path Stage::file() const {
  const auto& description = now().description;
  if (!description.file.empty() || description.bodies.empty()) return description.file;
  const auto* mesh = std::get_if<scene::FileMesh>(&description.bodies.front().mesh);
  return mesh != nullptr ? mesh->file : std::filesystem::path();
}

std::string integrator_title(const std::string& id) {
  const sim::IntegratorInfo* info = sim::find_integrator(id);
  return info != nullptr ? std::string(info->title) : id;
}

std::string short_title(const std::string& id) {
  const std::string title = integrator_title(id);
  return title.substr(0, title.find(" ("));
}

std::size_t pane_series(std::size_t color) { return kPaneSeries[color % kPaneSeries.size()]; }

}  // namespace rebound::app
