#include "app/widgets.hpp"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#include "app/icons.hpp"
#include "app/legend.hpp"
#include "app/plot_data.hpp"
#include "app/typed_number.hpp"
#include "render/ticks.hpp"
#include "scene/ranges.hpp"

namespace rebound::app {

bool menu_is_open() { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }

void close_menus() {
  if (menu_is_open()) ImGui::ClosePopupToLevel(0, true);
}
namespace {

// A value that the simulation refuses never arrives; after so long the field shows what is true.
constexpr double kPatience = 4;  // s

/// The part of a range that a slider is fine enough for; anything else can be typed.
Interval slider_span(const scene::Range& range, double current) {
  Interval span{range.min, range.max};
  if (range.logarithmic) {
    const double reach = range.whole ? 100 : 1e4;
    span.low = std::max(span.low, range.standard / reach);
    span.high = std::min(span.high, range.standard * reach);
  }
  // A number that is small as a rule gets the room near its rule.
  if (!range.logarithmic && range.standard > 0) span.high = std::min(span.high, 10 * range.standard);
  // Zero has no place on a logarithmic slider; it stays at its lower end.
  const double least = range.logarithmic && !(current > 0) ? span.low : std::min(span.low, current);
  return {least, std::max(span.high, current)};
}

double tidy(const scene::Range& range, double value) {
  if (range.whole) value = std::round(value);
  // A slider's position has no more than three digits of meaning.
  if (range.logarithmic && !range.whole && value > 0) {
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 2);
    value = step * std::round(value / step);
  }
  return std::clamp(value, range.min, range.max);
}

bool takes_prefix(const scene::Range& range) { return range.unit == "Pa" || range.unit == "s" || range.unit == "N/m"; }

bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

/// How far along the slider a value is, 0 to 1, as ImGui places it.
float place_on(const Interval& span, bool logarithmic, double value) {
  if (span.length() <= 0) return 0;
  const double at = std::max(value, span.low);
  const double share =
      logarithmic ? std::log(at / span.low) / std::log(span.high / span.low) : (at - span.low) / span.length();
  return static_cast<float>(std::clamp(share, 0.0, 1.0));
}

/// The frame, filled up to the value, so that the number on it stays readable.
void draw_slider(const Desk& desk, float place) {
  const auto& theme = desk.theme();
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high{low.x + ImGui::GetContentRegionAvail().x, low.y + ImGui::GetFrameHeight()};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const bool hovered = ImGui::IsMouseHoveringRect(low, high);
  list.AddRectFilled(low, high, to_u32(hovered ? theme.panel_active : theme.panel_raised), desk.points(5));
  const float x = low.x + place * (high.x - low.x);
  list.PushClipRect(low, {x, high.y}, true);
  list.AddRectFilled(low, high, to_u32(theme.accent.with_alpha(0.28f)), desk.points(5));
  list.PopClipRect();
  list.PushClipRect({low.x, high.y - desk.points(2)}, {std::max(x, low.x + desk.points(6)), high.y}, true);
  list.AddRectFilled(low, high, to_u32(theme.accent), desk.points(5));
  list.PopClipRect();
}

bool edit(const Desk& desk, const scene::Range& range, const char* id, double& value, const std::string& shown) {
  // A format without a percent sign is shown as it is. What is typed is read by us, not by ImGui: it has a unit.
  const char* format = shown.c_str();
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool wide = !range.logarithmic && range.max - range.min > 100;
  if (wide)
    return ImGui::DragScalar(id, ImGuiDataType_Double, &value, 0.05f, &range.min, &range.max, format,
                             ImGuiSliderFlags_NoInput);
  const Interval span = slider_span(range, value);
  draw_slider(desk, place_on(span, range.logarithmic, value));
  for (const ImGuiCol part : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab,
                              ImGuiCol_SliderGrabActive})
    ImGui::PushStyleColor(part, IM_COL32_BLACK_TRANS);
  const ImGuiSliderFlags flags = range.logarithmic ? ImGuiSliderFlags_Logarithmic : ImGuiSliderFlags_None;
  const bool changed = ImGui::SliderScalar(id, ImGuiDataType_Double, &value, &span.low, &span.high, format,
                                           flags | ImGuiSliderFlags_NoRoundToFormat | ImGuiSliderFlags_NoInput);
  ImGui::PopStyleColor(5);
  return changed;
}

}  // namespace

