// How things are shown.
#include <array>

#include "app/panels/panels.hpp"
#include "app/widgets.hpp"

namespace rebound::app {

void view_panel(Desk& desk) {
  if (!begin_section(desk, "View", false)) return;
  Settings& s = desk.settings;
  const float column = desk.points(140);
  ImGui::Checkbox("Wireframe", &s.wireframe);
  ImGui::SameLine(column);
  ImGui::Checkbox("Floor", &s.shows_floor);
  ImGui::Checkbox("Pins, handles", &s.shows_pins);
  ImGui::Checkbox("Contacts", &s.shows_contacts);
  tooltip(desk, described(Action::toggle_contacts));
  ImGui::SameLine(column);
  bool light = !s.dark;
  if (ImGui::Checkbox("Light theme", &light)) s.dark = !light;
  ImGui::Checkbox("Inside out", &s.shows_inside_out);
  tooltip(desk, "Marks solid elements that are turned inside out");
  ImGui::SameLine(column);
  bool follows = desk.follows;
  if (ImGui::Checkbox("Follow", &follows)) desk.requests.actions.push_back(Action::toggle_follow);
  tooltip(desk, described(Action::toggle_follow));
  constexpr std::array kColors = {"Plain", "Stress", "Strain", "Energy"};
  muted_text(desk, "Colours");
  if (const auto chosen = segmented(desk, "##colours", kColors, static_cast<int>(s.colors)))
    s.colors = static_cast<session::FieldKind>(*chosen);
  tooltip(desk, described(Action::next_colors));
  constexpr std::array kKinds = {"MP4", "WebM", "GIF", "PNGs"};
  ImGui::AlignTextToFramePadding();
  muted_text(desk, "Videos are recorded as");
  if (const auto kind = segmented(desk, "##video", kKinds, static_cast<int>(s.video)))
    s.video = static_cast<VideoKind>(*kind);
  const auto button = [&](const char* name, Action action) {
    if (ImGui::Button(name)) desk.requests.actions.push_back(action);
    tooltip(desk, described(action));
    ImGui::SameLine();
  };
  button("Front", Action::view_front);
  button("Side", Action::view_side);
  button("Top", Action::view_top);
  ImGui::NewLine();
  button("Frame", Action::frame_bodies);
  button("Home", Action::home_view);
  button("Unpin all", Action::unpin_all);
  ImGui::NewLine();
  end_section(desk);
}

}  // namespace rebound::app
