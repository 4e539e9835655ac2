#include "app/conductor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "app/places.hpp"
#include "render/gl.hpp"

namespace rebound::app {
namespace fs = std::filesystem;
namespace {

constexpr double kFilmed = 10;  // s

fs::path new_video(const std::string& scene, VideoKind kind) {
  const fs::path folder = home_folder("Videos");
  switch (kind) {
    case VideoKind::webm:
      return dated(folder, scene, ".webm");
    case VideoKind::gif:
      return dated(folder, scene, ".gif");
    case VideoKind::pictures:
      return dated(folder, scene, "") / "";
    default:
      return dated(folder, scene, ".mp4");
  }
}

}  // namespace

bool Conductor::may_begin() {
  if (recorder_.state() != Recorder::State::finishing) return true;
  messages_.say("The last video is still being written.");
  return false;
}

void Conductor::toggle(Stage& stage, const Settings& settings) {
  if (past_) return end_past(stage);
  if (recorder_.records()) {
    leave(stage);
    return;
  }
  if (!may_begin() || !start(stage, settings)) return;
  stage.lead(true);
  take_moment(stage);
}

bool Conductor::start(Stage& stage, const Settings& settings) {
  RecordingOptions options;
  options.plot_seconds = settings.plot_seconds;
  options.picture = {settings.dark, settings.wireframe, settings.shows_pins, settings.shows_floor,
                     settings.shows_contacts};
  try {
    panes_ = stage.pane_count();
    recorder_.start(new_video(stage.now().description.name, settings.video), options, panes_);
  } catch (const render::OutputError& error) {
    messages_.fail("Nothing can be recorded", error.what());
    return false;
  } catch (const render::GlError& error) {
    messages_.fail("Nothing can be recorded", error.what());
    return false;
  }
  due_ = Clock::now();
  return true;
}

// ---- what was ----

void Conductor::film_last(Stage& stage, const Settings& settings) {
  if (recorder_.records() || past_) return messages_.say("A video is being recorded already.");
  if (!may_begin()) return;
  const session::Moment& moment = stage.moment();
  const double frames = kFilmed / stage.now().description.timeStep;
  const std::int64_t last = moment.frame;
  // Nothing that began before the last reset, or with other panes, is the same film.
  const auto first =
      std::max({moment.first, moment.settled_since, last - static_cast<std::int64_t>(std::llround(frames))});
  if (last - first < 2) return messages_.say("There is nothing to film yet.");
  // Going on from there would leave what came after.
  stage.lead(true);
  stage.protect(true);
  past_ = {first, last, moment.branch, stage.paused(), false, settings};
  stage.go_to(first);
}

void Conductor::go_on_in_the_past(Stage& stage) {
  const session::Moment& moment = stage.moment();
  const bool is_there = moment.frame == past_->next;
  if (moment.branch != past_->branch || (!is_there && stage.heading_for() != past_->next)) {
    messages_.say("The film ends here: something else was done.");
    return end_past(stage);
  }
  if (!is_there) return;
  if (!std::exchange(past_->began, true) && !start(stage, past_->settings)) return end_past(stage);
  take_moment(stage);
  if (!recorder_.records()) return end_past(stage);
  if (moment.frame == past_->last) return end_past(stage);
  if (!recorder_.has_room()) return;
  past_->next = std::min(past_->last, moment.frame + recorder_.steps_to_next(moment.panes.front()));
  stage.go_to(past_->next);
}

void Conductor::end_past(Stage& stage, const std::string& why) {
  const Past past = *std::exchange(past_, std::nullopt);
  if (recorder_.records()) recorder_.stop(why);
  stage.lead(false);
  stage.protect(false);
  if (stage.moment().branch != past.branch) return;
  if (stage.moment().frame != past.last) stage.go_to(past.last);
  stage.set_paused(past.was_paused);
}

void Conductor::leave(Stage& stage, const std::string& why) {
  if (std::exchange(past_, std::nullopt)) {
    stage.lead(false);
    stage.protect(false);
  }
  if (!recorder_.records()) return;
  recorder_.stop(why);
  stage.lead(false);
}

bool Conductor::conduct(Stage* stage) {
  const bool was_recording = recorder_.records();
  if (was_recording && stage != nullptr && stage->pane_count() != panes_) {
    const std::string why = "a pane came or went";
    past_ ? end_past(*stage, why) : leave(*stage, why);
    return true;
  }
  if (past_ && stage != nullptr) {
    go_on_in_the_past(*stage);
  } else if (was_recording && stage != nullptr) {
    take_moment(*stage);
    const auto& moment = stage->moment().panes.front();
    const bool may_go_on = !stage->paused() && !stage->stands_still() && stage->steps_under_way() == 0;
    const auto now = Clock::now();
    if (may_go_on && now >= due_ && recorder_.has_room()) {
      const int steps = recorder_.steps_to_next(moment);
      const double simulated = steps * moment.description.timeStep;
      // As the simulation's own pace: what is late is not caught up.
      due_ = std::max(
          due_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(simulated / stage->speed())),
          now);
      stage->advance(steps);
    }
  }
  const auto report = recorder_.poll();
  if (!report) return false;
  if (stage != nullptr && was_recording && !recorder_.records()) stage->lead(false);
  if (stage != nullptr && past_ && report->failed) end_past(*stage);
  report->failed ? messages_.fail("The recording has ended", report->text)
                 : messages_.say_written(report->text, recorder_.file());
  return true;
}

RecordingStatus Conductor::status() const {
  return {recorder_.records(), recorder_.state() == Recorder::State::finishing, recorder_.seconds(),
          recorder_.pictures(), recorder_.file().string()};
}

void Conductor::take_moment(Stage& stage) {
  std::vector<RecordedPane> panes;
  for (std::size_t i = 0; i < stage.pane_count(); ++i)
    panes.push_back({canvas_.picture(i), stage.moment().panes[i], stage.notes()[i].history.records()});
  recorder_.take(panes);
}

}  // namespace rebound::app