namespace {

bool waited_over_item() {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return false;
  return ImGui::GetCurrentContext()->HoveredIdTimer >= 0.35f || ImGui::GetCurrentContext()->HoveredId == 0;
}

}  // namespace

void tooltip(const Desk& desk, std::string_view text) {
  if (text.empty() || !waited_over_item()) return;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(10), desk.points(7)});
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(desk.points(300));
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

void action_button(Desk& desk, Icon icon, Action action, bool active, bool enabled) {
  const float side = desk.points(32);
  ImGui::PushID(static_cast<int>(action));
  const bool pressed = ImGui::InvisibleButton("##action", {side, side});
  ImGui::PopID();
  const auto& theme = desk.theme();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const bool hovered = enabled && ImGui::IsItemHovered();
  if (active || hovered) {
    const auto& fill = active ? theme.accent.with_alpha(hovered ? 0.32f : 0.22f) : theme.panel_raised;
    list.AddRectFilled(low, high, to_u32(fill), desk.points(6));
  }
  draw_icon(list, icon, {(low.x + high.x) / 2, (low.y + high.y) / 2}, desk.points(8),
            to_u32(active    ? theme.accent
                   : enabled ? theme.text
                             : theme.text_muted.with_alpha(0.5f)),
            desk.points(1.6f));
  tooltip(desk, described(action));
  if (pressed && enabled) desk.requests.actions.push_back(action);
}

void note_place(const Desk& desk, const std::string& name) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  desk.fields[name] = {(low.x + high.x) / 2, (low.y + high.y) / 2};
}

void badge(const Desk& desk, const std::string& text, const render::Color& color) {
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const ImVec2 padding{desk.points(8), desk.points(3)};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({size.x + 2 * padding.x, size.y + 2 * padding.y});
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), to_u32(color.with_alpha(0.18f)),
                     desk.points(20));
  list.AddText({at.x + padding.x, at.y + padding.y}, to_u32(color), text.c_str());
}

bool begin_choice(const Desk& desk, const char* id, const std::string& chosen, float width, bool prominent) {
  const auto& theme = desk.theme();
  const auto fill = [&](float strength) { return to_vec4(theme.accent.with_alpha(strength)); };
  ImGui::PushStyleColor(ImGuiCol_FrameBg, prominent ? fill(0.18f) : to_vec4(theme.panel_raised));
  ImGui::PushStyleColor(ImGuiCol_FrameBgHovered, prominent ? fill(0.3f) : to_vec4(theme.panel_active));
  ImGui::SetNextItemWidth(width);
  // What a negative width comes to.
  const float room = ImGui::CalcItemWidth() - ImGui::GetStyle().FramePadding.x - desk.points(22);
  const bool open = ImGui::BeginCombo(
      id, shortened(chosen, room, [](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x; }).c_str(),
      ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton);
  ImGui::PopStyleColor(2);
  if (!open) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    draw_icon(*ImGui::GetWindowDrawList(), Icon::chevron_down, {high.x - desk.points(14), (low.y + high.y) / 2},
              desk.points(4), to_u32(theme.text_muted), desk.points(1.6f));
  }
  return open;
}

std::optional<int> segmented(const Desk& desk, const char* id, std::span<const char* const> names, int chosen) {
  const auto& theme = desk.theme();
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float all = ImGui::GetContentRegionAvail().x, height = ImGui::GetFrameHeight();
  const auto extent_of = [](const char* name) { return ImGui::CalcTextSize(name, std::strstr(name, "##")); };
  // Beside each name there is as much room.
  float beside = all;
  for (const char* name : names) beside -= extent_of(name).x;
  beside /= static_cast<float>(names.size());
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(low, {low.x + all, low.y + height}, to_u32(theme.panel_raised), desk.points(5));
  std::optional<int> clicked;
  ImGui::PushID(id);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, desk.points(6)});
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    const char* name = names[static_cast<std::size_t>(i)];
    if (i > 0) ImGui::SameLine();
    const ImVec2 extent = extent_of(name);
    if (ImGui::InvisibleButton(name, {std::max(extent.x + beside, 1.0f), height})) clicked = i;
    note_place(desk, name);
    const ImVec2 a = ImGui::GetItemRectMin(), b = ImGui::GetItemRectMax();
    if (i == chosen) list.AddRectFilled(a, b, to_u32(theme.accent.with_alpha(0.28f)), desk.points(5));
    const bool bright = i == chosen || ImGui::IsItemHovered();
    list.AddText({(a.x + b.x - extent.x) / 2, (a.y + b.y - extent.y) / 2},
                 to_u32(bright ? theme.text : theme.text_muted), name, std::strstr(name, "##"));
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return clicked;
}

