#include "app/conductor.hpp"

#include <algorithm>
#include <vector>

#include "app/places.hpp"
#include "render/gl.hpp"

namespace rebound::app {
namespace fs = std::filesystem;
namespace {

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

void Conductor::toggle(Stage& stage, const Settings& settings) {
  if (recorder_.records()) {
    leave(stage);
    return;
  }
  if (recorder_.state() == Recorder::State::finishing) {
    messages_.say("The last video is still being written.");
    return;
  }
  RecordingOptions options;
  options.plot_seconds = settings.plot_seconds;
  options.picture = {settings.dark, settings.wireframe, settings.shows_pins, settings.shows_floor,
                     settings.shows_contacts};
  try {
    panes_ = stage.pane_count();
    recorder_.start(new_video(stage.now().description.name, settings.video), options, panes_);
  } catch (const render::OutputError& error) {
    messages_.fail("Nothing can be recorded", error.what());
    return;
  } catch (const render::GlError& error) {
    messages_.fail("Nothing can be recorded", error.what());
    return;
  }
  due_ = Clock::now();
  stage.lead(true);
  take_moment(stage);
}

void Conductor::leave(Stage& stage) {
  if (!recorder_.records()) return;
  recorder_.stop();
  stage.lead(false);
}

bool Conductor::conduct(Stage* stage) {
  const bool was_recording = recorder_.records();
  if (was_recording && stage != nullptr && stage->pane_count() != panes_) {
    leave(*stage);
    messages_.say("The video ends here: a pane came or went.");
    return true;
  }
  if (was_recording && stage != nullptr) {
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
  report->failed ? messages_.fail("The recording has ended", report->text) : messages_.say(report->text);
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
