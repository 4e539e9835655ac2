// What a newcomer is told of a scene: what it is, and what to try. It stays until the first drag.
#include <algorithm>

#include "app/panels/panels.hpp"
#include "app/widgets.hpp"

namespace rebound::app {

void scene_hint(Desk& desk, const Rect& picture, const Rect& plots, SceneHint& hint, std::span<const Rect> taken) {
  if (!hint.shown || picture.empty()) return;
  constexpr float kWidth = 400, kMargin = 14;
  const std::string& summary = desk.now().description.summary;
  const float wrap = std::min(desk.points(kWidth), picture.width - desk.points(60));
  if (wrap < desk.points(120)) return;
  // Its height is known once it has been drawn.
  const auto place = hint.at.height > 0
                         ? hint.place.find(picture, wrap + desk.points(28), hint.at.height, desk.points(kMargin), taken)
                         : std::nullopt;
  const Rect& room = plots.empty() ? picture : plots;
  // Who compares wants the charts, and is no newcomer.
  if (hint.at.height > 0 && !place && desk.stage.pane_count() > 1) return;
  // At the right end: the chart of the energy is on the left.
  const ImVec2 at =
      place ? ImVec2(place->x, place->y)
            : ImVec2(room.x + room.width - desk.points(kMargin), room.y + room.height - desk.points(kMargin));
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, place ? ImVec2(0, 0) : ImVec2(1, 1));
  ImGui::PushStyleColor(ImGuiCol_Border, to_vec4(desk.theme().outline));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, desk.points(1));
  ImGui::SetNextWindowBgAlpha(place ? 0.85f : 1.0f);
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing |
                                      ImGuiWindowFlags_NoNav;
  // A window of this kind is made behind all others. Over the picture there are none; the charts would cover it.
  if (place)
    ImGui::Begin("##hint", nullptr, kFlags | ImGuiWindowFlags_NoBringToFrontOnFocus);
  else
    ImGui::Begin("##hint over charts", nullptr, kFlags);
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + wrap);
  if (!summary.empty()) ImGui::TextUnformatted(summary.c_str());
  if (!hint.to_try.empty()) colored_text(desk.theme().accent, "Try this: " + hint.to_try);
  if (hint.first || (summary.empty() && hint.to_try.empty()))
    colored_text(desk.theme().text_muted,
                 "Drag a body to pull it, anywhere else to turn the view. F1 lists the keys, F2 shows all scenes.");
  ImGui::PopTextWrapPos();
  hint.at = {ImGui::GetWindowPos().x, ImGui::GetWindowPos().y, ImGui::GetWindowWidth(), ImGui::GetWindowHeight()};
  if (ImGui::IsWindowHovered() && ImGui::IsMouseClicked(0)) hint.shown = false;
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace rebound::app