bool begin_section(const Desk& desk, const char* title, bool open_at_first) {
  const auto& theme = desk.theme();
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  const ImGuiID id = ImGui::GetID(title);
  bool open = storage.GetBool(id, open_at_first);
  const ImVec2 size{ImGui::GetContentRegionAvail().x, desk.points(34)};
  if (ImGui::InvisibleButton(title, {std::max(size.x, 1.0f), size.y})) storage.SetBool(id, open = !open);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const ImU32 color = to_u32(ImGui::IsItemHovered() ? theme.accent : theme.text);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushFont(desk.fonts().strong);
  list.AddText({low.x + desk.points(2), (low.y + high.y - ImGui::GetTextLineHeight()) / 2}, color, title);
  ImGui::PopFont();
  draw_icon(list, open ? Icon::chevron_down : Icon::chevron_right, {high.x - desk.points(10), (low.y + high.y) / 2},
            desk.points(4), to_u32(theme.text_muted), desk.points(1.6f));
  if (!open) {
    ImGui::Separator();
    return false;
  }
  ImGui::PushID(title);
  ImGui::Indent(desk.points(2));
  return true;
}

void end_section(const Desk& desk) {
  ImGui::Unindent(desk.points(2));
  ImGui::PopID();
  ImGui::Dummy({0, desk.points(4)});
  ImGui::Separator();
}

render::Color legible(const Desk& desk, const render::Color& color) {
  return desk.settings.dark ? color : render::mix(color, {0, 0, 0, 1}, 0.25f);
}

void muted_text(const Desk& desk, const std::string& text, int lines) {
  ImGui::PushFont(desk.fonts().small);
  const float bottom =
      ImGui::GetCursorPosY() + static_cast<float>(lines) * ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y;
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(desk.theme().text_muted));
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (lines > 1) ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), bottom));
}

void colored_text(const render::Color& color, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, to_vec4(color));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

void row_label(const Desk& desk, const char* text, std::string_view tip) {
  ImGui::AlignTextToFramePadding();
  const std::string_view label = text;
  ImGui::TextUnformatted(text, text + std::min(label.size(), label.find("##")));
  tooltip(desk, tip);
  ImGui::SameLine(desk.points(136));
}

std::string range_text(std::string_view key, double value) {
  const scene::Range& range = scene::range(key);
  if (takes_prefix(range)) return with_unit(value, std::string(range.unit).c_str());
  std::string text = range.whole ? std::to_string(static_cast<long long>(value)) : short_number(value);
  if (!range.unit.empty()) text.append(1, ' ').append(pretty_unit(range.unit));
  return text;
}

