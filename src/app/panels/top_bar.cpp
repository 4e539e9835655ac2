// The bar across the top: what is open, how it runs, with which integrator.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <span>

#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/speeds.hpp"
#include "app/widgets.hpp"
#include "scene/files.hpp"
#include "scene/library.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> built_in_meshes() {
  std::vector<fs::path> meshes;
  std::error_code error;
  if (const auto assets = scene::assets_folder())
    for (const auto& file : fs::directory_iterator(*assets / "meshes", error))
      if (scene::is_mesh_file(file.path())) meshes.push_back(file.path());
  std::sort(meshes.begin(), meshes.end());
  return meshes;
}

void recent_files(Desk& desk) {
  if (desk.settings.recent.empty()) return;
  ImGui::Separator();
  muted_text(desk, "Opened last");
  for (const std::string& file : desk.settings.recent) {
    ImGui::PushID(file.c_str());
    if (ImGui::MenuItem(fs::path(file).filename().c_str())) desk.requests.open = file;
    ImGui::PopID();
    tooltip(desk, file);
  }
}

void scene_list(Desk& desk) {
  if (ImGui::MenuItem("All scenes, with pictures...", std::string(keys_of(Action::gallery)).c_str()))
    desk.requests.actions.push_back(Action::gallery);
  for (const auto& group : desk.scenes) {
    if (!ImGui::BeginMenu(group.name.c_str())) continue;
    for (const auto& [scene, hint, picture] : group.scenes) {
      if (ImGui::MenuItem(scene.title.c_str())) desk.requests.open = scene.file;
      tooltip(desk, scene.summary);
    }
    ImGui::EndMenu();
  }
  const auto meshes = built_in_meshes();
  if (!meshes.empty() && ImGui::BeginMenu("Meshes, hung by their top")) {
    for (const auto& mesh : meshes) {
      std::string name = mesh.stem().string();
      std::replace(name.begin(), name.end(), '_', ' ');
      if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
      if (ImGui::MenuItem(name.c_str())) desk.requests.open = mesh;
    }
    ImGui::EndMenu();
  }
  recent_files(desk);
  ImGui::Separator();
  for (const auto& [name, action] : {std::pair{"Open a file...", Action::open_file},
                                     {"Read the file again", Action::reload},
                                     {"Save the scene with these settings...", Action::save_scene},
                                     {"Save the run...", Action::save_run},
                                     {"Undo", Action::undo},
                                     {"Redo", Action::redo},
                                     {"Export plotted data (CSV)", Action::export_csv},
                                     {"Export the plots (SVG)", Action::export_plots},
                                     {"Screenshot", Action::screenshot},
                                     {"Record a video, or end it", Action::record},
                                     {"Film the last 10 s", Action::film_last},
                                     {"Quit", Action::quit}})
    if (ImGui::MenuItem(name, std::string(keys_of(action)).c_str())) desk.requests.actions.push_back(action);
}

// ImGui keeps the texture of the current font with the window, so each font has to be popped in the window that it was
// pushed in.
bool begin_bar_choice(Desk& desk, const char* id, const std::string& chosen, float points, bool prominent = false) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {desk.points(11), desk.points(7)});
  ImGui::PushFont(desk.fonts().strong);
  const bool open = begin_choice(desk, id, chosen, desk.points(points), prominent);
  ImGui::PopStyleVar();
  open ? ImGui::PushFont(desk.fonts().text) : ImGui::PopFont();
  return open;
}

void end_bar_choice() {
  ImGui::PopFont();
  ImGui::EndCombo();
  ImGui::PopFont();
}

void scene_menu(Desk& desk) {
  if (!begin_bar_choice(desk, "##scene", desk.now().description.name, 190)) return;
  scene_list(desk);
  end_bar_choice();
}

