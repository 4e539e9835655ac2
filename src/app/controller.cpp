#include "app/controller.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "app/canvas.hpp"
#include "app/conductor.hpp"
#include "app/exports.hpp"
#include "app/gallery.hpp"
#include "app/hand.hpp"
#include "app/joined.hpp"
#include "app/messages.hpp"
#include "app/opener.hpp"
#include "app/speeds.hpp"
#include "app/widgets.hpp"
#include "app/window.hpp"
#include "mesh/error.hpp"
#include "scene/files.hpp"
#include "scene/library.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace fs = std::filesystem;

// ---- actions ----

void Controller::act(Action action) {
  if (act_on_simulation(action) || act_on_time(action) || act_on_panes(action)) return;
  if (act_on_view(action) || act_on_files(action) || act_on_obstacles(action)) return;
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
      open(world_.stage->source());
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
      world_.exports.table(world_.stage->history(), description.name);
      return true;
    case Action::export_plots:
      world_.exports.plots(world_.stage->history(), description.name);
      return true;
    default:
      return false;
  }
}

// ---- obstacles ----

bool Controller::act_on_obstacles(Action action) {
  Stage& stage = *world_.stage;
  const auto& camera = world_.canvas.camera();
  const render::Box bodies = world_.canvas.picture().bounds();
  switch (action) {
    case Action::add_sphere:
      if (!under_mouse_) {
        add_obstacle(ObstacleKind::sphere);
        return true;
      }
      stage.post(session::AddObstacle{new_obstacle(
          ObstacleKind::sphere, bodies,
          camera.point_at_depth(*under_mouse_, bodies.isEmpty() ? camera.pose().target : bodies.center()))});
      return true;
    case Action::remove_obstacle:
      if (!marked_obstacle()) {
        world_.messages.say("Point at the obstacle to be removed; at a floor or wall, hold Ctrl.");
        return true;
      }
      stage.post(session::RemoveObstacle{*marked_obstacle()});
      hovered_.reset();
      chosen_obstacle_ = -1;
      return true;
    case Action::duplicate_obstacle:
      duplicate_obstacle();
      return true;
    case Action::open_obstacle:
      world_.dialog.ask(FileDialog::Purpose::obstacle, fs::path(".") / "");
      return true;
    default:
      return false;
  }
}

// To the right of them as they are seen, with room for itself.
render::Vec3 Controller::beside_the_bodies() const {
  const auto& camera = world_.canvas.camera();
  const render::Box bodies = world_.canvas.picture().bounds();
  if (bodies.isEmpty()) return camera.pose().target;
  const render::Vec3 right = render::Vec3(camera.right().x(), 0, camera.right().z()).normalized();
  const float reach = 0.5f * bodies.sizes().dot(right.cwiseAbs()) + 0.3f * bodies.diagonal().norm();
  return bodies.center() + reach * right;
}

void Controller::duplicate_obstacle() {
  const auto& obstacles = world_.stage->now().description.obstacles;
  const int index = marked_obstacle().value_or(chosen_obstacle_);
  if (index < 0 || static_cast<std::size_t>(index) >= obstacles.size())
    return world_.messages.say("Click the obstacle to be duplicated, or point at it.");
  scene::Obstacle copy = obstacles[static_cast<std::size_t>(index)];
  // Beside it, so that both are seen.
  const render::Box bodies = world_.canvas.picture().bounds();
  copy.transform.translate[0] += bodies.isEmpty() ? 1 : 0.4 * static_cast<double>(bodies.diagonal().norm());
  chosen_obstacle_ = static_cast<int>(obstacles.size());
  world_.stage->post(session::AddObstacle{std::move(copy)});
}

// A floor comes where one is drawn, so that what is seen becomes solid.
void Controller::add_obstacle(ObstacleKind kind) {
  const auto& picture = world_.canvas.picture();
  const render::Vec3 at =
      kind == ObstacleKind::floor ? render::Vec3(0, picture.floor_height(), 0) : beside_the_bodies();
  chosen_obstacle_ = static_cast<int>(world_.stage->now().description.obstacles.size());
  world_.stage->post(session::AddObstacle{new_obstacle(kind, picture.bounds(), at)});
}

void Controller::add_obstacle(const fs::path& file) {
  if (read_obstacle_.valid()) return world_.messages.say("A surface is being read already.");
  read_obstacle_ =
      std::async(std::launch::async, [file = fs::absolute(file), bodies = world_.canvas.picture().bounds(),
                                      at = beside_the_bodies()] { return new_obstacle(file, bodies, at); });
}

bool Controller::poll() {
  const auto is_ready = [](const auto& future) {
    return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  };
  if (is_ready(looked_at_)) {
    const Surface surface = looked_at_.get();
    if (surface.has_border || surface.may_join)
      asked_ = surface;
    else
      open_as_it_is(surface.file);
    return true;
  }
  if (!is_ready(read_obstacle_)) return false;
  try {
    world_.stage->post(session::AddObstacle{read_obstacle_.get()});
  } catch (const InputError& error) {
    world_.messages.fail("The surface cannot be read", error.what());
  }
  return true;
}

