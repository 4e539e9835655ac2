// Where the time of a frame goes.
#include <algorithm>
#include <array>

#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/widgets.hpp"

namespace rebound::app {
namespace {

struct Share {
  const char* name;
  const char* tip;
  double ms;
  render::Color color;
};

// One bar as long as the frame, or as the time that it simulates if that is longer.
void stacked_bar(const Desk& desk, std::span<const Share> shares, double whole_ms, double allowed_ms) {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = desk.points(10);
  const double scale = width / std::max(whole_ms, allowed_ms);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, {low.x + width, low.y + height}, to_u32(desk.theme().text_muted.with_alpha(0.15f)));
  double at = 0;
  for (const Share& share : shares) {
    const auto x = [&](double ms) { return low.x + static_cast<float>(scale * ms); };
    list.AddRectFilled({x(at), low.y}, {x(at + share.ms), low.y + height}, to_u32(share.color));
    at += share.ms;
  }
  const float end = low.x + static_cast<float>(scale * allowed_ms);
  list.AddLine({end - 1, low.y - desk.points(2)}, {end - 1, low.y + height + desk.points(2)}, to_u32(desk.theme().text),
               desk.points(1.5f));
  ImGui::Dummy({width, height + desk.points(2)});
  tooltip(desk, "The line is the time that a frame simulates: what does not fit before it is slower than real time");
}

void row(const Desk& desk, const char* name, double ms, const char* tip, const render::Color* color) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  if (color != nullptr) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float size = desk.points(8), drop = (ImGui::GetTextLineHeight() - size) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + drop}, {at.x + size, at.y + drop + size}, to_u32(*color),
                                              desk.points(2));
  }
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(name);
  tooltip(desk, tip);
  ImGui::TableNextColumn();
  const std::string text = with_unit(1e-3 * ms, "s", 3);
  const float width = ImGui::CalcTextSize(text.c_str()).x;
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(ImGui::GetContentRegionAvail().x - width, 0.0f));
  ImGui::TextUnformatted(text.c_str());
}

}  // namespace

void budget_panel(Desk& desk) {
  if (!begin_section(desk, "Time per frame", false)) return;
  const session::FrameBudget& b = desk.now().budget;
  if (b.frame_ms() == 0) {
    muted_text(desk, "Nothing has moved yet.");
    end_section(desk);
    return;
  }
  const auto& theme = desk.theme();
  const std::array shares = {
      Share{"Step", "The integrator, damping and the measurement of the energy", b.step_ms, theme.series[0]},
      Share{"Commands", "What you do with mouse and panels", b.commands_ms, theme.series[2]},
      Share{"Hand-over", "The copy of the moment that the window draws", b.hand_over_ms, theme.series[1]},
      Share{"Waiting", "Until the next frame is due", b.waiting_ms, theme.text_muted.with_alpha(0.35f)}};
  const double allowed = 1e3 * desk.now().description.timeStep / desk.stage.speed();
  stacked_bar(desk, shares, b.frame_ms(), allowed);
  if (ImGui::BeginTable("budget", 3, ImGuiTableFlags_SizingStretchProp)) {
    ImGui::TableSetupColumn("color", ImGuiTableColumnFlags_WidthFixed, desk.points(12));
    ImGui::TableSetupColumn("entry", ImGuiTableColumnFlags_WidthStretch, 1.6f);
    ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthStretch, 1);
    for (const Share& share : shares) row(desk, share.name, share.ms, share.tip, &share.color);
    ImGui::PushFont(desk.fonts().strong);
    row(desk, "Frame", b.frame_ms(), "The sum, on the simulation's thread; means of the last second", nullptr);
    ImGui::PopFont();
    row(desk, "Picture", desk.drawing.draw_ms, "Drawing, on the window's thread, beside the simulation", nullptr);
    row(desk, "  one every", desk.drawing.interval_ms, "From one picture to the next", nullptr);
    ImGui::EndTable();
  }
  end_section(desk);
}

}  // namespace rebound::app
