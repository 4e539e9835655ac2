// What lies over the picture: trouble, what the mouse is about to do, the list of keys.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/hand.hpp"
#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/trouble.hpp"
#include "app/widgets.hpp"
#include "scene/constraints.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

constexpr ImGuiWindowFlags kFloating = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoFocusOnAppearing |
                                       ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBringToFrontOnFocus;

enum class Corner { top, lower_right };

void begin_banner(const Desk& desk, const char* id, const Rect& picture, const render::Color& color,
                  Corner corner = Corner::top) {
  const auto& theme = desk.theme();
  const ImVec2 top{picture.x + picture.width / 2, picture.y + desk.points(14)};
  const ImVec2 lower{picture.x + picture.width - desk.points(12), picture.y + picture.height - desk.points(12)};
  const bool is_top = corner == Corner::top;
  ImGui::SetNextWindowPos(is_top ? top : lower, ImGuiCond_Always, is_top ? ImVec2(0.5f, 0) : ImVec2(1, 1));
  ImGui::SetNextWindowSizeConstraints({0, 0}, {std::max(picture.width - desk.points(24), desk.points(60)), 1e6f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, to_vec4(render::mix(theme.panel, color, 0.14f)));
  ImGui::PushStyleColor(ImGuiCol_Border, to_vec4(color.with_alpha(0.6f)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, desk.points(1));
  ImGui::Begin(id, nullptr, kFloating);
}

/// Returns where it is.
Rect end_banner() {
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(2);
  return {at.x, at.y, size.x, size.y};
}

/// The first of the registry is the one that the program is about.
/// Of those that this scene may have.
const sim::IntegratorInfo& safest(const scene::Description& d) {
  const auto may_have = [&](const sim::IntegratorInfo& info) {
    return !scene::hard_constraint_fault(d, info.id, d.solver.type) &&
           std::ranges::none_of(d.obstacles, [&](const scene::Obstacle& obstacle) {
             return scene::constraint_fault(obstacle, info.id, d.solver.type).has_value();
           });
  };
  const auto all = sim::integrators();
  const auto found = std::ranges::find_if(all, may_have);
  return found != all.end() ? *found : all.front();
}

/// The run's frame just before it ran away; nothing where that is not kept any more.
std::optional<std::int64_t> before_it_broke(const Desk& desk, std::size_t pane) {
  const PaneNotes& notes = desk.stage.notes()[pane];
  const session::Moment& moment = desk.stage.moment();
  const auto well = before_the_runaway(moment.panes[pane], notes.history);
  if (!well) return std::nullopt;
  return std::max(moment.first, notes.started + well->frame);
}

void back_button(Desk& desk, std::size_t pane) {
  const auto frame = before_it_broke(desk, pane);
  if (!frame) return;
  if (ImGui::Button("Back")) desk.requests.go_to = *frame;
  note_place(desk, "back");
  tooltip(desk, "To just before it ran away (frame " + std::to_string(*frame - desk.stage.notes()[pane].started) +
                    "), paused: see how it came, change something and go on from there");
}

/// Where there is no room for more.
Rect short_banner(Desk& desk, std::size_t pane, const Rect& place, const std::string& text) {
  const bool stopped = !desk.stage.moment().panes[pane].failure.empty();
  const std::string id = "##trouble" + std::to_string(desk.stage.notes()[pane].id);
  begin_banner(desk, id.c_str(), place, desk.theme().error);
  ImGui::AlignTextToFramePadding();
  colored_text(desk.theme().error, stopped ? "Stopped" : times_text(desk.stage.moment().panes[pane].record));
  tooltip(desk, text);
  ImGui::SameLine();
  back_button(desk, pane);
  return end_banner();
}

Rect trouble_banner(Desk& desk, std::size_t pane, const Rect& place, const std::string& text) {
  const PaneNotes& notes = desk.stage.notes()[pane];
  begin_banner(desk, ("##trouble" + std::to_string(notes.id)).c_str(), place, desk.theme().error);
  ImGui::PushTextWrapPos(std::max(place.width - desk.points(60), desk.points(40)));
  colored_text(desk.theme().error, text);
  ImGui::PopTextWrapPos();
  const session::Snapshot& seen = desk.stage.moment().panes[pane];
  if (!seen.crossing) {
    back_button(desk, pane);
    ImGui::SameLine();
  } else {
    if (ImGui::Button("Push apart")) desk.requests.pane_commands.push_back({notes.id, session::PushApart{}});
    tooltip(desk, "Moves what passes through something to where it does not");
    ImGui::SameLine();
    if (ImGui::Button("Meet by springs")) {
      scene::BodyContact springs = seen.description.contact;
      springs.type = "springs";
      desk.requests.pane_commands.push_back({notes.id, session::SetContact{springs}});
    }
    tooltip(desk, "Springs push out what has sunk in, and may begin anywhere");
    ImGui::SameLine();
  }
  if (ImGui::Button("Reset")) desk.requests.actions.push_back(Action::reset);
  tooltip(desk, described(Action::reset));
  const auto& safe = safest(seen.description);
  const std::string title = "Switch to " + std::string(safe.title);
  const bool fits = place.width > desk.points(220) + ImGui::CalcTextSize(title.c_str()).x;
  if (fits && !seen.crossing && notes.integrator != safe.id) {
    ImGui::SameLine();
    if (ImGui::Button(title.c_str()))
      desk.requests.pane_commands.push_back({notes.id, session::SetIntegrator{std::string(safe.id), true}});
    tooltip(desk, safe.what);
  }
  return end_banner();
}

void help_group(const Desk& desk, std::string_view group) {
  ImGui::PushFont(desk.fonts().strong);
  colored_text(desk.theme().accent, std::string(group));
  ImGui::PopFont();
  for (const Shortcut& row : shortcuts()) {
    if (row.group != group || row.what.empty()) continue;
    colored_text(desk.theme().text_muted, std::string(row.keys));
    ImGui::SameLine(desk.points(108));
    ImGui::TextUnformatted(row.what.data(), row.what.data() + row.what.size());
  }
  ImGui::Dummy({0, desk.points(6)});
}

/// The room for banners where panes lie over one another: to the right of their heads if that is wide enough.
Rect beside_heads(const Desk& desk, const Rect& place, std::size_t count, float drop) {
  if (count == 1) return {place.x, place.y + drop, place.width, place.height};
  const float heads = desk.points(392), least = desk.points(320);
  if (place.width - heads >= least) return {place.x + heads, place.y + drop, place.width - heads, place.height};
  return {place.x, place.y + drop + static_cast<float>(count) * pane_head_height(desk, place), place.width,
          place.height};
}

}  // namespace

std::vector<Rect> trouble_banners(Desk& desk, std::span<const Rect> places) {
  std::vector<Rect> banners;
  const std::size_t count = desk.stage.pane_count();
  const bool own = places.size() > 1;
  float drop = 0;
  for (std::size_t i = 0; i < count && i < (own ? places.size() : count); ++i) {
    const Rect& place = places[own ? i : 0];
    const std::string text = trouble(desk.stage.moment().panes[i]);
    if (text.empty() || place.empty()) continue;
    if (own) {
      const bool small = place.width < desk.points(480) || place.height < desk.points(320);
      const Rect below{place.x, place.y + pane_head_height(desk, place) - desk.points(4), place.width, place.height};
      banners.push_back(small ? short_banner(desk, i, below, text) : trouble_banner(desk, i, below, text));
      continue;
    }
    const std::string whose = count > 1 ? desk.stage.notes()[i].name + ": " : "";
    banners.push_back(trouble_banner(desk, i, beside_heads(desk, place, count, drop), whose + text));
    drop += banners.back().height + desk.points(6);
  }
  return banners;
}

void failure_rings(const Desk& desk, std::span<const Rect> places, const render::Camera& camera, float density) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const float unit = desk.points(1);
  for (std::size_t pane = 0; pane < desk.stage.pane_count(); ++pane) {
    const auto& at = desk.stage.moment().panes[pane].failure_at;
    if (!at || (places.size() > 1 && pane >= places.size())) continue;
    const Rect& place = places[places.size() > 1 ? pane : 0];
    if (place.empty()) continue;
    const auto [pixel, depth] = camera.project(at->cast<float>());
    const render::Vec2 middle(place.x + place.width / 2, place.y + place.height / 2);
    render::Vec2 centre = render::Vec2(place.x, place.y) + pixel / density;
    const bool in_sight = depth > 0 && place.contains(centre.x(), centre.y());
    if (!in_sight) {
      const render::Vec2 way = depth > 0 ? render::Vec2(centre - middle) : render::Vec2(middle - centre);
      const render::Vec2 reach = render::Vec2(place.width, place.height) / 2 - render::Vec2::Constant(20 * unit);
      centre = middle + way * reach.cwiseQuotient(way.cwiseAbs().cwiseMax(1e-3f)).minCoeff();
    }
    const ImVec2 at_pixel{centre.x(), centre.y()};
    list.AddCircle(at_pixel, 12 * unit, to_u32(desk.theme().panel), 0, 5 * unit);
    list.AddCircle(at_pixel, 12 * unit, to_u32(desk.theme().text), 0, 2.5f * unit);
    if (in_sight) continue;
    const render::Vec2 ahead = 8 * unit * (centre - middle).normalized(), aside(-ahead.y(), ahead.x());
    const auto corner = [&](const render::Vec2& offset) {
      return ImVec2(centre.x() + offset.x(), centre.y() + offset.y());
    };
    list.AddTriangleFilled(corner(ahead), corner(0.7f * (aside - ahead)), corner(-0.7f * (aside + ahead)),
                           to_u32(desk.theme().text));
  }
}

