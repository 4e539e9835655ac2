// From light to screen.
float luminance(vec3 color) { return dot(color, vec3(0.2126, 0.7152, 0.0722)); }

// Straight up to the knee, then a film-like shoulder: base colours stay what the theme says, highlights roll off and pale.
vec3 tone_map(vec3 light) {
  const float knee = 0.62;
  const float room = 1.0 - knee;
  float peak = max(light.r, max(light.g, light.b));
  float excess = max(peak - knee, 0.0);
  float mapped = min(peak, knee) + room * excess / (excess + room);
  vec3 scaled = light * (mapped / max(peak, 1e-5));
  return mix(scaled, vec3(mapped), 0.22 * excess / (excess + 1.6));
}

// The sRGB curve by square roots, a fit of our own: within 1.4 / 255 of it, at a third of its cost.
vec3 to_srgb(vec3 light) {
  vec3 x = clamp(light, 0.0, 1.0);
  vec3 root = sqrt(x);
  return clamp(1.18955 * root + 0.0328 * sqrt(root) - 0.1987 * x - 0.02889, 0.0, 1.0);
}

vec3 from_srgb(vec3 color) {
  return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), color));
}
