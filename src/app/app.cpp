#include "app/app.hpp"

#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/canvas.hpp"
#include "app/conductor.hpp"
#include "app/controller.hpp"
#include "app/exports.hpp"
#include "app/file_dialog.hpp"
#include "app/folder_opener.hpp"
#include "app/gallery.hpp"
#include "app/hand.hpp"
#include "app/layout.hpp"
#include "app/loading.hpp"
#include "app/messages.hpp"
#include "app/opener.hpp"
#include "app/panels/panels.hpp"
#include "app/panes.hpp"
#include "app/splitters.hpp"
#include "app/trace.hpp"
#include "mesh/error.hpp"
#include "render/gl.hpp"
#include "scene/library.hpp"

namespace rebound::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kHiddenFirst = 1.2;         // s: a first scene that is quicker appears with the window
constexpr double kAwake = 0.6;               // s of drawing after the last input: tooltips come late
constexpr double kRecordingTurn = 0.003;     // s: the simulation waits for us then
constexpr double kSoftwareFrame = 1.0 / 40;  // s: where the processor draws, it must leave time to simulate

int suitable_threads() {
  if (render::gl::is_software()) return 1;
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(cores - 1, 1, 16);
}

double seconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
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

class App {
 public:
  explicit App(const WindowOptions& options);
  ~App();
  void run();

 private:
  void open_first();
  bool take_news();
  void take_opened(Opener::Result result);
  bool needs_drawing() const;
  void pace();

  void draw();
  void measure_drawing(double drawn, double since_last);
  void draw_panels(const Layout& layout);
  void draw_opening(const Rect& place);
  std::vector<Rect> taken_places(const Rect& picture);
  void take_keys(const Input& input);
  std::array<float, 4> bounds_in_picture() const;
  nlohmann::json handles_in_window();
  void trace(const Layout& layout);

  const WindowOptions options_;
  std::filesystem::path settings_file_ = settings_file();
  std::string settings_complaint_;
  Settings settings_ = load_settings(settings_file_, &settings_complaint_);
  Window window_;
  Style style_;
  Canvas canvas_;
  Disposal disposal_;
  Opener opener_{disposal_};
  std::unique_ptr<Stage> stage_;
  Mouse mouse_;
  Hand hand_{canvas_};
  Messages messages_;
  FileDialog dialog_;
  Gallery gallery_;
  Exports exports_;
  Conductor conductor_{canvas_, messages_};
  Trace trace_;
  Controller controller_;
  Panes panes_{window_, settings_, canvas_, mouse_, controller_};

  Input input_;
  std::unordered_map<unsigned, PendingEdit> edits_;
  Typing typing_;
  std::unordered_map<std::string, ImVec2> fields_;
  std::optional<double> plot_cursor_;
  ModeView mode_view_;
  SceneHint hint_;
  std::vector<Rect> banners_;  ///< as they were drawn last
  FolderOpener folder_opener_;
  EnergyCurve energy_curve_;
  int threads_ = 1;
  bool first_ = true;
  double frame_interval_ = 1.0 / 60;
  DrawTimes drawing_;
  Clock::time_point last_draw_{}, last_input_ = Clock::now();
  bool news_ = false;  ///< there is something that no picture has shown yet
  std::int64_t draws_ = 0, gl_errors_ = 0;
  bool following_ = false;  ///< the view is on its way
  double longest_gap_ = 0;  // s between two pictures, since the trace's last line
};

App::App(const WindowOptions& options)
    : options_(options),
      window_("Rebound", options.size),
      trace_(options.trace),
      controller_({window_, settings_, canvas_, hand_, mouse_, opener_, messages_, dialog_, gallery_, exports_,
                   conductor_, stage_, threads_}) {
  threads_ = options.threads > 0 ? options.threads : suitable_threads();
  frame_interval_ = window_.refresh_interval();
  if (render::gl::is_software()) frame_interval_ = std::max(frame_interval_, kSoftwareFrame);
}

App::~App() {
  if (stage_) conductor_.leave(*stage_);
  save_settings(settings_, settings_file_);
  if (stage_) disposal_.take(stage_->give_up());
  opener_.cancel();
}

// ---- the loop ----

