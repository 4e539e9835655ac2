// The side panel: its sections, in the order of their use.
#include "app/panels/panels.hpp"

namespace rebound::app {

void side_panel(Desk& desk, const Rect& place) {
  if (place.empty()) return;
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(10), desk.points(4)});
  ImGui::Begin("##side", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  integrator_panel(desk);
  ledger_panel(desk);
  solver_panel(desk);
  material_panel(desk);
  forces_panel(desk);
  contacts_panel(desk);
  obstacles_panel(desk);
  modes_panel(desk);
  solve_trace_panel(desk);
  budget_panel(desk);
  view_panel(desk);
  scene_panel(desk);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace rebound::app
