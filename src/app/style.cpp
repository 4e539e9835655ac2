#include "app/style.hpp"

#include <backends/imgui_impl_opengl3.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>

namespace rebound::app {
namespace {

// Latin, Greek, Cyrillic, and the signs that formulas need.
constexpr ImWchar kTextRanges[] = {0x0020, 0x002F, 0x003A, 0x017F, 0x0370, 0x03FF, 0x0400, 0x04FF, 0x2010, 0x2027,
                                   0x2030, 0x203A, 0x2070, 0x209F, 0x2190, 0x2199, 0x2200, 0x2265, 0};
constexpr ImWchar kDigitRanges[] = {0x0030, 0x0039, 0};

// ImGui aborts on a font file that is missing, so each is looked for first.
const char* first_that_exists(std::span<const char* const> paths) {
  std::error_code error;
  for (const char* path : paths)
    if (std::filesystem::is_regular_file(path, error)) return path;
  return nullptr;
}

constexpr const char* kRegular[] = {
    "/usr/share/fonts/opentype/inter/Inter-Regular.otf",
    "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",
};
constexpr const char* kStrong[] = {
    "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",   "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf",
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf", "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/dejavu/DejaVuSans-Bold.ttf",
};

// Numbers that change thirty times a second must not dance: every digit gets the same width (of a font's whole height,
// which is what `size` is).
ImFont* add_font(const char* path, float size) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  if (path == nullptr) {
    config.SizePixels = size;
    return atlas.AddFontDefault(&config);
  }
  ImFont* font = atlas.AddFontFromFileTTF(path, size, &config, kTextRanges);
  config.MergeMode = true;
  config.GlyphMinAdvanceX = config.GlyphMaxAdvanceX = std::ceil(0.52f * size);
  atlas.AddFontFromFileTTF(path, size, &config, kDigitRanges);
  return font;
}

ImVec4 shade(const render::Color& from, const render::Color& to, float t) { return to_vec4(render::mix(from, to, t)); }

void set_colors(ImGuiStyle& style, const render::Theme& t) {
  const auto set = [&style](ImGuiCol which, const ImVec4& color) { style.Colors[which] = color; };
  const ImVec4 raised = to_vec4(t.panel_raised), active = to_vec4(t.panel_active), accent = to_vec4(t.accent);
  const ImVec4 hovered = shade(t.panel_raised, t.panel_active, 0.6f), clear{0, 0, 0, 0};
  set(ImGuiCol_Text, to_vec4(t.text));
  set(ImGuiCol_TextDisabled, to_vec4(t.text_muted));
  set(ImGuiCol_WindowBg, to_vec4(t.panel));
  set(ImGuiCol_ChildBg, clear);
  set(ImGuiCol_PopupBg, shade(t.panel, t.panel_raised, 0.5f));
  set(ImGuiCol_Border, to_vec4(t.outline));
  set(ImGuiCol_FrameBg, raised);
  set(ImGuiCol_FrameBgHovered, hovered);
  set(ImGuiCol_FrameBgActive, active);
  set(ImGuiCol_TitleBg, to_vec4(t.panel));
  set(ImGuiCol_TitleBgActive, to_vec4(t.panel));
  set(ImGuiCol_ScrollbarBg, clear);
  set(ImGuiCol_ScrollbarGrab, active);
  set(ImGuiCol_ScrollbarGrabHovered, to_vec4(t.outline));
  set(ImGuiCol_ScrollbarGrabActive, to_vec4(t.text_muted));
  set(ImGuiCol_CheckMark, accent);
  set(ImGuiCol_SliderGrab, accent);
  set(ImGuiCol_SliderGrabActive, shade(t.accent, t.text, 0.25f));
  set(ImGuiCol_Button, raised);
  set(ImGuiCol_ButtonHovered, hovered);
  set(ImGuiCol_ButtonActive, active);
  set(ImGuiCol_Header, raised);
  set(ImGuiCol_HeaderHovered, hovered);
  set(ImGuiCol_HeaderActive, active);
  set(ImGuiCol_Separator, to_vec4(t.outline));
  set(ImGuiCol_SeparatorHovered, accent);
  set(ImGuiCol_SeparatorActive, accent);
  set(ImGuiCol_PlotHistogram, accent);
  set(ImGuiCol_TableHeaderBg, raised);
  set(ImGuiCol_TableBorderLight, to_vec4(t.outline));
  set(ImGuiCol_TableBorderStrong, to_vec4(t.outline));
  set(ImGuiCol_TableRowBgAlt, to_vec4(t.panel_raised.with_alpha(0.4f)));
  set(ImGuiCol_TextSelectedBg, to_vec4(t.accent.with_alpha(0.35f)));
  set(ImGuiCol_DragDropTarget, accent);
  set(ImGuiCol_ModalWindowDimBg, ImVec4(0, 0, 0, 0.35f));
}

}  // namespace

ImVec4 to_vec4(const render::Color& c) { return {c.r, c.g, c.b, c.a}; }
ImU32 to_u32(const render::Color& c) { return ImGui::ColorConvertFloat4ToU32(to_vec4(c)); }

void Style::set(const render::Theme& theme, float unit, float density) {
  const bool rescaled = unit != unit_ || density != density_;
  if (!rescaled && theme_ == &theme) return;
  theme_ = &theme;
  unit_ = unit;
  density_ = density;
  if (rescaled) load_fonts();
  apply();
}

void Style::load_fonts() {
  ImGuiIO& io = ImGui::GetIO();
  const char* regular = first_that_exists(kRegular);
  const char* strong = first_that_exists(kStrong);
  io.Fonts->Clear();
  const float pixels = unit_ * density_;
  const auto size = [pixels](float points) { return std::max(std::round(points * pixels), 6.0f); };
  fonts_.text = add_font(regular, size(16));
  fonts_.strong = add_font(strong != nullptr ? strong : regular, size(16));
  fonts_.small = add_font(regular, size(14));
  fonts_.title = add_font(strong != nullptr ? strong : regular, size(21));
  io.FontGlobalScale = 1 / density_;
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void Style::apply() {
  ImGuiStyle style;
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {4, 2.5f};
  style.WindowRounding = 8;
  style.ChildRounding = 6;
  style.FrameRounding = 5;
  style.PopupRounding = 6;
  style.GrabRounding = 4;
  style.ScrollbarRounding = 6;
  style.ScrollbarSize = 10;
  style.GrabMinSize = 9;
  style.WindowBorderSize = 0;
  style.PopupBorderSize = 1;
  style.IndentSpacing = 14;
  style.WindowMenuButtonPosition = ImGuiDir_None;
  style.ScaleAllSizes(unit_);
  // Sizes below 1 end Dear ImGui.
  style.WindowMinSize = {std::max(style.WindowMinSize.x, 1.0f), std::max(style.WindowMinSize.y, 1.0f)};
  style.ScrollbarSize = std::max(style.ScrollbarSize, 1.0f);
  set_colors(style, *theme_);
  ImGui::GetStyle() = style;
}

}  // namespace rebound::app
