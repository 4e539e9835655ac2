// The strip under the picture: undo, the frames that can be gone back to, and the button that compares.
#include <algorithm>
#include <cmath>

#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/trouble.hpp"
#include "app/widgets.hpp"

namespace rebound::app {
namespace {

/// A track from the first frame that is kept to the last; dragging goes there.
void scrubber(Desk& desk, float width) {
  const session::Moment& moment = desk.stage.moment();
  const auto& theme = desk.theme();
  const float height = desk.points(24);
  ImGui::InvisibleButton("##scrubber", {std::max(width, 1.0f), height});
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const float radius = desk.points(7), left = low.x + radius, length = std::max(high.x - low.x - 2 * radius, 1.0f);
  const auto frames = static_cast<float>(std::max<std::int64_t>(moment.last - moment.first, 1));
  const float share = static_cast<float>(moment.frame - moment.first) / frames;
  const float middle = (low.y + high.y) / 2, x = left + length * std::clamp(share, 0.0f, 1.0f);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float half = desk.points(2);
  list.AddRectFilled({left, middle - half}, {left + length, middle + half}, to_u32(theme.panel_active), half);
  const render::Color& color = desk.stage.in_the_past() ? theme.warning : theme.accent;
  list.AddRectFilled({left, middle - half}, {x, middle + half}, to_u32(color), half);
  for (std::size_t pane = 0; pane < moment.panes.size(); ++pane) {
    const PaneNotes& notes = desk.stage.notes()[pane];
    const auto well = before_the_runaway(moment.panes[pane], notes.history);
    if (!well) continue;
    const float at =
        left + length * std::clamp(static_cast<float>(notes.started + well->frame - moment.first) / frames, 0.0f, 1.0f);
    list.AddLine({at, low.y + desk.points(3)}, {at, high.y - desk.points(3)}, to_u32(theme.error), desk.points(2));
  }
  const bool busy = ImGui::IsItemActive() || ImGui::IsItemHovered();
  list.AddCircleFilled({x, middle}, busy ? radius : desk.points(5.5f), to_u32(color));
  tooltip(desk, "Frames " + std::to_string(moment.first) + " to " + std::to_string(moment.last) +
                    " of the run are kept: drag to go back (Left and Right: 1 frame; Ctrl Left: the first). Red: where "
                    "it began to run away");
  if (!ImGui::IsItemActive() || moment.last == moment.first) return;
  const float wanted = std::clamp((ImGui::GetIO().MousePos.x - left) / length, 0.0f, 1.0f);
  const std::int64_t frame = moment.first + static_cast<std::int64_t>(std::lround(wanted * frames));
  if (frame != moment.frame) desk.requests.go_to = frame;
}

std::string place_text(const Desk& desk) {
  const session::Moment& moment = desk.stage.moment();
  // Counted from the last reset, as the time is.
  const std::int64_t started = desk.stage.notes()[desk.stage.chosen()].started;
  std::string text = (moment.replaying ? "replay, frame " : "frame ") + std::to_string(moment.frame - started);
  const std::int64_t last = moment.replaying ? desk.stage.source().run->last() : moment.last;
  if (moment.replaying || desk.stage.in_the_past()) text += " of " + std::to_string(last - started);
  // The chosen pane may stand still.
  double time = 0;
  for (const session::Snapshot& pane : moment.panes) time = std::max(time, pane.record.time);
  return text + ", " + short_number(time) + " s";
}

void compare_button(Desk& desk) {
  const bool full = desk.stage.pane_count() == session::Ensemble::kMostPanes;
  ImGui::BeginDisabled(full);
  if (ImGui::Button("+ Compare", {desk.points(92), desk.points(26)})) desk.requests.actions.push_back(Action::add_pane);
  ImGui::EndDisabled();
  tooltip(desk, full ? std::string("There can be six panes at most") : described(Action::add_pane));
}

}  // namespace

void timeline_strip(Desk& desk, const Rect& place) {
  if (place.empty()) return;
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(8), desk.points(3)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {desk.points(2), 0});
  ImGui::Begin("##timeline", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  const session::Moment& moment = desk.stage.moment();
  const bool many = desk.stage.pane_count() > 1;
  const float y = ImGui::GetCursorPosY(), gap = desk.points(8);
  action_button(desk, Icon::undo, Action::undo, false, moment.can_undo);
  ImGui::SameLine();
  action_button(desk, Icon::redo, Action::redo, false, moment.can_redo);
  ImGui::SameLine(0, gap);
  const float buttons = desk.points(92) + (many ? desk.points(34) : 0);
  // The widest that it becomes: the scrubber must not jump about.
  const char* widest = moment.replaying ? "replay, frame 00000 of 00000, 0000 s" : "frame 00000 of 00000, 0000 s";
  const ImFont& small = *desk.fonts().small;
  const float text = small.CalcTextSizeA(small.FontSize * ImGui::GetIO().FontGlobalScale, FLT_MAX, 0, widest).x;
  const float left = ImGui::GetCursorPosX(), right = place.width - desk.points(8) - buttons;
  const bool has_text = right - left - text > desk.points(120);
  ImGui::SetCursorPosY(y + desk.points(4));
  scrubber(desk, right - left - gap - (has_text ? text + gap : 0));
  if (has_text) {
    ImGui::SameLine(0, gap);
    ImGui::PushFont(desk.fonts().small);
    ImGui::SetCursorPosY(y + (desk.points(32) - ImGui::GetTextLineHeight()) / 2);
    colored_text(desk.stage.in_the_past() ? desk.theme().warning : desk.theme().text_muted, place_text(desk));
    ImGui::PopFont();
  }
  ImGui::SameLine(right);
  ImGui::SetCursorPosY(y);
  if (many) {
    action_button(desk, Icon::layers, Action::toggle_overlaid, desk.settings.overlaid);
    ImGui::SameLine();
  }
  ImGui::SetCursorPosY(y + desk.points(3));
  compare_button(desk);
  ImGui::End();
  ImGui::PopStyleVar(4);
}

}  // namespace rebound::app
