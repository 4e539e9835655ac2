#include "app/application.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "app/widgets.hpp"
#include "mesh/error.hpp"
#include "render/gl.hpp"
#include "scene/library.hpp"

namespace rebound::app {
namespace {

constexpr double kHiddenFirst = 1.2;         // s: a first scene that is quicker appears with the window
constexpr double kAwake = 0.6;               // s of drawing after the last input: tooltips come late
constexpr double kRecordingTurn = 0.003;     // s: the simulation waits for us then
constexpr double kSoftwareFrame = 1.0 / 40;  // s: where the processor draws, it must leave time to simulate

int suitable_threads() {
  if (render::gl::is_software()) return 1;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(cores - 1, 1, 16);
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// Those have a list of their own.
bool is_built_in(const std::filesystem::path& file) {
  const auto assets = scene::assets_folder();
  std::error_code error;
  const auto inside = assets ? std::filesystem::relative(file, *assets, error) : std::filesystem::path();
  return !error && !inside.empty() && *inside.begin() != "..";
}

}  // namespace

Application::Application(const WindowOptions& options)
    : options_(options),
      window_("Rebound", options.size),
      trace_(options.trace),
      controller_({window_, settings_, canvas_, hand_, mouse_, opener_, messages_, dialog_, gallery_, exports_,
                   conductor_, stage_, threads_}) {
  threads_ = options.threads > 0 ? options.threads : suitable_threads();
  frame_interval_ = window_.refresh_interval();
  if (render::gl::is_software()) frame_interval_ = std::max(frame_interval_, kSoftwareFrame);
}

Application::~Application() {
  if (stage_) conductor_.leave(*stage_);
  save_settings(settings_, settings_file_);
  if (stage_) disposal_.take(stage_->give_up());
  opener_.cancel();
}

// ---- the loop ----

void Application::run() {
  open_first();
  while (!window_.is_closing()) {
    pace();
    Input input = window_.take_input();
    if (input.anything) last_input_ = Clock::now();
    input_.keys.insert(input_.keys.end(), input.keys.begin(), input.keys.end());
    input_.mouse.insert(input_.mouse.end(), input.mouse.begin(), input.mouse.end());
    for (const auto& file : input.dropped) controller_.arrivals().drop(file);
    news_ |= take_news();
    if (stage_ && controller_.take_recording_wish()) conductor_.toggle(*stage_, settings_);
    if (stage_ && controller_.take_film_wish()) conductor_.film_last(*stage_, settings_);
    news_ |= conductor_.conduct(stage_.get());
    if (!window_.is_drawable()) continue;
    const bool in_time = seconds(last_draw_, Clock::now()) >= 0.9 * frame_interval_;
    if (in_time && needs_drawing()) draw();
  }
}

// Sleeps until there can be something to draw. The simulation cannot wake us, so while it runs we look often.
void Application::pace() {
  const bool busy =
      opener_.busy() || dialog_.asking() || exports_.busy() || conductor_.busy() || (stage_ && !stage_->paused());
  const double idle = seconds(last_input_, Clock::now());
  const bool awake =
      idle < kAwake || news_ || settling_ > 0 || canvas_.camera().moving() || following_ || trace_.is_on();
  const double until_frame = frame_interval_ - seconds(last_draw_, Clock::now());
  if (conductor_.is_recording()) {
    window_.wait(kRecordingTurn);
  } else if (!window_.is_drawable()) {
    window_.wait(0.1);
  } else if (awake || busy) {
    window_.wait(std::clamp(until_frame, 0.002, 0.03));
  } else {
    window_.wait(0.5);
  }
}

bool Application::needs_drawing() const {
  const bool settles = settling_ > 0 && seconds(last_news_, Clock::now()) > kSettled;
  return news_ || settles || opener_.busy() || canvas_.camera().moving() || following_ || messages_.has_news() ||
         seconds(last_input_, Clock::now()) < kAwake || trace_.is_due();
}

// The window stays hidden while the first scene is made, if that is quick: a bad file then never shows a window.
void Application::open_first() {
  opener_.open({options_.open, options_.name, options_.run}, threads_);
  const auto began = Clock::now();
  while (opener_.busy() && !opener_.status().finished && seconds(began, Clock::now()) < kHiddenFirst)
    window_.wait(0.005);
  take_news();
  window_.show();
}

bool Application::take_news() {
  bool news = false;
  if (auto result = opener_.poll()) {
    take_opened(std::move(*result));
    news = true;
  }
  if (const auto answer = dialog_.poll()) {
    controller_.take_answer(*answer);
    news = true;
  }
  news = (stage_ && controller_.poll()) || news;
  for (const auto& report : exports_.poll()) {
    report.failed ? messages_.fail("The file could not be written", report.text)
                  : messages_.say_written(report.text, report.file);
    news = true;
  }
  if (stage_ && stage_->update()) {
    canvas_.update(*stage_);
    hand_.follow(*stage_);
    news = true;
  }
  if (stage_)
    for (const std::string& refusal : stage_->take_refusals())
      messages_.say(without_place(refusal, stage_->now().description.file), Messages::Kind::warning);
  if (stage_)
    if (auto report = stage_->take_replay_report(); !report.empty()) {
      const auto kind = stage_->moment().divergence.empty() ? Messages::Kind::note : Messages::Kind::warning;
      messages_.say(std::move(report), kind);
    }
  return news;
}

void Application::take_opened(Opener::Result result) {
  if (!result.session) {
    if (first_) throw InputError(result.error);
    messages_.fail("“" + result.source.name + "” cannot be opened", result.error);
    return;
  }
  const bool same_scene = stage_ && stage_->source().name == result.source.name;
  const double speed = stage_ ? stage_->speed() : 1;
  const auto integrators = stage_ ? stage_->integrators() : std::vector<std::string>();
  if (stage_) {
    conductor_.leave(*stage_);
    disposal_.take(stage_->give_up());
  }
  hand_.forget();
  controller_.under_mouse().chosen_obstacle() = -1;
  edits_.clear();
  typing_ = {};
  mouse_.cancel();
  stage_ = std::make_unique<Stage>(std::move(result.session), std::move(result.source), first_ && options_.paused);
  stage_->set_speed(speed);
  // Who compares goes on comparing; a run has its own panes.
  if (!stage_->source().run) stage_->open_panes(integrators);
  canvas_.show(*stage_);
  if (!same_scene) canvas_.go_home();
  const bool is_first = std::exchange(first_, false);
  if (is_first) {
    canvas_.camera().finish();
    if (!settings_complaint_.empty()) messages_.say(settings_complaint_, Messages::Kind::warning);
  }
  hint_ = {true, is_first, gallery_.hint(stage_->file()), {}, {}};
  if (const auto file = stage_->file(); !file.empty() && !is_built_in(file)) {
    settings_.remember(file);
    save_settings(settings_, settings_file_);
  }
  if (const auto& run = stage_->source().run) {
    messages_.say(
        "A recorded run: it is replayed, frame by frame. Anything you do ends the replay and goes on from there.");
    if (run->is_cut_off())
      messages_.say("Its file is cut off after frame " + std::to_string(run->last()) + ": what came after is lost.",
                    Messages::Kind::warning);
    if (!run->other_instructions().empty())
      messages_.say("It was recorded with " + run->other_instructions() +
                        " instructions, which are not used here: single precision may differ.",
                    Messages::Kind::warning);
  }
  window_.set_title(stage_->now().description.name + " - Rebound");
  for (const auto& body : stage_->bodies())
    for (const auto& note : body.notes) messages_.say(sentence(note));
}

void Application::take_keys(const Input& input) {
  // While someone types, every key belongs to the text, but for the one that leaves; so it does to an open menu, to
  // what lies over all, and to a dialog.
  const bool typing = ImGui::GetIO().WantTextInput;
  for (const KeyEvent& key : input.keys) {
    const auto action = find_action(key.press, key.is_repeat);
    if (!action) continue;
    const bool leaves = action == Action::escape;
    if (menu_is_open()) {
      if (leaves) close_menus();
      continue;
    }
    // Out of a number, it leaves that alone: what is chosen stays.
    if (leaves && std::exchange(typing_, {}).field != 0) continue;
    if (typing && !leaves) continue;
    if (messages_.has_dialog() && !leaves && action != Action::quit) continue;
    if (gallery_.is_open() && !leaves && action != Action::gallery && action != Action::quit) continue;
    controller_.act(*action);
  }
}

void open_window(const WindowOptions& options) { Application(options).run(); }

}  // namespace rebound::app
