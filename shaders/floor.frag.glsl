// The floor: a pool of light with unit lines, fading into the background.
uniform vec3 ground;           // sRGB
uniform vec4 line_color;       // sRGB; a: strength of the strongest lines
uniform vec3 spacing;          // metres between lines of three ranks
uniform vec3 strength;         // of each rank, 0..1
uniform vec2 half_size;        // of the rectangle, metres
uniform vec2 grid_origin;      // of the rectangle's centre on the grid, metres
uniform float opacity;
uniform float line_width;      // pixels
in vec2 place;
out vec4 color;

// Coverage of the nearest line of one rank. Lines closer than a few pixels dissolve instead of shimmering.
float lines(vec2 grid, vec2 pixel, float gap) {
  vec2 steps = grid / gap;
  vec2 distance_in_pixels = abs(steps - round(steps)) * gap / pixel;
  vec2 cover = clamp(0.5 * line_width + 0.5 - distance_in_pixels, 0.0, 1.0);
  cover *= 1.0 - clamp(pixel / gap * 5.0 - 0.35, 0.0, 1.0);
  return max(cover.x, cover.y);
}

void main() {
  float radius = dot(place, place);
  float fade = clamp(1.0 - radius, 0.0, 1.0);
  fade *= fade * fade;
  vec2 grid = grid_origin + place * half_size;
  vec2 pixel = max(abs(dFdx(grid)) + abs(dFdy(grid)), vec2(1e-9));
  float line = max(max(lines(grid, pixel, spacing.x) * strength.x, lines(grid, pixel, spacing.y) * strength.y),
                   lines(grid, pixel, spacing.z) * strength.z);
  vec3 surface = mix(ground, line_color.rgb, line_color.a * line);
  color = vec4(surface, opacity * fade);
}
