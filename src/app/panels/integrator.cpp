// The list of integrators, straight from the registry. A switch keeps positions and velocities.
#include "app/panels/panels.hpp"
#include "app/widgets.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

/// A row with a key cap; true when it was clicked.
bool row(const Desk& desk, const sim::IntegratorInfo& info, int number, bool chosen) {
  const auto& theme = desk.theme();
  const ImVec2 size{ImGui::GetContentRegionAvail().x, desk.points(27)};
  const bool clicked = ImGui::InvisibleButton(info.id.data(), size);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (chosen || ImGui::IsItemHovered())
    list.AddRectFilled(low, high, to_u32(chosen ? theme.accent.with_alpha(0.16f) : theme.panel_raised), desk.points(5));
  if (chosen) list.AddRectFilled(low, {low.x + desk.points(3), high.y}, to_u32(theme.accent), desk.points(2));
  const float text_y = (low.y + high.y - ImGui::GetTextLineHeight()) / 2;
  if (chosen) ImGui::PushFont(desk.fonts().strong);
  list.AddText({low.x + desk.points(11), text_y}, to_u32(theme.text), info.title.data());
  if (chosen) ImGui::PopFont();
  if (number <= kIntegratorKeys) {
    const std::string key = std::to_string(number);
    const ImVec2 extent = ImGui::CalcTextSize(key.c_str());
    list.AddText({high.x - extent.x - desk.points(9), text_y}, to_u32(theme.text_muted), key.c_str());
  }
  tooltip(desk, info.what);
  return clicked;
}

}  // namespace

void integrator_panel(Desk& desk) {
  if (!begin_section(desk, "Integrator")) return;
  const std::string& chosen = desk.now().description.integrator.type;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, desk.points(1)});
  int number = 0;
  for (const auto& info : sim::integrators())
    if (row(desk, info, ++number, info.id == chosen)) desk.requests.integrator = std::string(info.id);
  ImGui::PopStyleVar();
  if (const auto* info = sim::find_integrator(chosen)) {
    ImGui::Dummy({0, desk.points(1)});
    muted_text(desk, std::string(info->what), 2);
  }
  end_section(desk);
}

}  // namespace rebound::app