void integrator_menu(Desk& desk, float points) {
  const std::string& chosen = desk.now().description.integrator.type;
  if (!begin_bar_choice(desk, "##integrator", integrator_title(chosen), points, true)) {
    tooltip(desk, "The time integrator: switch while it moves, positions and velocities stay (keys 1 to 9)");
    return;
  }
  int number = 0;
  for (const auto& info : sim::integrators()) {
    const std::string key = ++number <= kIntegratorKeys ? std::to_string(number) : std::string();
    if (ImGui::MenuItem(info.title.data(), key.c_str(), info.id == chosen))
      desk.requests.integrator = std::string(info.id);
    tooltip(desk, info.what);
  }
  end_bar_choice();
}

void speed_menu(Desk& desk) {
  if (!begin_bar_choice(desk, "##speed", speed_text(desk.stage.speed()), 86)) {
    tooltip(desk, "Speed: simulated seconds a second (keys - and =)");
    return;
  }
  for (const double speed : kSpeeds)
    if (ImGui::Selectable(speed_text(speed).c_str(), speed == desk.stage.speed())) desk.requests.speed = speed;
  end_bar_choice();
}

void preparing_badge(Desk& desk) {
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + desk.points(4));
  badge(desk, "changing " + desk.now().preparing, desk.theme().text_muted);
  tooltip(desk,
          "A matrix is being factored beside the motion, which goes on as it was. The change takes effect, and is "
          "booked, as soon as that is done.");
}

void recording_badge(Desk& desk) {
  const RecordingStatus& r = desk.recording;
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + desk.points(4));
  if (r.finishing) {
    badge(desk, "writing the video", desk.theme().text_muted);
    return;
  }
  char time[32];
  const int minutes = static_cast<int>(r.seconds / 60);
  std::snprintf(time, sizeof time, "    %d:%04.1f", minutes, r.seconds - 60 * minutes);
  badge(desk, time, desk.theme().error);
  // The panels' font has no dot.
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImGui::GetWindowDrawList()->AddCircleFilled({low.x + desk.points(14), (low.y + high.y) / 2}, desk.points(4.5f),
                                              to_u32(desk.theme().error));
  tooltip(desk, "Recording " + r.file + ": " + std::to_string(r.pictures) +
                    " pictures of simulated time so far. Where drawing and encoding are slower than the simulation, it "
                    "waits for them: the video is smooth.");
}

void pace_badge(Desk& desk) {
  const auto& theme = desk.theme();
  const auto& now = desk.now();
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + desk.points(4));
  const double pace = now.real_time, wanted = desk.stage.speed();
  if (!now.failure.empty()) {
    badge(desk, "stopped", theme.error);
  } else if (desk.stage.paused()) {
    badge(desk, "paused", theme.text_muted);
  } else if (now.record.frame == 0) {
    badge(desk, "first frame", theme.text_muted);  // which may take long: how fast it is nobody knows yet
  } else if (pace < 0.93 * wanted && desk.recording.recording) {
    badge(desk, short_number(pace, 2) + "× real time", desk.theme().text_muted);
    tooltip(desk, "The simulation waits for the pictures of the video, which plays at the speed of simulated time.");
  } else if (pace < 0.93 * wanted) {
    badge(desk, short_number(pace, 2) + "× real time", theme.warning);
    tooltip(desk,
            "The steps take longer than the time they simulate: it runs at " + short_number(pace, 2) +
                " of real time where " + short_number(wanted, 2) +
                " was asked for. The results are the same as on a faster machine. Fewer iterations, a longer time "
                "step or a coarser mesh are quicker.");
  } else {
    badge(desk, wanted == 1 ? "real time" : short_number(wanted, 3) + "× speed", legible(desk, theme.series[1]));
  }
}

struct BarButton {
  Icon icon;
  Action action;
  bool active = false;
};