void hand_marks(const Desk& desk, std::span<const Rect> places, const render::Camera& camera, float density,
                std::span<const render::Vec3> hovered) {
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const auto window_place = [&](const Rect& place, const render::Vec3& at) -> std::optional<ImVec2> {
    const auto [pixel, depth] = camera.project(at);
    const ImVec2 there{place.x + pixel.x() / density, place.y + pixel.y() / density};
    return depth > 0 && place.contains(there.x, there.y) ? std::optional(there) : std::nullopt;
  };
  for (std::size_t pane = 0; pane < desk.stage.pane_count(); ++pane) {
    if (places.size() > 1 && pane >= places.size()) break;
    const Rect& place = places[places.size() > 1 ? pane : 0];
    const bool shown = places.size() > 1 || pane == desk.stage.chosen();
    if (place.empty() || !shown) continue;
    const auto& grab = desk.stage.moment().panes[pane].grab;
    const auto mark = [&](const ImVec2& at, float size) {
      list.AddCircleFilled(at, desk.points(0.54f * size), to_u32(desk.theme().text));
      list.AddCircle(at, desk.points(size), to_u32(desk.theme().panel), 0, desk.points(0.3f * size));
    };
    if (!grab && pane == desk.stage.pointed())
      for (std::size_t i = 0; i < hovered.size(); ++i)
        if (const auto at = window_place(place, hovered[i])) mark(*at, i == 0 ? 6.5f : 4);
    if (!grab) continue;
    for (const auto& point : grab->around)
      if (const auto at = window_place(place, point.cast<float>())) mark(*at, 4);
    const auto hand = window_place(place, grab->target.cast<float>());
    if (!hand) continue;
    const std::string text = with_unit(grab->force, "N");
    const ImVec2 extent = ImGui::CalcTextSize(text.c_str()), at{hand->x + desk.points(12), hand->y - extent.y / 2};
    list.AddRectFilled({at.x - desk.points(4), at.y - desk.points(2)},
                       {at.x + extent.x + desk.points(4), at.y + extent.y + desk.points(2)},
                       to_u32(desk.theme().panel.with_alpha(0.75f)), desk.points(4));
    list.AddText(at, to_u32(desk.theme().text), text.c_str());
  }
}