namespace {

/// A note to the left of the panel that the item before is in, so that nothing one could change is under it; below the
/// item where there is no room.
void note_beside(const Desk& desk, const std::string& text, const render::Color& color) {
  const ImVec2 item_low = ImGui::GetItemRectMin(), item_high = ImGui::GetItemRectMax();
  const float panel = ImGui::GetWindowPos().x, wide = desk.points(320);
  if (panel > wide)
    ImGui::SetNextWindowPos({panel - desk.points(6), item_low.y}, ImGuiCond_Always, {1, 0});
  else
    ImGui::SetNextWindowPos({item_low.x, item_high.y + desk.points(4)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {desk.points(10), desk.points(7)});
  ImGui::Begin("##beside", nullptr,
               ImGuiWindowFlags_Tooltip | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoDecoration |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushTextWrapPos(desk.points(300));
  colored_text(color, text);
  ImGui::PopTextWrapPos();
  ImGui::End();
  ImGui::PopStyleVar();
}

void begin_typing(Desk& desk, unsigned id, const std::string& shown) {
  desk.typing = {};
  desk.typing.field = id;
  desk.typing.fresh = true;
  std::snprintf(desk.typing.text, sizeof desk.typing.text, "%s", shown.c_str());
}

/// The field while a number is being typed. Returns it once it is whole and permitted.
std::optional<double> type_number(Desk& desk, const scene::Range& range, const std::string& shown, double current) {
  Typing& typing = desk.typing;
  ImGui::SetNextItemWidth(-FLT_MIN);
  const bool fresh = std::exchange(typing.fresh, false);
  if (fresh) ImGui::SetKeyboardFocusHere();
  const std::string before = typing.text;
  const bool entered = ImGui::InputText("##typed", typing.text, sizeof typing.text,
                                        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  const bool left = ImGui::IsItemDeactivated() && !fresh;
  if (before != typing.text) typing.refusal.clear();
  if (!typing.refusal.empty()) note_beside(desk, typing.refusal, desk.theme().error);
  if (!entered && !left) return std::nullopt;
  if (typing.text == shown) {
    typing = {};
    return std::nullopt;
  }
  const double factor = takes_prefix(range) ? render::prefix_for(std::abs(current)).factor : 1;
  const TypedNumber number = read_number(typing.text, range.unit, factor);
  typing.refusal = !number.value                          ? number.refusal
                   : scene::permits(range, *number.value) ? std::string()
                                                          : scene::refusal(range, *number.value);
  if (!typing.refusal.empty()) {
    typing.fresh = entered;
    return std::nullopt;
  }
  typing = {};
  return number.value;
}

/// On the field before: what else can be done with it.
std::optional<double> field_menu(Desk& desk, const scene::Range& range, std::string_view key, unsigned id,
                                 const std::string& shown) {
  std::optional<double> chosen;
  if (!ImGui::BeginPopupContextItem("##menu")) return chosen;
  if (ImGui::MenuItem("Type a number", "Ctrl + click")) begin_typing(desk, id, shown);
  const std::string reset = "Reset to the default, " + range_text(key, range.standard);
  if (ImGui::MenuItem(reset.c_str())) chosen = range.standard;
  ImGui::EndPopup();
  return chosen;
}

bool is_ctrl_clicked() {
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const ImVec2 high{low.x + ImGui::GetContentRegionAvail().x, low.y + ImGui::GetFrameHeight()};
  return ImGui::GetIO().KeyCtrl && ImGui::IsMouseClicked(0) && ImGui::IsWindowHovered() &&
         ImGui::IsMouseHoveringRect(low, high);
}

/// When to send what is pending, and when to forget it.
std::optional<double> settle(Desk& desk, unsigned id, PendingEdit& pending, double current, bool held, bool released) {
  const double now = ImGui::GetTime();
  const bool arrived = close(pending.posted, current);
  const bool given_up = now - pending.posted_at > kPatience;
  const bool differs = !close(pending.value, pending.posted);
  if (differs && (arrived || given_up || released)) {
    pending.posted = pending.value;
    pending.posted_at = now;
    return pending.posted;
  }
  if (!held && !differs && (arrived || given_up)) desk.edits.erase(id);
  return std::nullopt;
}

}  // namespace

std::optional<double> range_field(Desk& desk, const char* label, std::string_view key, double current) {
  const scene::Range& range = scene::range(key);
  ImGui::PushID(label);
  row_label(desk, label, range.doc);
  const unsigned id = ImGui::GetID("##value");
  const auto found = desk.edits.find(id);
  double value = found == desk.edits.end() ? current : found->second.value;
  const std::string shown = range_text(key, value);

  const ImVec2 low = ImGui::GetCursorScreenPos();
  desk.fields[std::string(key)] = {low.x + ImGui::GetContentRegionAvail().x / 2, low.y + ImGui::GetFrameHeight() / 2};
  if (is_ctrl_clicked()) begin_typing(desk, id, shown);
  std::optional<double> set;  // by hand, as it is
  bool dragged = false, released = false, held = false;
  if (desk.typing.field == id) {
    set = type_number(desk, range, shown, value);
  } else {
    dragged = edit(desk, range, "##value", value, shown);
    released = ImGui::IsItemDeactivated();
    held = ImGui::IsItemActive();
    if (!held && waited_over_item())
      note_beside(desk, std::string(range.doc) + "\nRight click: type a number, or the default.", desk.theme().text);
    set = field_menu(desk, range, key, id, shown);
  }
  ImGui::PopID();

  if (dragged) set = tidy(range, value);
  if (set) {
    const auto [pending, is_new] = desk.edits.try_emplace(id);
    if (is_new) pending->second = {current, current, ImGui::GetTime() - kPatience};
    pending->second.value = *set;
  }
  const auto pending = desk.edits.find(id);
  if (pending == desk.edits.end()) return std::nullopt;
  return settle(desk, id, pending->second, current, held, released || (set && !dragged));
}

bool range_field_into(Desk& desk, const char* label, std::string_view key, double& value) {
  const auto set = range_field(desk, label, key, value);
  if (set) value = *set;
  return set.has_value();
}

}  // namespace rebound::app
