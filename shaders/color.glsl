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
  return mix(scaled, vec3(mapped), 0.45 * excess / (excess + 1.6));
}

vec3 to_srgb(vec3 light) {
  light = clamp(light, 0.0, 1.0);
  return mix(12.92 * light, 1.055 * pow(max(light, vec3(0.0031308)), vec3(1.0 / 2.4)) - 0.055,
             step(vec3(0.0031308), light));
}

vec3 from_srgb(vec3 color) {
  return mix(color / 12.92, pow((color + 0.055) / 1.055, vec3(2.4)), step(vec3(0.04045), color));
}

// Noise of one step of eight bits, which keeps smooth gradients from banding.
vec3 dither(vec2 pixel) {
  float noise = fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
  return vec3((noise - 0.5) / 255.0);
}