void obstacle_handles(const Desk& desk, std::span<const Rect> places, const render::Camera& camera, float density,
                      const std::optional<GizmoPart>& lit) {
  const int chosen = desk.chosen_obstacle;
  if (chosen < 0 || static_cast<std::size_t>(chosen) >= desk.stage.pointed_moment().obstacles.size()) return;
  const render::Vec3 centre = Hand::gizmo_centre(desk.stage, chosen);
  if (!(camera.project(centre).depth > 0)) return;
  const Gizmo gizmo(camera, centre, density * desk.points(1));
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  for (const Rect& place : places) {
    if (place.empty()) continue;
    list.PushClipRect({place.x, place.y}, {place.x + place.width, place.y + place.height});
    for (const GizmoPart& part : kGizmoParts) {
      // As axes are coloured everywhere: x red, y green, z blue.
      constexpr std::array kAxes{0xE5604Du, 0x5FB85Fu, 0x5B8DEFu};
      const render::Color axis = render::color_from_hex(kAxes[static_cast<std::size_t>(part.axis)]);
      const ImU32 color = to_u32(lit == part ? desk.theme().text : axis.with_alpha(part.turns ? 0.75f : 1));
      std::vector<ImVec2> line;
      for (const Vec2& pixel : gizmo.line(part))
        line.emplace_back(place.x + pixel.x() / density, place.y + pixel.y() / density);
      list.AddPolyline(line.data(), static_cast<int>(line.size()), color, 0, desk.points(lit == part ? 3.5f : 2));
      if (!part.turns) list.AddCircleFilled(line.back(), desk.points(5), color);
    }
    list.PopClipRect();
  }
}

