// What the colours of the bodies mean: a bar with its numbers, in a corner of the picture.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/panels.hpp"
#include "app/widgets.hpp"
#include "film/field_legend.hpp"

namespace rebound::app {
namespace {

void color_bar(ImDrawList& list, const ImVec2& low, const ImVec2& high) {
  constexpr int kSteps = 48;
  const float step = (high.y - low.y) / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const float y = low.y + step * static_cast<float>(i);
    const auto at = [](int of) { return to_u32(render::heat_color(1 - static_cast<float>(of) / kSteps)); };
    list.AddRectFilledMultiColor({low.x, y}, {high.x, y + step}, at(i), at(i), at(i + 1), at(i + 1));
  }
}

void backing(const Desk& desk, ImDrawList& list, const ImVec2& low, const ImVec2& high) {
  list.AddRectFilled(low, high, to_u32(desk.theme().panel.with_alpha(0.75f)), desk.points(5));
}

}  // namespace

Rect heat_legend(const Desk& desk, std::span<const Rect> places, const HeatScale& heat) {
  if (heat.kind() == session::FieldKind::none || places.empty() || places.front().empty()) return {};
  const Rect& place = places.front();
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  const char* const title = film::field_name(heat.kind()).title;
  const float margin = desk.points(10), pad = desk.points(8), line = ImGui::GetTextLineHeight();
  const float bar = std::clamp(0.25f * place.height, desk.points(48), desk.points(130));
  const std::string what = heat.has_any() ? title : "Springs have strain alone";
  const std::string note = heat.has_any() ? "98 % of the body is below the top" : "";
  const ImVec2 wide{ImGui::CalcTextSize(what.c_str()).x, ImGui::CalcTextSize(note.c_str()).x};
  const bool has_note = !note.empty() && place.width > wide.y + 2 * (margin + pad);
  const float width = 2 * pad + std::max(wide.x, has_note ? wide.y : desk.points(80));
  const float height = 2 * pad + line + (heat.has_any() ? bar + line * (has_note ? 2.0f : 1.0f) : 0);
  const ImVec2 low{place.x + margin, place.y + place.height - margin - height};
  backing(desk, list, low, {low.x + width, low.y + height});
  const Rect covered{low.x, low.y, width, height};
  list.AddText({low.x + pad, low.y + pad}, to_u32(desk.theme().text), what.c_str());
  if (!heat.has_any()) return covered;
  const ImVec2 top{low.x + pad, low.y + pad + 1.5f * line};
  color_bar(list, top, {top.x + desk.points(12), top.y + bar});
  list.AddRect(top, {top.x + desk.points(12), top.y + bar}, to_u32(desk.theme().text_muted), 0, 0, desk.points(1));
  for (const auto& [value, text] : film::field_ticks(heat.kind(), heat.top(), bar > desk.points(90) ? 4 : 2)) {
    const float y = top.y + bar * (1 - static_cast<float>(value / heat.top()));
    list.AddLine({top.x + desk.points(12), y}, {top.x + desk.points(17), y}, to_u32(desk.theme().text_muted),
                 desk.points(1));
    list.AddText({top.x + desk.points(22), y - line / 2}, to_u32(desk.theme().text), text.c_str());
  }
  if (has_note) list.AddText({low.x + pad, low.y + height - pad - line}, to_u32(desk.theme().text_muted), note.c_str());
  return covered;
}

}  // namespace rebound::app
