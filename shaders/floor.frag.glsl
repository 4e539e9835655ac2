// The floor: a pool of light with unit lines, fading into the background.
uniform vec3 ground;           // sRGB
uniform vec4 line_color;       // sRGB; a: strength of the strongest lines
uniform float minor_strength;  // of the thin lines, 0..1
uniform float line_reach;      // half a line's width and half a pixel, pixels
#ifdef GLASS
uniform float opacity;
#else
#include "background.glsl"
#endif
uniform float line_width;      // pixels
in vec2 place;
in vec2 grid;                  // 1 between thin lines, 10 between thick ones
out vec4 color;

// Coverage of the nearest of two crossing lines. Lines that come closer than a few pixels
// dissolve instead of shimmering.
float lines(vec2 steps, vec2 pixels_per_step, vec2 steps_per_pixel) {
  vec2 away = abs(steps - round(steps)) * pixels_per_step;
  vec2 cover = clamp(line_reach - away, 0.0, 1.0) * clamp(1.35 - 5.0 * steps_per_pixel, 0.0, 1.0);
  return max(cover.x, cover.y);
}

void main() {
  float far = dot(place, place);
  float fade = clamp(1.0 - far, 0.0, 1.0);
  fade *= fade;
  float pool = fade / (1.0 + 16.0 * far);
  vec2 steps_per_pixel = abs(dFdx(grid)) + abs(dFdy(grid));
  vec2 pixels_per_step = 1.0 / (steps_per_pixel + 1e-9);
  float line = max(minor_strength * lines(grid, pixels_per_step, steps_per_pixel),
                   lines(0.1 * grid, 10.0 * pixels_per_step, 0.1 * steps_per_pixel));
  float line_strength = line_color.a * line * fade;
#ifdef GLASS
  color = vec4(mix(ground, line_color.rgb, line_strength), opacity * pool);
#else
  color = vec4(mix(mix(background(), ground, pool), line_color.rgb, line_strength), 1.0);
#endif
}
