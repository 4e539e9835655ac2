#include "papers/filmed_runs.hpp"

#include <algorithm>

#include "session/session.hpp"

namespace rebound::papers {

FilmedRuns::FilmedRuns(const Row& row) {
  if (!row.film) return;
  frames_ = static_cast<std::size_t>(row.film->frames);
  for (const std::size_t run : row.film->runs)
    if (row.runs[run]->source() != nullptr) panes_.emplace_back().run = run;
}

void FilmedRuns::take(std::size_t run, const Experiment& experiment) {
  const session::Session* session = experiment.session();
  if (session == nullptr) return;
  const bool failed = !session->failure().empty();
  for (Pane& pane : panes_) {
    if (pane.run != run || pane.has_ended) continue;
    // One that fails stays where it was, and its last moment says why.
    if (!failed && static_cast<std::size_t>(session->frame()) < pane.footage->size()) continue;
    session::look(*session, moment_);
    pane.footage->add(moment_);
    pane.time_step = session->description().timeStep;
    pane.has_ended = failed || pane.footage->size() > frames_;
  }
}

std::shared_ptr<const film::Reel> FilmedRuns::reel() const {
  const bool complete = std::all_of(panes_.begin(), panes_.end(), [](const Pane& pane) { return pane.has_ended; });
  if (panes_.empty() || !complete) return nullptr;
  auto reel = std::make_shared<film::Reel>();
  std::size_t moments = 0;
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    reel->parts.push_back({static_cast<int>(i), 0, film::Reel::Part::kStays, panes_[i].footage});
    moments = std::max(moments, panes_[i].footage->size());
  }
  reel->time_steps.assign(moments, panes_.front().time_step);
  return reel;
}

}  // namespace rebound::papers