void mode_hint(Desk& desk, const Rect& picture) {
  if (picture.empty()) return;
  if (desk.box_armed != BoxFor::nothing) {
    const std::size_t panes = desk.stage.pane_count();
    const float heads = panes < 2 ? 0 : pane_head_height(desk, picture) * (desk.settings.overlaid ? panes : 1);
    const Rect below{picture.x, picture.y + heads, picture.width, picture.height - heads};
    begin_banner(desk, "##mode", below, desk.theme().pin);
    ImGui::TextUnformatted(desk.box_armed == BoxFor::pins
                               ? "Drag a box round what should be pinned; hold Ctrl to unpin. Esc leaves."
                               : "Drag a box round what should be of another material. Esc leaves.");
    end_banner();
  }
  if (!desk.stage.in_the_past()) return;
  begin_banner(desk, "##past", picture, desk.theme().warning, Corner::lower_right);
  ImGui::PushTextWrapPos(std::max(picture.width - desk.points(60), desk.points(40)));
  ImGui::TextUnformatted("The past: going on from here begins a branch.");
  ImGui::PopTextWrapPos();
  end_banner();
}

void help_overlay(Desk& desk, const Rect& picture, bool& open) {
  if (!open || picture.empty()) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSizeConstraints({0, 0}, {display.x * 0.96f, display.y * 0.94f});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(24), desk.points(18)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, desk.points(1));
  ImGui::Begin("##help", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushFont(desk.fonts().title);
  ImGui::TextUnformatted("Mouse and keys");
  ImGui::PopFont();
  ImGui::Dummy({0, desk.points(4)});
  constexpr float kTwoColumns = 860;  // points
  const int columns = display.x * 0.96f >= desk.points(kTwoColumns) ? 2 : 1;
  if (ImGui::BeginTable("keys", columns, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableNextColumn();
    ImGui::PushFont(desk.fonts().strong);
    colored_text(desk.theme().accent, "Mouse");
    ImGui::PopFont();
    for (const MouseHint& hint : mouse_hints()) {
      ImGui::TextUnformatted(hint.what.data());
      colored_text(desk.theme().text_muted, "   " + std::string(hint.gesture));
    }
    ImGui::Dummy({desk.points(330), desk.points(6)});
    help_group(desk, "Files");
    ImGui::TableNextColumn();
    help_group(desk, "Simulation");
    help_group(desk, "View");
    ImGui::EndTable();
  }
  if (ImGui::Button("Close")) open = false;
  if (ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
      !ImGui::IsWindowAppearing())
    open = false;
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace rebound::app
