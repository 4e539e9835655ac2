#include "app/controller.hpp"

#include <algorithm>

#include "app/canvas.hpp"
#include "app/exports.hpp"
#include "app/gallery.hpp"
#include "app/hand.hpp"
#include "app/messages.hpp"
#include "app/speeds.hpp"
#include "app/widgets.hpp"
#include "app/window.hpp"
#include "scene/build.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace fs = std::filesystem;

// ---- actions ----

void Controller::act(Action action) {
  if (act_on_simulation(action) || act_on_time(action) || act_on_panes(action)) return;
  if (act_on_view(action) || act_on_files(action) || obstacle_tools_.act(action)) return;
  if (action == Action::help) help_ = !help_;
  if (action == Action::escape) escape();
  if (action == Action::quit) world_.window.close();
}

bool Controller::act_on_simulation(Action action) {
  Stage& stage = *world_.stage;
  const int place = static_cast<int>(action) - static_cast<int>(Action::integrator_1);
  if (place >= 0 && place < kIntegratorKeys) {
    choose_integrator(static_cast<std::size_t>(place));
    return true;
  }
  switch (action) {
    case Action::toggle_pause:
      stage.set_paused(!stage.paused());
      return true;
    case Action::reset:
      stage.post(session::Reset{});
      return true;
    case Action::slower:
      set_speed(next_speed(stage.speed(), -1));
      return true;
    case Action::faster:
      set_speed(next_speed(stage.speed(), 1));
      return true;
    case Action::normal_speed:
      set_speed(1);
      return true;
    case Action::box_pin:
      world_.mouse.arm_box(world_.mouse.box_armed() == BoxFor::pins ? BoxFor::nothing : BoxFor::pins);
      return true;
    case Action::box_region:
      if (std::ranges::none_of(stage.now().bodies,
                               [](const scene::BodyGeometry& body) { return body.is_solid() && !body.is_affine(); })) {
        world_.messages.say("Regions are of solids that deform; this scene has none.");
        return true;
      }
      world_.mouse.arm_box(world_.mouse.box_armed() == BoxFor::region ? BoxFor::nothing : BoxFor::region);
      return true;
    case Action::unpin_all:
      world_.hand.unpin_all(stage);
      return true;
    default:
      return false;
  }
}

bool Controller::act_on_time(Action action) {
  Stage& stage = *world_.stage;
  const session::Moment& moment = stage.moment();
  switch (action) {
    case Action::step:
      stage.step_once();
      return true;
    case Action::step_back:
      stage.go_by(-1);
      return true;
    case Action::to_start:
      stage.go_to(moment.first);
      return true;
    case Action::to_end:
      stage.go_to(moment.last);
      return true;
    case Action::undo:
      moment.can_undo ? stage.undo() : world_.messages.say("There is nothing to undo.");
      return true;
    case Action::redo:
      moment.can_redo ? stage.redo() : world_.messages.say("There is nothing to redo.");
      return true;
    default:
      return false;
  }
}

bool Controller::act_on_panes(Action action) {
  Stage& stage = *world_.stage;
  switch (action) {
    case Action::add_pane:
      if (stage.pane_count() < session::Ensemble::kMostPanes) {
        stage.add_pane();
      } else {
        world_.messages.say("There are six panes already; close one first.");
      }
      return true;
    case Action::next_pane:
      stage.choose((stage.chosen() + 1) % stage.pane_count());
      return true;
    case Action::toggle_overlaid:
      world_.settings.overlaid = !world_.settings.overlaid;
      return true;
    default:
      return false;
  }
}

bool Controller::act_on_view(Action action) {
  Settings& settings = world_.settings;
  switch (action) {
    case Action::frame_bodies:
      world_.canvas.set_follows(false);
      world_.canvas.camera().frame(world_.canvas.picture().bounds());
      return true;
    case Action::home_view:
      world_.canvas.go_home();
      return true;
    case Action::toggle_theme:
      settings.dark = !settings.dark;
      return true;
    case Action::toggle_wireframe:
      settings.wireframe = !settings.wireframe;
      return true;
    case Action::toggle_contacts:
      settings.shows_contacts = !settings.shows_contacts;
      return true;
    case Action::next_colors:
      settings.colors = static_cast<session::FieldKind>((static_cast<int>(settings.colors) + 1) % session::kFieldKinds);
      return true;
    case Action::toggle_panels:
      settings.panels = !settings.panels;
      return true;
    case Action::full_screen:
      world_.window.toggle_full_screen();
      return true;
    case Action::larger_ui:
      scale_ui(1.1f);
      return true;
    case Action::smaller_ui:
      scale_ui(1 / 1.1f);
      return true;
    case Action::standard_ui:
      settings.ui_scale = 1;
      return true;
    case Action::view_front:
      world_.canvas.look_from({0, 0, 1});
      return true;
    case Action::view_side:
      world_.canvas.look_from({1, 0, 0});
      return true;
    case Action::view_top:
      world_.canvas.look_from({0, 1, 0});
      return true;
    case Action::toggle_follow:
      world_.canvas.set_follows(!world_.canvas.follows());
      world_.messages.say(world_.canvas.follows() ? "The view follows the motion." : "The view stays where it is.");
      return true;
    default:
      return false;
  }
}

