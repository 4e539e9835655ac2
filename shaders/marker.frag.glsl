#include "color.glsl"
uniform float visibility;
noperspective in vec2 place;
flat in vec4 tint;
flat in vec2 form;
out vec4 color;

void main() {
  float from_middle = length(place);
  float cover = clamp(form.x + 0.5 - from_middle, 0.0, 1.0);
  vec3 shaded = tint.rgb;
  if (form.y > 0.5) {
    vec2 across = place / form.x;
    vec3 normal = vec3(across, sqrt(max(1.0 - dot(across, across), 0.0)));
    const vec3 light = vec3(-0.41, 0.66, 0.63);
    vec3 base = from_srgb(tint.rgb);
    float diffuse = clamp((dot(normal, light) + 0.5) / 1.5, 0.0, 1.0);
    float gloss = pow(max(dot(normal, normalize(light + vec3(0.0, 0.0, 1.0))), 0.0), 40.0);
    shaded = to_srgb(tone_map(base * (0.32 + 0.95 * diffuse) + 0.75 * gloss));
    // A dark rim sets the ball off from whatever lies behind it.
    shaded *= mix(0.55, 1.0, smoothstep(0.0, 1.6, form.x - from_middle));
  }
  color = vec4(shaded, tint.a * visibility * cover);
}
