// Matte clay: a soft key light that wraps round the form, sky and floor light, a rim from behind.
#include "frame.glsl"
#include "color.glsl"
#ifdef SHADOWS
#include "shadow.glsl"
#endif
uniform vec4 base;          // linear colour; w: opacity
#ifdef HEAT
uniform vec2 heat_range;
uniform sampler2D heat_map;  // linear
#endif
in vec3 world;
in vec3 surface_normal;
in float heat;
in float shading;  // from -1, black, to 1, white
#ifdef WIREFRAME
uniform vec4 wire;  // sRGB; w: strength
uniform float wire_width;  // pixels
noperspective in vec3 edge_distance;
flat in float wire_presence;
#endif
out vec4 color;

void main() {
#ifdef HEAT
  float t = (heat - heat_range.x) / max(heat_range.y - heat_range.x, 1e-20);
  vec3 albedo = textureLod(heat_map, vec2(clamp(t, 0.002, 0.998), 0.5), 0.0).rgb;
#else
  vec3 albedo = mix(base.rgb, vec3(step(0.0, shading)), abs(shading));
#endif
  vec3 normal = normalize(gl_FrontFacing ? surface_normal : -surface_normal);
  vec3 to_eye = normalize(eye.xyz - world);
  float facing_light = dot(normal, to_light.xyz);
  float facing_eye = clamp(dot(normal, to_eye), 0.0, 1.0);

  // Red light travels furthest below the skin, so the edge of the lit side is warm.
  const vec3 wrap = vec3(0.34, 0.24, 0.20);
  vec3 diffuse = clamp((facing_light + wrap) / (1.0 + wrap), 0.0, 1.0);
  float lit = 1.0;
#ifdef SHADOWS
  // Past the terminator the wrapped light fades by itself; the map would cut it off with an edge.
  lit = mix(1.0, reaching_light(world, normal), smoothstep(-0.12, 0.22, facing_light));
#endif
  vec3 key = key_light.rgb * diffuse * diffuse * (1.0 / 1.1) * lit;

  float upward = dot(normal, floor_plane.xyz);
  vec3 ambient = mix(bounce_light.rgb, sky_light.rgb, 0.5 + 0.5 * upward);
  if (floor_reach.x > 0.0) {
    float height = max(dot(world, floor_plane.xyz) - floor_plane.w, 0.0);
    ambient *= 1.0 - 0.62 * (0.5 - 0.5 * upward) * (1.0 / (1.0 + height * height / (floor_reach.x * floor_reach.x)));
  }

  vec3 half_way = normalize(to_light.xyz + to_eye);
  float sheen = max(dot(normal, half_way), 0.0);
  sheen *= sheen;
  sheen *= sheen;
  sheen *= sheen;
  sheen = 0.03 * sheen * sheen * lit;
  float grazing = 1.0 - facing_eye;
  float rim = grazing * grazing * grazing * (0.25 + 0.75 * max(upward, 0.0));

  vec3 light = albedo * (key + ambient) + key_light.rgb * sheen + rim_light.rgb * rim * (0.15 + albedo);
  color = vec4(to_srgb(tone_map(light)), base.a);
#ifdef WIREFRAME
  float edge = min(edge_distance.x, min(edge_distance.y, edge_distance.z));
  color.rgb = mix(color.rgb, wire.rgb, wire.a * wire_presence * clamp(0.5 * wire_width + 0.5 - edge, 0.0, 1.0));
#endif
}