void Controller::look_under(const std::optional<MouseEvent>& mouse, float pixel_ratio) {
  under_mouse_ = mouse ? std::optional(mouse->at) : std::nullopt;
  hovered_.reset();
  hovered_points_.clear();
  hovered_part_.reset();
  world_.hand.choose_obstacle(chosen_obstacle_);
  if (!mouse || world_.mouse.mode() != Mouse::Mode::idle) return;
  hovered_part_ = world_.hand.pick_gizmo(*world_.stage, mouse->at, pixel_ratio);
  if (hovered_part_) return;
  if (const auto met = world_.hand.pick_obstacle(*world_.stage, mouse->at, pixel_ratio, mouse->ctrl))
    hovered_ = met->obstacle;
  if (hovered_) return;
  const session::Snapshot& moment = world_.stage->pointed_moment();
  const auto picked = world_.hand.pick(moment, mouse->at, pixel_ratio);
  if (!picked) return;
  const auto& [body, vertex] = picked->point;
  const double radius = world_.hand.grab_radius(body, world_.settings);
  const auto& geometry = world_.canvas.picture().geometry(static_cast<std::size_t>(body));
  for (const int held : session::vertices_within(geometry, vertex, radius))
    hovered_points_.push_back(film::position(moment, {body, held}));
}

std::optional<GizmoPart> Controller::hovered_part() const {
  const auto held = world_.hand.held_part();
  return held ? held : hovered_part_;
}

std::optional<int> Controller::marked_obstacle() const {
  if (const auto held = world_.hand.held_obstacle()) return held;
  return hovered_ ? hovered_ : listed_;
}

void Controller::escape() {
  chosen_obstacle_ = -1;
  carry_out(world_.mouse.cancel(), 1);
  world_.messages.dismiss();
  world_.dialog.cancel();
  world_.gallery.close();
  waiting_.reset();
  asked_.reset();
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

void Controller::open(Source source) {
  if (world_.conductor.is_recording())
    waiting_ = std::move(source);
  else
    world_.opener.open(std::move(source), world_.threads);
}

std::string Controller::question() const {
  if (waiting_) return "A video is being recorded. “" + waiting_->name + "” ends it.";
  if (!asked_) return {};
  const std::string name = "“" + asked_->file.filename().string() + "”";
  if (asked_->has_border) return name + " has a border. Is it a solid with holes, or a sheet?";
  return name + ": shall it join the scene, or open by itself?";
}

void Controller::show_question(const Desk& desk) {
  if (question().empty()) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y * 0.4f}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, desk.points(1));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(20), desk.points(16)});
  ImGui::Begin("##question", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoNav);
  ImGui::TextUnformatted(question().c_str());
  ImGui::Dummy({0, desk.points(4)});
  waiting_ ? ask_about_recording() : ask_about_mesh(desk);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

void Controller::ask_about_recording() {
  const bool ends = ImGui::Button("End the video and open");
  ImGui::SameLine();
  const bool goes_on = ImGui::Button("Go on recording");
  if (ends) world_.opener.open(*std::exchange(waiting_, std::nullopt), world_.threads);
  if (goes_on) waiting_.reset();
}

void Controller::ask_about_mesh(const Desk& desk) {
  struct Choice {
    const char* name;
    const char* tip;
    bool joins, shell;
  };
  constexpr std::array kChoices{
      Choice{"Join as a solid", "Its holes are closed. The scene begins anew, with one body more", true, false},
      Choice{"Join as a shell", "Its own triangles, thin. The scene begins anew, with one body more", true, true},
      Choice{"Join the scene", "The scene begins anew, with one body more", true, false},
      Choice{"As a solid", "Its holes are closed, and it is filled with tetrahedra", false, false},
      Choice{"As a shell", "Its own triangles, thin, that stretch and bend", false, true},
      Choice{"Open by itself", "Hung by its top", false, false}};
  const Surface asked = *asked_;
  for (std::size_t i = 0; i < kChoices.size(); ++i) {
    const Choice& choice = kChoices[i];
    if ((choice.joins && !asked.may_join) || (i % 3 == 2) == asked.has_border) continue;
    if (ImGui::Button(choice.name)) {
      asked_.reset();
      if (choice.joins)
        join(asked.file, choice.shell);
      else if (choice.shell)
        open(Source{[file = asked.file] { return scene::scene_for_shell(file); }, asked.file.filename().string()});
      else
        open_as_it_is(asked.file);
    }
    note_place(desk, choice.name);
    tooltip(desk, choice.tip);
    ImGui::SameLine();
  }
  if (ImGui::Button("Leave it")) asked_.reset();
}

