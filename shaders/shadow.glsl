// How much of the key light reaches a point: percentage-closer filtering with a receiver plane, so that a wide kernel
// neither darkens slopes nor lifts the shadow off its caster. FINE widens the kernel with the distance to the caster.
uniform sampler2DShadow shadow_map;
uniform sampler2D shadow_depth;

const float light_angle = 0.13;  // radians that the light is wide, for the penumbra

// The i-th of evenly spread points of a disc. Turned by another angle at each pixel, the few taps leave grain in place of
// bands.
vec2 disc_point(int i, int count, float turn) {
  float radius = sqrt((float(i) + 0.5) / float(count));
  float angle = 2.39996323 * float(i) + turn;
  return radius * vec2(cos(angle), sin(angle));
}

// Depth per unit of u and v along the receiver's tangent plane.
vec2 receiver_slope(vec3 normal) {
  vec3 in_map = mat3(shadow_from_world) * normal * (shadow_size.xyz * shadow_size.xyz);
  return clamp(-in_map.xy / min(in_map.z, -1e-4), vec2(-4.0), vec2(4.0));
}

#ifdef FINE
float reaching_light(vec3 world, vec3 normal) {
  float texel = shadow_size.w;
  float facing = max(dot(normal, to_light.xyz), 0.0);
  vec3 place = (shadow_from_world * vec4(world + normal * texel * (1.0 + 1.5 * (1.0 - facing)), 1.0)).xyz;
  vec2 slope = receiver_slope(normal);
  float bias = texel / shadow_size.z;
  float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  const int search_taps = 16;
  const int filter_taps = 32;
  vec2 search = min(0.35 * light_angle * shadow_size.z, 0.12 * shadow_size.x) / shadow_size.xy;
  float blocker_sum = 0.0;
  float blockers = 0.0;
  for (int i = 0; i < search_taps; ++i) {
    vec2 offset = disc_point(i, search_taps, turn) * search;
    float depth = textureLod(shadow_depth, place.xy + offset, 0.0).r;
    if (depth < place.z + dot(slope, offset) - bias) {
      blocker_sum += depth;
      blockers += 1.0;
    }
  }
  if (blockers == 0.0) return 1.0;
  float gap = max(place.z - blocker_sum / blockers, 0.0) * shadow_size.z;
  vec2 spread = clamp(0.5 * light_angle * gap, 1.6 * texel, 0.12 * shadow_size.x) / shadow_size.xy;
  float lit = 0.0;
  for (int i = 0; i < filter_taps; ++i) {
    vec2 offset = disc_point(i, filter_taps, turn) * spread;
    float reference = min(place.z + dot(slope, offset) - bias, 1.0);
    lit += textureLod(shadow_map, vec3(place.xy + offset, reference), 0.0);
  }
  return lit / float(filter_taps);
}
#else
// Three taps: what a processor that draws can afford.
float reaching_light(vec3 world, vec3 normal) {
  float texel = shadow_size.w;
  vec3 place = (shadow_from_world * vec4(world + normal * (2.5 * texel), 1.0)).xyz;
  float step_in_map = 1.1 * texel / shadow_size.x;
  float reference = min(place.z, 1.0);
  return (textureLod(shadow_map, vec3(place.xy + step_in_map * vec2(0.0, 1.0), reference), 0.0) +
          textureLod(shadow_map, vec3(place.xy + step_in_map * vec2(0.87, -0.5), reference), 0.0) +
          textureLod(shadow_map, vec3(place.xy + step_in_map * vec2(-0.87, -0.5), reference), 0.0)) / 3.0;
}
#endif