bool Controller::act_on_files(Action action) {
  const auto& description = world_.stage->now().description;
  const auto folder = description.file.empty() ? fs::path(".") : description.file.parent_path();
  switch (action) {
    case Action::gallery:
      world_.gallery.toggle();
      return true;
    case Action::open_file:
      world_.dialog.ask(FileDialog::Purpose::open, folder / "");
      return true;
    case Action::save_scene:
      world_.dialog.ask(FileDialog::Purpose::save, "my-scene.json");
      return true;
    case Action::save_run:
      world_.dialog.ask(FileDialog::Purpose::save_run, "my-run.jsonl");
      return true;
    case Action::reload:
      arrivals_.open(world_.stage->source());
      return true;
    case Action::screenshot:
      wants_screenshot_ = true;
      return true;
    case Action::record:
      wants_recording_ = true;
      return true;
    case Action::film_last:
      wants_film_ = true;
      return true;
    case Action::export_csv:
      world_.exports.table(world_.stage->history(), plotted_name());
      return true;
    case Action::export_plots:
      world_.exports.plots(world_.stage->history(), plotted_name());
      return true;
    default:
      return false;
  }
}

void Controller::escape() {
  under_mouse_.chosen_obstacle() = -1;
  carry_out(world_.mouse.cancel(), 1);
  world_.messages.dismiss();
  world_.dialog.cancel();
  world_.gallery.close();
  arrivals_.forget();
  help_ = false;
}

void Controller::set_speed(double speed) {
  if (speed == world_.stage->speed()) return;
  world_.stage->set_speed(speed);
  world_.messages.say("Speed " + speed_text(speed));
}

void Controller::choose_integrator(std::size_t place) {
  const auto& list = sim::integrators();
  if (place >= list.size()) {
    world_.messages.say("There are " + std::to_string(list.size()) + " integrators.");
    return;
  }
  world_.stage->post(session::SetIntegrator{std::string(list[place].id), true});
}

void Controller::scale_ui(float factor) {
  world_.settings.ui_scale = std::clamp(world_.settings.ui_scale * factor, 0.5f, 4.0f);
}

// ---- panels, mouse, dialogs ----

void Controller::serve(const Requests& requests) {
  // What panels ask for while a button is held is one turn of a slider.
  if (!ImGui::IsMouseDown(ImGuiMouseButton_Left)) turns_slider_ = false;
  for (const auto& command : requests.commands)
    world_.stage->post(command, ImGui::IsMouseDown(ImGuiMouseButton_Left) && std::exchange(turns_slider_, true));
  if (requests.integrator) world_.stage->post(session::SetIntegrator{*requests.integrator, true});
  for (const auto& to : requests.pane_commands) world_.stage->post_to(to.pane, to.command);
  if (requests.remove_pane) world_.stage->remove_pane(*requests.remove_pane);
  if (requests.choose) world_.stage->choose(*requests.choose);
  if (requests.go_to) world_.stage->go_to(*requests.go_to);
  if (requests.speed) set_speed(*requests.speed);
  if (requests.open) arrivals_.open(*requests.open);
  if (requests.obstacle) obstacle_tools_.add(*requests.obstacle);
  under_mouse_.set_listed_obstacle(requests.marked_obstacle);
  world_.stage->show_modes(requests.shown_modes);
  world_.stage->show_field(world_.settings.colors);
  world_.stage->show_vertices(world_.mouse.box_armed() == BoxFor::region || world_.hand.waits_for_vertices());
  if (requests.pause) world_.stage->set_paused(true);
  if (requests.detail) arrivals_.reopen_with_detail(*requests.detail);
  for (const Action action : requests.actions) act(action);
}

void Controller::take(const MouseEvent& event, float pixel_ratio) {
  const auto hits_body = [&](const Vec2& at) {
    const Stage& stage = *world_.stage;
    return world_.hand.pick_gizmo(stage, at, pixel_ratio) ||
           world_.hand.pick(stage.pointed_moment(), at, pixel_ratio) ||
           world_.hand.pick_obstacle(stage, at, pixel_ratio, event.ctrl);
  };
  carry_out(world_.mouse.on(event, hits_body, pixel_ratio), pixel_ratio);
}

void Controller::carry_out(const std::vector<Gesture>& gestures, float pixel_ratio) {
  for (const Gesture& gesture : gestures) world_.hand.carry_out(gesture, *world_.stage, world_.settings, pixel_ratio);
  // What was taken is what the panel shows, and what gets arrows.
  if (const auto held = world_.hand.held_obstacle()) under_mouse_.chosen_obstacle() = *held;
}

void Controller::take_answer(const FileDialog::Answer& answer) {
  if (answer.purpose == FileDialog::Purpose::obstacle) return obstacle_tools_.add(answer.file);
  if (answer.purpose == FileDialog::Purpose::open) return arrivals_.open(answer.file);
  if (answer.purpose == FileDialog::Purpose::save_run)
    return world_.exports.run(world_.stage->save_run(answer.file), answer.file);
  const session::Snapshot& now = world_.stage->now();
  const scene::Description pinned = scene::with_pins(now.description, world_.stage->bodies(), now.pinned_vertices);
  world_.exports.scene(pinned, answer.file);
}

std::string Controller::plotted_name() const {
  const scene::Description& now = world_.stage->now().description;
  return world_.stage->pane_count() > 1 ? now.name + " " + now.integrator.type : now.name;
}

std::optional<Vec2> Controller::pixel_on_body() const {
  constexpr int kRows = 16;
  const auto& camera = world_.canvas.camera();
  const render::Vec2 centre = camera.project(world_.canvas.picture().bounds().center()).pixel;
  std::optional<Vec2> best;
  for (int i = 0; i < kRows * kRows; ++i) {
    const Vec2 share((static_cast<float>(i % kRows) + 0.5f) / kRows, (static_cast<float>(i / kRows) + 0.5f) / kRows);
    const Vec2 at(share.x() * static_cast<float>(camera.width()), share.y() * static_cast<float>(camera.height()));
    const bool nearer = !best || (at - centre).norm() < (*best - centre).norm();
    if (nearer && world_.hand.pick(world_.stage->now(), at, 1)) best = at;
  }
  return best;
}

}  // namespace rebound::app
