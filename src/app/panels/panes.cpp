// The heads of panes that are compared: which method each has, how its energy does, and the way out.
#include <algorithm>
#include <cmath>

#include "app/icons.hpp"
#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/seen.hpp"
#include "app/trouble.hpp"
#include "app/widgets.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

constexpr float kHeight = 36, kMargin = 6, kEnergyWidth = 205, kWidest = 440, kLeastInline = 410;  // points

void integrator_choice(Desk& desk, std::size_t place, float width) {
  const PaneNotes& notes = desk.stage.notes()[place];
  const std::string& chosen = desk.stage.moment().panes[place].description.integrator.type;
  if (!begin_choice(desk, "##method", notes.name, width)) {
    tooltip(desk, "The integrator of this pane alone: positions and velocities stay");
    return;
  }
  for (const auto& info : sim::integrators()) {
    if (ImGui::MenuItem(info.title.data(), nullptr, info.id == chosen))
      desk.requests.pane_commands.push_back({notes.id, session::SetIntegrator{std::string(info.id), true}});
    tooltip(desk, info.what);
  }
  ImGui::EndCombo();
}

/// Panes make frames together. Where their time steps differ, each is at a time of its own.
bool clocks_differ(const Desk& desk) {
  const auto& panes = desk.stage.moment().panes;
  return std::any_of(panes.begin(), panes.end(), [&](const session::Snapshot& pane) {
    return std::abs(pane.record.time - panes.front().record.time) > 0.1 * pane.description.timeStep;
  });
}

/// right: where it ends; 0: it begins here. What does not fit into the room is left off, not cut: 130 J would be 13.
void energy(const Desk& desk, const session::Snapshot& moment, float right, float room) {
  const session::FrameRecord& r = moment.record;
  const double off = r.measured.total() - r.target;
  const bool wild = !moment.failure.empty() || !(std::abs(off) < 0.5 * r.scale);
  const bool moves = unseen_share(moment) <= kUnseen;
  const std::string seen = seen_text(moment);
  const bool away = runs_away(r), has_own_time = clocks_differ(desk);
  ImGui::PushFont(desk.fonts().small);
  std::string text = away ? times_text(r) : with_unit(without_rounding(r.measured.total(), r.scale), "J");
  if (has_own_time) text = with_unit(r.time, "s", 3) + "  " + text;
  const auto add = [&](const std::string& more) {
    if (ImGui::CalcTextSize((text + more).c_str()).x > room) return false;
    text += more;
    return true;
  };
  const bool fits = away || add(" / " + with_unit(without_rounding(r.target, r.scale), "J"));
  if (!away && fits && r.seen) add("  seen " + with_unit(r.seen->kinetic, "J", 2));
  if (right > 0) ImGui::SetCursorPosX(right - ImGui::CalcTextSize(text.c_str()).x);
  colored_text(wild ? desk.theme().error : moves ? desk.theme().text_muted : legible(desk, desk.theme().warning), text);
  ImGui::PopFont();
  tooltip(desk,
          "Energy now / what the ledger says should be there\n" + seen +
              (has_own_time ? "\nPanes make frames together: with another time step, it is at another time" : ""));
}

/// A small cross; true when it was clicked.
bool close_button(const Desk& desk) {
  const float side = ImGui::GetFrameHeight();
  const bool clicked = ImGui::InvisibleButton("##close", {side, side});
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  draw_icon(*ImGui::GetWindowDrawList(), Icon::cross, {(low.x + high.x) / 2, (low.y + high.y) / 2}, desk.points(5),
            to_u32(ImGui::IsItemHovered() ? desk.theme().error : desk.theme().text_muted), desk.points(1.6f));
  tooltip(desk, "Remove this pane");
  return clicked;
}

float head_width(const Desk& desk, const Rect& place) {
  return std::min(place.width - 2 * desk.points(kMargin), desk.points(kWidest));
}

bool is_one_line(const Desk& desk, float width) { return width >= desk.points(kLeastInline); }

void header(Desk& desk, std::size_t place, ImVec2 at, float width) {
  const PaneNotes& notes = desk.stage.notes()[place];
  const session::Snapshot& moment = desk.stage.moment().panes[place];
  const auto& theme = desk.theme();
  const render::Color color = legible(desk, theme.series[pane_series(notes.color)]);
  const bool chosen = place == desk.stage.chosen(), one_line = is_one_line(desk, width);
  const float gap = desk.points(6), side = ImGui::GetFrameHeight();
  ImGui::SetNextWindowPos(at);
  ImGui::SetNextWindowSize({width, desk.points(one_line ? kHeight : kHeight + 18)});
  ImGui::SetNextWindowBgAlpha(0.86f);
  ImGui::PushStyleColor(ImGuiCol_Border, to_vec4(chosen ? color : theme.outline.with_alpha(0.5f)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, desk.points(chosen ? 2 : 1));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {gap, desk.points(4)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, desk.points(2)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::Begin(("##pane" + std::to_string(notes.id)).c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus);
  const ImVec2 dot = ImGui::GetCursorScreenPos();
  ImGui::Dummy({desk.points(8), side});
  ImGui::GetWindowDrawList()->AddRectFilled({dot.x, dot.y + desk.points(3)},
                                            {dot.x + desk.points(6), dot.y + side - desk.points(3)}, to_u32(color),
                                            desk.points(2));
  ImGui::SameLine();
  const float beside = (one_line ? desk.points(kEnergyWidth) + gap : 0) + side + gap;
  integrator_choice(desk, place, std::max(ImGui::GetContentRegionAvail().x - beside, desk.points(20)));
  if (one_line) {
    ImGui::SameLine();
    energy(desk, moment, width - side - 2 * gap, desk.points(kEnergyWidth));
  }
  ImGui::SameLine(width - side - gap);
  ImGui::SetCursorPosY(desk.points(4));
  if (close_button(desk)) desk.requests.remove_pane = notes.id;
  if (!one_line) energy(desk, moment, 0, width - 2 * gap);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && ImGui::IsMouseClicked(0))
    desk.requests.choose = place;
  ImGui::End();
  ImGui::PopStyleVar(4);
  ImGui::PopStyleColor();
}

}  // namespace

void pane_headers(Desk& desk, std::span<const Rect> places) {
  const std::size_t count = desk.stage.pane_count();
  if (count < 2) return;
  const float margin = desk.points(kMargin);
  for (std::size_t i = 0; i < count; ++i) {
    const bool own = places.size() > 1;
    if (own && i >= places.size()) break;
    const Rect& place = places[own ? i : 0];
    if (place.width < desk.points(90) || place.height < desk.points(60)) continue;
    const float drop = own ? 0 : static_cast<float>(i) * pane_head_height(desk, place);
    header(desk, i, {place.x + margin, place.y + margin + drop}, head_width(desk, place));
  }
}

float pane_head_height(const Desk& desk, const Rect& place) {
  return desk.points(kMargin + (is_one_line(desk, head_width(desk, place)) ? kHeight : kHeight + 18));
}

float pane_heads_reach(const Desk& desk, std::span<const Rect> places) {
  const std::size_t panes = desk.stage.pane_count();
  if (panes < 2 || places.empty()) return 0;
  const Rect& place = places.front();
  if (places.size() > 1) return pane_head_height(desk, place);
  // One over another in a corner of the one picture.
  return 2 * head_width(desk, place) < place.width ? 0 : static_cast<float>(panes) * pane_head_height(desk, place);
}

}  // namespace rebound::app