/// What there is no room for, in a list.
void overflow_menu(Desk& desk, std::span<const BarButton> hidden) {
  const float side = desk.points(32);
  if (ImGui::InvisibleButton("##more", {side, side})) ImGui::OpenPopup("##more actions");
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImU32 color = to_u32(ImGui::IsItemHovered() ? desk.theme().accent : desk.theme().text);
  for (const float aside : {-6.0f, 0.0f, 6.0f})
    ImGui::GetWindowDrawList()->AddCircleFilled({(low.x + high.x) / 2 + desk.points(aside), (low.y + high.y) / 2},
                                                desk.points(1.8f), color);
  tooltip(desk, "More");
  if (!ImGui::BeginPopup("##more actions")) return;
  for (const BarButton& button : hidden)
    if (ImGui::MenuItem(described(button.action).c_str(), nullptr, button.active))
      desk.requests.actions.push_back(button.action);
  ImGui::EndPopup();
}

void buttons_at_the_right(Desk& desk, const Rect& place, float y) {
  const std::array buttons = {BarButton{Icon::box, Action::box_pin, desk.box_armed == BoxFor::pins},
                              BarButton{Icon::wire, Action::toggle_wireframe, desk.settings.wireframe},
                              BarButton{desk.settings.dark ? Icon::sun : Icon::moon, Action::toggle_theme},
                              BarButton{Icon::camera, Action::screenshot},
                              BarButton{Icon::record, Action::record, desk.recording.recording},
                              BarButton{Icon::help, Action::help},
                              BarButton{Icon::panels, Action::toggle_panels}};
  const float side = desk.points(32), gap = desk.points(2), end = place.width - desk.points(10);
  const auto room = static_cast<std::ptrdiff_t>((end + gap - ImGui::GetCursorPosX()) / (side + gap));
  const auto all = static_cast<std::ptrdiff_t>(buttons.size());
  // The list takes the place of a button.
  const std::ptrdiff_t shown = room >= all ? all : std::max<std::ptrdiff_t>(room - 1, 0);
  const std::ptrdiff_t drawn = shown + (shown < all ? 1 : 0);
  ImGui::SetCursorPos({end - static_cast<float>(drawn) * (side + gap) + gap, y});
  // The first ones can be missed most easily.
  for (std::ptrdiff_t i = all - shown; i < all; ++i) {
    const BarButton& button = buttons[static_cast<std::size_t>(i)];
    action_button(desk, button.icon, button.action, button.active);
    ImGui::SameLine(0, gap);
    ImGui::SetCursorPosY(y);
  }
  if (shown < all) overflow_menu(desk, std::span(buttons).first(static_cast<std::size_t>(all - shown)));
}

}  // namespace

void top_bar(Desk& desk, const Rect& place) {
  if (place.empty()) return;
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(10), desk.points(8)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin("##top", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {desk.points(6), desk.points(6)});
  const float y = ImGui::GetCursorPosY();
  const auto next = [&](float gap = 6) {
    ImGui::SameLine(0, desk.points(gap));
    ImGui::SetCursorPosY(y);
  };
  scene_menu(desk);
  next(10);
  action_button(desk, desk.stage.paused() ? Icon::play : Icon::pause, Action::toggle_pause, desk.stage.paused());
  next(2);
  action_button(desk, Icon::step, Action::step);
  next(2);
  action_button(desk, Icon::reset, Action::reset);
  next(10);
  speed_menu(desk);
  next(10);
  // As far as there is room beside the list of what has none.
  const float end = place.width - desk.points(10 + 32 + 10);
  const float wanted = desk.points(place.width > desk.points(1000) ? 230 : 180);
  integrator_menu(desk, std::min(wanted, std::max(end - ImGui::GetCursorPosX(), desk.points(40))) / desk.points(1));
  next(10);
  if (ImGui::GetCursorPosX() + desk.points(100) < end) pace_badge(desk);
  if (desk.recording.recording || desk.recording.finishing) {
    next(8);
    recording_badge(desk);
  }
  if (!desk.now().preparing.empty()) {
    next(8);
    preparing_badge(desk);
  }

  ImGui::SameLine();
  buttons_at_the_right(desk, place, y);
  ImGui::PopStyleVar();
  ImGui::End();
  ImGui::PopStyleVar(3);
}

}  // namespace rebound::app