void Controller::join(const fs::path& file, bool shell) {
  const auto& now = world_.stage->now().description;
  const auto add = [scene = now, file, shell, bodies = world_.canvas.picture().bounds(), at = beside_the_bodies()] {
    return joined(scene, file, shell, bodies, at);
  };
  open(Source{add, file.filename().string()});
}

// Of a surface it is looked first whether it may be a sheet; what is being looked at already comes first.
void Controller::open(const fs::path& file) {
  if (!scene::is_surface_file(file) || looked_at_.valid()) return open_as_it_is(file);
  asked_.reset();
  looked_at_ = std::async(std::launch::async, [file = fs::absolute(file)] {
    return Surface{file, scene::has_border(file), false};
  });
}

// What cannot be read cannot join: opening it says why.
void Controller::drop(const fs::path& file) {
  if (!world_.stage || !scene::is_mesh_file(file) || looked_at_.valid()) return open(file);
  asked_.reset();
  looked_at_ = std::async(std::launch::async, [file = fs::absolute(file)] {
    const bool is_surface = scene::is_surface_file(file);
    return Surface{file, is_surface && scene::has_border(file), !is_surface || is_readable_surface(file)};
  });
}

void Controller::open_as_it_is(const fs::path& file) {
  const std::string path = file.string();
  if (session::is_run(file)) {
    const auto run = std::make_shared<session::Journal>();
    const auto read = [path, run] {
      *run = session::Journal::read(path);
      return run->scene();
    };
    open(Source{read, file.filename().string(), run});
    return;
  }
  open(Source{[path] { return scene::open(path); }, file.filename().string()});
}

void Controller::reopen_with_detail(int tets) {
  scene::Description description = world_.stage->now().description;
  std::size_t left_out = 0;
  for (auto& body : description.bodies) {
    auto* mesh = std::get_if<scene::FileMesh>(&body.mesh);
    if (mesh == nullptr) continue;
    mesh->tetrahedralize.tets = tets;
    // The same numbers would be of tetrahedra elsewhere.
    left_out += std::erase_if(body.regions, [](const scene::MaterialRegion& region) {
      return std::holds_alternative<std::vector<int>>(region.elements);
    });
  }
  if (left_out > 0) world_.messages.say("Other tetrahedra: what was marked as a region is to be marked again.");
  open(Source{[description] { return description; }, world_.stage->source().name});
}

// ---- panels, mouse, dialogs ----

void Controller::serve(const Requests& requests) {
  for (const auto& command : requests.commands) world_.stage->post(command);
  if (requests.integrator) world_.stage->post(session::SetIntegrator{*requests.integrator, true});
  for (const auto& [pane, command] : requests.pane_commands) world_.stage->post_to(pane, command);
  if (requests.remove_pane) world_.stage->remove_pane(*requests.remove_pane);
  if (requests.choose) world_.stage->choose(*requests.choose);
  if (requests.go_to) world_.stage->go_to(*requests.go_to);
  if (requests.speed) set_speed(*requests.speed);
  if (requests.open) open(*requests.open);
  if (requests.obstacle) add_obstacle(*requests.obstacle);
  listed_ = requests.marked_obstacle;
  world_.stage->show_modes(requests.shown_modes);
  world_.stage->show_field(world_.settings.colors);
  world_.stage->show_vertices(world_.mouse.box_armed() == BoxFor::region || world_.hand.waits_for_vertices());
  if (requests.pause) world_.stage->set_paused(true);
  if (requests.detail) reopen_with_detail(*requests.detail);
  for (const Action action : requests.actions) act(action);
}

void Controller::take(const MouseEvent& event, float pixel_ratio) {
  const auto hits_body = [&](const Vec2& at) {
    const Stage& stage = *world_.stage;
    return world_.hand.pick_gizmo(stage, at, pixel_ratio) || world_.hand.pick(stage.pointed_moment(), at, pixel_ratio) ||
           world_.hand.pick_obstacle(stage, at, pixel_ratio, event.ctrl);
  };
  carry_out(world_.mouse.on(event, hits_body, pixel_ratio), pixel_ratio);
}

void Controller::carry_out(const std::vector<Gesture>& gestures, float pixel_ratio) {
  for (const Gesture& gesture : gestures)
    world_.hand.carry_out(gesture, *world_.stage, world_.settings, pixel_ratio);
  // What was taken is what the panel shows, and what gets arrows.
  if (const auto held = world_.hand.held_obstacle()) chosen_obstacle_ = *held;
}

void Controller::take_answer(const FileDialog::Answer& answer) {
  if (answer.purpose == FileDialog::Purpose::obstacle) return add_obstacle(answer.file);
  if (answer.purpose == FileDialog::Purpose::open) {
    open(answer.file);
    return;
  }
  fs::path file = answer.file;
  if (answer.purpose == FileDialog::Purpose::save_run) {
    if (file.extension() != ".jsonl") file += ".jsonl";
    world_.exports.run(world_.stage->save_run(file), file);
    return;
  }
  if (file.extension() != ".json") file += ".json";
  world_.exports.scene(world_.stage->now().description, file);
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
