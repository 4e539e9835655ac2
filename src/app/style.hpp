// How the window looks: the theme's colours in ImGui's terms, the fonts, and everything at the display's scale.
#pragma once

#include <imgui.h>

#include "render/theme.hpp"

namespace rebound::app {

struct Fonts {
  ImFont* text = nullptr;
  ImFont* strong = nullptr;
  ImFont* small = nullptr;
  ImFont* title = nullptr;
};

ImVec4 to_vec4(const render::Color& color);
ImU32 to_u32(const render::Color& color);

class Style {
 public:
  /// `unit`: ImGui units a point; `density`: framebuffer pixels an ImGui unit. Makes fonts anew if either changed,
  /// which must not happen within an ImGui frame.
  void set(const render::Theme& theme, float unit, float density);

  const Fonts& fonts() const { return fonts_; }
  const render::Theme& theme() const { return *theme_; }
  float unit() const { return unit_; }

 private:
  void load_fonts();
  void apply();

  const render::Theme* theme_ = nullptr;
  float unit_ = 0, density_ = 0;
  Fonts fonts_;
};

}  // namespace rebound::app
