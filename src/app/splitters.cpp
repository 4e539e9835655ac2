#include "app/splitters.hpp"

#include <algorithm>

namespace rebound::app {
namespace {

/// How far the strip was dragged along its short side.
float drag(const Desk& desk, const char* id, const Rect& strip) {
  const bool upright = strip.width < strip.height;
  ImGui::SetNextWindowPos({strip.x, strip.y});
  ImGui::SetNextWindowSize({strip.width, strip.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin(id, nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBackground);
  ImGui::InvisibleButton("##edge", {strip.width, strip.height});
  const bool active = ImGui::IsItemActive();
  if (active || ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
    const ImVec2 low{strip.x, strip.y}, high{strip.x + strip.width, strip.y + strip.height};
    ImGui::GetForegroundDrawList()->AddRectFilled(low, high,
                                                  to_u32(desk.theme().accent.with_alpha(active ? 0.8f : 0.4f)));
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  if (!active) return 0;
  return upright ? ImGui::GetIO().MouseDelta.x : ImGui::GetIO().MouseDelta.y;
}

}  // namespace

void move_splitters(Desk& desk, const Layout& layout) {
  const float width = desk.points(4);
  if (!layout.side.empty()) {
    const float moved =
        drag(desk, "##side edge", {layout.side.x - width / 2, layout.side.y, width, layout.side.height});
    desk.settings.side_width =
        std::clamp(layout.side.width / desk.style.unit() - moved / desk.style.unit(), 250.0f, 900.0f);
  }
  if (!layout.plots.empty()) {
    const float moved =
        drag(desk, "##plots edge", {layout.plots.x, layout.plots.y - width / 2, layout.plots.width, width});
    desk.settings.plots_height =
        std::clamp(layout.plots.height / desk.style.unit() - moved / desk.style.unit(), 110.0f, 900.0f);
  }
}

}  // namespace rebound::app
