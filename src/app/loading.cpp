#include "app/loading.hpp"

#include <algorithm>

namespace rebound::app {

bool loading_card(const Style& style, const Rect& picture, const std::string& name,
                  const session::Loader::Status& status) {
  const float unit = style.unit();
  ImGui::SetNextWindowPos({picture.x + picture.width / 2, picture.y + picture.height / 2}, ImGuiCond_Always,
                          {0.5f, 0.5f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {18 * unit, 14 * unit});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, unit);
  ImGui::Begin("##loading", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  ImGui::PushFont(style.fonts().strong);
  ImGui::TextUnformatted(("Opening " + name).c_str());
  ImGui::PopFont();
  const std::string stage = status.stage.empty() ? "reading" : status.stage;
  ImGui::ProgressBar(static_cast<float>(std::clamp(status.fraction, 0.0, 1.0)), {300 * unit, 6 * unit}, "");
  ImGui::AlignTextToFramePadding();
  ImGui::TextDisabled("%s", stage.c_str());
  ImGui::SameLine(300 * unit - 60 * unit);
  const bool cancelled = ImGui::Button("Cancel", {78 * unit, 0});
  ImGui::End();
  ImGui::PopStyleVar(2);
  return cancelled;
}

}  // namespace rebound::app
