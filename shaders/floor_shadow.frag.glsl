// What the floor is multiplied by: the shadow cast on it, and the darkness round what stands there.
#include "frame.glsl"
#ifdef FINE
#include "shadow.glsl"
#endif
uniform sampler2D mask;     // red: cast shadow, green: nearness
uniform vec3 normal;
uniform vec3 shadow;        // sRGB factor in full shadow
uniform vec3 fade_centre;   // where the floor is drawn at full strength, metres
uniform float fade_radius;
in vec3 world;
in vec2 place;
out vec4 color;

void main() {
  vec2 masked = textureLod(mask, 0.5 * place + 0.5, 0.0).rg;
#ifdef FINE
  float light = reaching_light(world, normal);
#else
  float light = 1.0 - masked.r;
#endif
  // Something near hides part of the sky as well, also where the light's shadow already lies.
  light = (light * 0.75 + 0.25) * (1.0 - 0.6 * masked.g);
  float dark = 1.0 - light;
  vec3 offset = (world - fade_centre) / fade_radius;
  float fade = clamp(1.0 - dot(offset, offset), 0.0, 1.0);
  color = vec4(mix(vec3(1.0), shadow, dark * fade * fade), 1.0);
}
