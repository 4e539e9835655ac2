#include "render/theme.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::render {

namespace {

float linear(float channel) {
  return channel <= 0.04045f ? channel / 12.92f : std::pow((channel + 0.055f) / 1.055f, 2.4f);
}

constexpr std::array series = {
    color_from_hex(0xFF7759),  // coral
    color_from_hex(0x2FB5A5),  // teal
    color_from_hex(0xF2B950),  // amber
    color_from_hex(0x7C8CF8),  // periwinkle
    color_from_hex(0xE56B9F),  // rose
    color_from_hex(0x8CC152),  // leaf
    color_from_hex(0x4FA8E0),  // sky
    color_from_hex(0xB58A6B),  // clay
};

Theme make_dark() {
  Theme t{};
  t.background_top = color_from_hex(0x15191F);
  t.background_bottom = color_from_hex(0x22272F);
  t.ground = color_from_hex(0x464D5A);
  t.paper = color_from_hex(0x262B33);
  t.grid_line = color_from_hex(0xC4CBDA).with_alpha(0.17f);
  t.shadow = color_from_hex(0x4C4E5C);
  t.sky_light = color_from_hex(0xC4D4F2);
  t.bounce_light = color_from_hex(0x94695C);
  t.rim_light = color_from_hex(0x7FA6E8);
  t.key_strength = 1.65f;
  t.ambient_strength = 0.44f;
  t.wire = color_from_hex(0x0E1116).with_alpha(0.55f);
  t.grab = color_from_hex(0xFFE1A6);
  t.pin = color_from_hex(0xFFC24B);
  t.attachment = color_from_hex(0x8FD3FF).with_alpha(0.8f);
  t.circle = color_from_hex(0xFF4D5E);
  t.obstacle = color_from_hex(0x8D98AB);
  t.contact = color_from_hex(0x7DF0E4);
  t.series = series;
  t.panel = color_from_hex(0x1A1E25);
  t.panel_raised = color_from_hex(0x272D37);
  t.panel_active = color_from_hex(0x3A4350);
  t.outline = color_from_hex(0x363D49);
  t.text = color_from_hex(0xE8ECF2);
  t.text_muted = color_from_hex(0x98A2B3);
  t.accent = color_from_hex(0xFF7759);
  t.warning = color_from_hex(0xF2B950);
  t.error = color_from_hex(0xFF5C5C);
  t.plot_background = color_from_hex(0x15181E);
  t.plot_grid = color_from_hex(0x2E3540);
  return t;
}

Theme make_light() {
  Theme t{};
  t.background_top = color_from_hex(0xD3D9E0);
  t.background_bottom = color_from_hex(0xE6E4E2);
  t.ground = color_from_hex(0xF8F6F3);
  t.paper = color_from_hex(0xFCFAF7);
  t.grid_line = color_from_hex(0x5A6473).with_alpha(0.22f);
  t.shadow = color_from_hex(0x979DB2);
  t.sky_light = color_from_hex(0xF3F7FF);
  t.bounce_light = color_from_hex(0xD9B8A8);
  t.rim_light = color_from_hex(0xFFFFFF);
  t.key_strength = 1.7f;
  t.ambient_strength = 0.46f;
  t.wire = color_from_hex(0x2A2F38).with_alpha(0.45f);
  t.grab = color_from_hex(0x2B3340);
  t.pin = color_from_hex(0xE8950C);
  t.attachment = color_from_hex(0x2878B8).with_alpha(0.8f);
  t.circle = color_from_hex(0xC62838);
  t.obstacle = color_from_hex(0x8A93A1);
  t.contact = color_from_hex(0x0A5FB4);
  t.series = series;
  t.panel = color_from_hex(0xFAF9F7);
  t.panel_raised = color_from_hex(0xEDEBE8);
  t.panel_active = color_from_hex(0xDDDAD5);
  t.outline = color_from_hex(0xD3D0CB);
  t.text = color_from_hex(0x23272F);
  t.text_muted = color_from_hex(0x667080);
  t.accent = color_from_hex(0xD9502F);
  t.warning = color_from_hex(0xB87503);
  t.error = color_from_hex(0xC62828);
  t.plot_background = color_from_hex(0xFFFFFF);
  t.plot_grid = color_from_hex(0xE6E3DE);
  return t;
}

}  // namespace

Color mix(const Color& from, const Color& to, float t) {
  const auto between = [t](float a, float b) { return a + t * (b - a); };
  return {between(from.r, to.r), between(from.g, to.g), between(from.b, to.b), between(from.a, to.a)};
}

Vec3 linear(const Color& color) { return {linear(color.r), linear(color.g), linear(color.b)}; }

Color heat_color(float t) {
  static constexpr std::array stops = {color_from_hex(0x34408A), color_from_hex(0x8A4FA3), color_from_hex(0xD9577F),
                                       color_from_hex(0xFF8A5C), color_from_hex(0xFFC76B), color_from_hex(0xFFF1CC)};
  static constexpr std::array places = {0.0f, 0.2f, 0.4f, 0.6f, 0.8f, 1.0f};
  if (!(t > 0)) return stops.front();
  for (std::size_t i = 1; i < stops.size(); ++i) {
    if (t < places[i]) return mix(stops[i - 1], stops[i], (t - places[i - 1]) / (places[i] - places[i - 1]));
  }
  return stops.back();
}

const Theme& dark_theme() {
  static const Theme theme = make_dark();
  return theme;
}

const Theme& light_theme() {
  static const Theme theme = make_light();
  return theme;
}

}  // namespace rebound::render
