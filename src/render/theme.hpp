// Every colour of the program stands here: the scene's, the charts' and the window's.
#pragma once

#include <array>
#include <cstdint>

#include "render/geometry.hpp"

namespace rebound::render {

/// An sRGB colour as designers write it, 0..1 a channel; `a` is opacity.
struct Color {
  float r = 0;
  float g = 0;
  float b = 0;
  float a = 1;

  Color with_alpha(float alpha) const { return {r, g, b, alpha}; }
  bool operator==(const Color&) const = default;
};

/// 0xRRGGBB.
constexpr Color color_from_hex(std::uint32_t rgb) {
  constexpr float unit = 1.0f / 255.0f;
  return {static_cast<float>((rgb >> 16) & 0xff) * unit, static_cast<float>((rgb >> 8) & 0xff) * unit,
          static_cast<float>(rgb & 0xff) * unit, 1.0f};
}

/// Between two colours, in sRGB: t = 0 is `from`.
Color mix(const Color& from, const Color& to, float t);

/// Light-linear red, green, blue for shading.
Vec3 linear(const Color& color);

/// The map for strain, energy and the like: t in [0, 1] from calm to hot, monotone in lightness. Outside it is clamped.
Color heat_color(float t);

struct Theme {
  // The scene.
  Color background_top;
  Color background_bottom;
  Color ground;        ///< the floor near the middle; it fades into the background
  Color paper;         ///< the page on which a figure in a plane is drawn
  Color grid_line;     ///< alpha is the strength of the strongest lines
  Color shadow;        ///< what the floor is multiplied by in full shadow
  Color sky_light;     ///< ambient light from above
  Color bounce_light;  ///< ambient light from below
  Color rim_light;     ///< the edge light from behind
  float key_strength;  ///< brightness of the main light
  float ambient_strength;
  Color wire;        ///< wireframe overlay
  Color grab;        ///< the grab line and its handles
  Color pin;         ///< pin markers
  Color attachment;  ///< attachment lines
  Color circle;      ///< what the path of a vertex is seen against
  Color obstacle;    ///< solids that bodies bump into: nothing lively, as that is what bodies are
  Color contact;     ///< contact points, normals and forces

  // Bodies and the curves that belong to them, in order of use; the first two are the program's own coral and teal.
  std::array<Color, 8> series;

  // Window and charts.
  Color panel;         ///< behind controls
  Color panel_raised;  ///< fields, buttons
  Color panel_active;  ///< pressed, selected
  Color outline;
  Color text;
  Color text_muted;
  Color accent;
  Color warning;
  Color error;
  Color plot_background;
  Color plot_grid;
};

/// Colours never change while the program runs, so both are shared constants.
const Theme& dark_theme();
const Theme& light_theme();

}  // namespace rebound::render