void App::run() {
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
void App::pace() {
  const bool busy =
      opener_.busy() || dialog_.asking() || exports_.busy() || conductor_.busy() || (stage_ && !stage_->paused());
  const double idle = seconds(last_input_, Clock::now());
  const bool awake = idle < kAwake || news_ || canvas_.camera().moving() || following_ || trace_.is_on();
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

bool App::needs_drawing() const {
  return news_ || opener_.busy() || canvas_.camera().moving() || following_ || messages_.has_news() ||
         seconds(last_input_, Clock::now()) < kAwake || trace_.is_due();
}

// The window stays hidden while the first scene is made, if that is quick: a bad file then never shows a window.
void App::open_first() {
  opener_.open({options_.open, options_.name, options_.run}, threads_);
  const auto began = Clock::now();
  while (opener_.busy() && !opener_.status().finished && seconds(began, Clock::now()) < kHiddenFirst)
    window_.wait(0.005);
  take_news();
  window_.show();
}

bool App::take_news() {
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
    for (auto& refusal : stage_->take_refusals()) messages_.say(std::move(refusal), Messages::Kind::warning);
  if (stage_)
    if (auto report = stage_->take_replay_report(); !report.empty()) {
      const auto kind = stage_->moment().divergence.empty() ? Messages::Kind::note : Messages::Kind::warning;
      messages_.say(std::move(report), kind);
    }
  return news;
}

void App::take_opened(Opener::Result result) {
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

// ---- a picture ----

void App::draw() {
  const auto began = Clock::now();
  const double since_last = seconds(last_draw_, began), elapsed = std::min(since_last, 0.1);
  last_draw_ = began;
  news_ = false;
  const float density = window_.density();
  const float unit = window_.content_scale() / density * settings_.ui_scale;
  style_.set(settings_.dark ? render::dark_theme() : render::light_theme(), unit, density);
  window_.begin_frame();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Layout layout = arrange(display.x, display.y, unit, settings_);
  panes_.arrange(layout.picture, stage_ ? stage_->pane_count() : 1, unit);

  const Input input = std::exchange(input_, {});
  if (stage_) {
    panes_.look_under_mouse(*stage_, input.mouse);
    take_keys(input);
    panes_.take_mouse(*stage_, input.mouse);
    draw_panels(layout);
  } else {
    draw_opening({0, 0, display.x, display.y});
  }
  canvas_.camera().advance(static_cast<float>(elapsed));
  // What is under a hand stays there.
  if (stage_ && mouse_.mode() == Mouse::Mode::idle)
    following_ = canvas_.follow(static_cast<float>(elapsed), stage_->chosen());

  const bool wants_screenshot = stage_ && controller_.take_screenshot_wish();
  const Size size = window_.framebuffer();
  const render::Color& background = style_.theme().panel;
  glViewport(0, 0, size.width, size.height);
  glClearColor(background.r, background.g, background.b, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  if (stage_) panes_.draw(*stage_, wants_screenshot ? Canvas::Quality::finest : Canvas::Quality::quick);
  window_.draw_interface();
  if (wants_screenshot) exports_.screenshot(read_framebuffer(size.width, size.height), stage_->now().description.name);
  while (trace_.is_on() && glGetError() != GL_NO_ERROR) ++gl_errors_;
  const double drawn = seconds(began, Clock::now());
  window_.present();
  measure_drawing(drawn, since_last);
  longest_gap_ = std::max(longest_gap_, since_last);
  ++draws_;
  if (trace_.is_due()) trace(layout);
}

void App::measure_drawing(double drawn, double since_last) {
  // A picture after a rest says nothing of the pace.
  constexpr double kRest = 0.5, kWeight = 0.05;
  if (since_last > kRest) return;
  const bool first = drawing_.interval_ms == 0;
  const auto follow = [&](double& mean, double s) { mean = first ? 1e3 * s : mean + kWeight * (1e3 * s - mean); };
  follow(drawing_.draw_ms, drawn);
  follow(drawing_.interval_ms, since_last);
}

void App::draw_opening(const Rect& place) {
  if (opener_.busy() && loading_card(style_, place, opener_.name(), opener_.status())) window_.close();
}

void App::draw_panels(const Layout& layout) {
  Requests requests;
  Desk desk{*stage_,
            style_,
            settings_,
            requests,
            edits_,
            plot_cursor_,
            energy_curve_,
            controller_.under_mouse().chosen_obstacle(),
            mode_view_,
            typing_,
            fields_,
            mouse_.box_armed(),
            canvas_.follows(),
            drawing_,
            conductor_.status(),
            gallery_.groups()};
  top_bar(desk, layout.top);
  side_panel(desk, layout.side);
  plots_strip(desk, layout.plots);
  move_splitters(desk, layout);
  panes_.draw_box(style_);
  failure_rings(desk, panes_.places(), canvas_.camera(), window_.density());
  hand_marks(desk, panes_.places(), canvas_.camera(), window_.density(), controller_.under_mouse().hovered_points());
  obstacle_handles(desk, panes_.places(), canvas_.camera(), window_.density(), controller_.under_mouse().gizmo_part());
  heat_legend(desk, panes_.places(), canvas_.heat());
  if (mouse_.mode() != Mouse::Mode::idle) hint_.shown = false;
  const std::vector<Rect> taken = taken_places(layout.picture);
  const Rect before = hint_.at;
  scene_hint(desk, layout.picture, layout.plots, hint_, taken);
  if (hint_.at != before) news_ = true;  // its size is known now
  timeline_strip(desk, layout.timeline);
  pane_headers(desk, panes_.places());
  if (const float height = panes_.places().front().height; height > 0)
    canvas_.set_covered(pane_heads_reach(desk, panes_.places()) / height);
  // Their size and place are known once they have been drawn.
  if (auto banners = trouble_banners(desk, panes_.places()); banners != banners_) {
    banners_ = std::move(banners);
    news_ = true;
  }
  mode_hint(desk, layout.picture);
  if (opener_.busy() && loading_card(style_, layout.picture, opener_.name(), opener_.status())) opener_.cancel();
  bool help = controller_.help_is_open();
  help_overlay(desk, layout.picture, help);
  controller_.set_help(help);
  dialog_.show(desk);
  controller_.arrivals().show_question(desk);
  gallery_.show(desk);
  messages_.show(desk, layout.picture, layout.plots, taken);
  if (const auto folder = messages_.take_folder(); !folder.empty()) {
    try {
      folder_opener_.open(folder);
    } catch (const render::OutputError& error) {
      messages_.say(error.what(), Messages::Kind::warning);
    }
  }
  controller_.serve(requests);
}

/// Where bodies are seen, and what is written beside them.
std::vector<Rect> App::taken_places(const Rect& picture) {
  constexpr std::ptrdiff_t kMost = 400;
  const float density = window_.density();
  std::vector<Rect> taken = banners_;
  for (std::size_t pane = 0; pane < stage_->pane_count(); ++pane) {
    const Rect& place = panes_.place_of(pane);
    for (const auto& surface : stage_->moment().panes[pane].surfaces) {
      const auto points = static_cast<std::ptrdiff_t>(surface.size() / 3);
      ImVec2 low{1e9f, 1e9f}, high{-1e9f, -1e9f};
      for (std::ptrdiff_t i = 0; i < points; i += 1 + points / kMost) {
        const float* at = surface.data() + 3 * i;
        const auto [pixel, depth] = canvas_.camera().project({at[0], at[1], at[2]});
        if (!(depth > 0)) continue;
        const ImVec2 seen{place.x + pixel.x() / density, place.y + pixel.y() / density};
        if (!place.contains(seen.x, seen.y)) continue;
        low = {std::min(low.x, seen.x), std::min(low.y, seen.y)};
        high = {std::max(high.x, seen.x), std::max(high.y, seen.y)};
      }
      if (high.x > low.x) taken.push_back({low.x, low.y, high.x - low.x, high.y - low.y});
    }
  }
  if (stage_->pane_count() > 1)
    for (const Rect& place : panes_.places()) taken.push_back({place.x, place.y, place.width, 60 * style_.unit()});
  if (stage_->in_the_past())
    taken.push_back({picture.x + picture.width - 360 * style_.unit(), picture.y + picture.height - 60 * style_.unit(),
                     360 * style_.unit(), 60 * style_.unit()});
  return taken;
}

void App::take_keys(const Input& input) {
  // While someone types, every key belongs to the text, but for the one that leaves.
  const bool typing = ImGui::GetIO().WantTextInput;
  for (const KeyEvent& key : input.keys) {
    const auto action = find_action(key.press, key.is_repeat);
    if (action == Action::escape) typing_ = {};
    if (action && (!typing || action == Action::escape)) controller_.act(*action);
  }
}

// ---- what a test sees ----

/// Of the bodies in the first pane, as shares of its width and height: left, top, right, bottom.
std::array<float, 4> App::bounds_in_picture() const {
  const render::Camera& camera = canvas_.camera();
  const render::Box box = canvas_.picture().bounds();
  std::array<float, 4> shares{1e9f, 1e9f, -1e9f, -1e9f};
  for (int i = 0; i < 8 && !box.isEmpty(); ++i) {
    const Vec2 at =
        camera.project(box.corner(static_cast<render::Box::CornerType>(i)))
            .pixel.cwiseQuotient(Vec2(static_cast<float>(camera.width()), static_cast<float>(camera.height())));
    shares = {std::min(shares[0], at.x()), std::min(shares[1], at.y()), std::max(shares[2], at.x()),
              std::max(shares[3], at.y())};
  }
  return shares;
}

/// The ends of the chosen obstacle's arrows, and a point of each ring, pixels of the window.
nlohmann::json App::handles_in_window() {
  auto handles = nlohmann::json::array();
  const int chosen = controller_.under_mouse().chosen_obstacle();
  if (chosen < 0 || static_cast<std::size_t>(chosen) >= stage_->now().obstacles.size()) return handles;
  const Rect& p = panes_.place_of(stage_->chosen());
  const float density = window_.density();
  const Gizmo gizmo(canvas_.camera(), Hand::gizmo_centre(*stage_, chosen), window_.content_scale());
  for (const GizmoPart& part : kGizmoParts) {
    const auto line = gizmo.line(part);
    // An eighth of a turn from where rings cross.
    const Vec2 at = line[part.turns ? line.size() / 8 : line.size() - 1];
    handles.push_back({at.x() + p.x * density, at.y() + p.y * density});
  }
  return handles;
}

void App::trace(const Layout& layout) {
  nlohmann::ordered_json line = {{"draws", draws_},
                                 {"longestGap", std::exchange(longest_gap_, 0)},
                                 {"glErrors", gl_errors_},
                                 {"loading", opener_.busy()},
                                 {"message", messages_.latest()},
                                 {"dialog", messages_.dialog()},
                                 {"help", controller_.help_is_open()},
                                 {"question", controller_.arrivals().question()},
                                 {"dark", settings_.dark},
                                 {"panels", settings_.panels},
                                 {"recording", described(conductor_.recorder())}};
  if (stage_) {
    line.update(described(*stage_));
    const float density = window_.density();
    const auto pixels = [density](const Rect& p) {
      return nlohmann::json::array({p.x * density, p.y * density, p.width * density, p.height * density});
    };
    line["picture"] = pixels(layout.picture);
    line["timeline"] = pixels(layout.timeline);
    line["overlaid"] = settings_.overlaid;
    line["typing"] = {{"text", typing_.text}, {"active", typing_.field != 0}, {"refusal", typing_.refusal}};
    line["timeStep"] = stage_->now().description.timeStep;
    line["fields"] = nlohmann::json::object();
    for (const auto& [key, at] : fields_)
      line["fields"][key] = {std::round(at.x * density), std::round(at.y * density)};
    line["browser"] = dialog_.described();
    line["hint"] = hint_.shown ? hint_.to_try : "";
    line["hints"] = hint_.shown;
    auto cards = nlohmann::json::array();
    if (hint_.shown) cards.push_back({hint_.at.x, hint_.at.y, hint_.at.width, hint_.at.height});
    for (const Rect& banner : banners_) cards.push_back({banner.x, banner.y, banner.width, banner.height});
    line["cards"] = cards;
    line["gallery"] = nlohmann::json::object();
    if (gallery_.is_open())
      for (const auto& [name, at] : gallery_.cards())
        line["gallery"][name] = {std::round(at.x * density), std::round(at.y * density)};
    line["toasts"] = messages_.described();
    auto toasts = nlohmann::json::array();
    std::ranges::transform(messages_.places(), std::back_inserter(toasts), pixels);
    line["toastPlaces"] = toasts;
    line["follows"] = canvas_.follows();
    line["bounds"] = bounds_in_picture();
    auto places = nlohmann::json::array();
    std::ranges::transform(panes_.places(), std::back_inserter(places), pixels);
    line["places"] = places;
    const Rect& p = panes_.place_of(stage_->chosen());
    if (const auto pixel = controller_.pixel_on_body())
      line["body"] = {pixel->x() + p.x * density, pixel->y() + p.y * density};
    line["obstacles"] = nlohmann::json::array();
    for (const auto& obstacle : stage_->now().obstacles) {
      const Vec2 at = canvas_.camera().project(obstacle.pose.t.cast<float>()).pixel;
      line["obstacles"].push_back({at.x() + p.x * density, at.y() + p.y * density});
    }
    line["hovered"] = controller_.under_mouse().hovered_points().size();
    line["force"] = stage_->now().grab ? stage_->now().grab->force : 0.0;
    line["heldPoints"] = stage_->now().grab ? 1 + stage_->now().grab->around.size() : 0;
    line["reach"] = settings_.grab_reach;
    line["chosenObstacle"] = controller_.under_mouse().chosen_obstacle();
    line["handles"] = handles_in_window();
    const auto& obstacles = stage_->now().description.obstacles;
    const auto chosen = static_cast<std::size_t>(controller_.under_mouse().chosen_obstacle());
    if (chosen < obstacles.size()) {
      const scene::Rotation& turn = obstacles[chosen].transform.rotate;
      line["chosenTurn"] = {{"axis", turn.axis}, {"angle", turn.angle}};
    }
    const render::Vec3 ahead = canvas_.camera().forward();
    line["ahead"] = {ahead.x(), ahead.y(), ahead.z()};
    line["contacts"] = settings_.shows_contacts;
    line["colors"] = {{"kind", static_cast<int>(canvas_.heat().kind())}, {"top", canvas_.heat().top()}};
    line["marked"] = controller_.under_mouse().marked_obstacle().value_or(-1);
  }
  trace_.write(line);
}

}  // namespace

void open_window(const WindowOptions& options) { App(options).run(); }

}  // namespace rebound::app
