#include "app/stage.hpp"

#include <algorithm>

#include "sim/registry.hpp"

namespace rebound::app {
namespace {

/// "Newmark" of "Newmark (trapezoid)": markers have little room.
std::string short_title(const std::string& id) {
  const std::string title = integrator_title(id);
  return title.substr(0, title.find(" ("));
}

}  // namespace

Stage::Stage(std::unique_ptr<session::Session> session, Source source, bool paused)
    : runner_(std::make_unique<session::Runner>(std::move(session), paused)),
      source_(std::move(source)),
      paused_(paused) {
  update();
}

// Records are taken before the moment: a record is published after its moment, so one that is later than the moment
// comes from before a reset.
bool Stage::update() {
  const auto records = runner_->take_records();
  const std::string integrator = now_.description.integrator.type;
  const bool changed = runner_->latest(serial_, now_);
  // A step that fails leaves no record.
  steps_under_way_ = now_.failure.empty() ? std::max(0, steps_under_way_ - static_cast<int>(records.size())) : 0;
  history_.append(records);
  if (!history_.records().empty() && history_.records().back().frame > now_.record.frame) history_.clear();
  if (now_.record.frame == 0) {
    const auto markers = history_.markers();
    history_.clear();
    for (const Marker& marker : markers) history_.mark(marker.time, marker.label);
    history_.append({now_.record});
  }
  const std::string& chosen = now_.description.integrator.type;
  if (!integrator.empty() && chosen != integrator) history_.mark(now_.record.time, short_title(chosen));
  return changed || !records.empty();
}

void Stage::set_paused(bool paused) {
  paused_ = paused;
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
  paused_ = true;
  runner_->step_once();
}

void Stage::set_speed(double speed) {
  speed_ = speed;
  runner_->set_speed(speed);
}

std::filesystem::path Stage::file() const {
  const auto& description = now_.description;
  if (!description.file.empty() || description.bodies.empty()) return description.file;
  const auto* mesh = std::get_if<scene::FileMesh>(&description.bodies.front().mesh);
  return mesh != nullptr ? mesh->file : std::filesystem::path();
}

std::string integrator_title(const std::string& id) {
  const sim::IntegratorInfo* info = sim::find_integrator(id);
  return info != nullptr ? std::string(info->title) : id;
}

}  // namespace rebound::app
