// Damping, gravity and the pull of the mouse.
#include <array>

#include "app/panels/panels.hpp"
#include "app/widgets.hpp"

namespace rebound::app {
namespace {

void damping_rows(Desk& desk) {
  scene::Damping damping = desk.now().description.damping;
  if (const auto k = range_field(desk, "Damping", "damping.coefficient", damping.coefficient)) {
    damping.coefficient = *k;
    desk.requests.commands.push_back(session::SetDamping{damping});
  }
  row_label(desk, "  taken", "A share a second is the same whatever the time step; a share a frame is the paper's");
  for (const char* per : {"frame", "second"}) {
    if (ImGui::RadioButton((std::string("a ") + per).c_str(), damping.per == per) && damping.per != per) {
      damping.per = per;
      desk.requests.commands.push_back(session::SetDamping{damping});
    }
    ImGui::SameLine();
  }
  ImGui::NewLine();
}

struct World {
  const char* name;
  double g;  // m/s^2
};
constexpr std::array kWorlds = {World{"None", 0}, World{"Moon", -1.62}, World{"Earth", -9.81}, World{"Jupiter", -24.8}};

void gravity_rows(Desk& desk) {
  const auto& g = desk.now().description.gravity;
  if (const auto y = range_field(desk, "Gravity, up", "gravity", g[1]))
    desk.requests.commands.push_back(session::SetGravity{{g[0], *y, g[2]}});
  const float gap = desk.points(4);
  const float width = (ImGui::GetContentRegionAvail().x - gap * (kWorlds.size() - 1)) / kWorlds.size();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, desk.points(6)});
  for (std::size_t i = 0; i < kWorlds.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    const bool chosen = g[0] == 0 && g[1] == kWorlds[i].g && g[2] == 0;
    if (chosen) ImGui::PushStyleColor(ImGuiCol_Button, to_vec4(desk.theme().panel_active));
    if (ImGui::Button(kWorlds[i].name, {width, 0}))
      desk.requests.commands.push_back(session::SetGravity{{0, kWorlds[i].g, 0}});
    if (chosen) ImGui::PopStyleColor();
  }
  ImGui::PopStyleVar();
}

}  // namespace

void forces_panel(Desk& desk) {
  if (!begin_section(desk, "Damping and gravity")) return;
  damping_rows(desk);
  gravity_rows(desk);
  if (const auto s = range_field(desk, "Mouse strength", "grab.strength", desk.settings.grab_strength))
    desk.settings.grab_strength = *s;
  end_section(desk);
}

}  // namespace rebound::app
