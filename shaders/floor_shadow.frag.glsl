// What the floor is multiplied by: the cast shadow and the darkness round a contact.
#include "frame.glsl"
#include "color.glsl"
#include "shadow.glsl"
uniform vec3 normal;
uniform vec3 shadow;             // sRGB factor in full shadow
uniform vec3 ground;             // sRGB, to know how dark the shadow may be
uniform mat4 contact_from_world;
uniform sampler2D contact_map;
uniform float contact_strength;
uniform vec3 fade_centre;        // where the floor is drawn at full strength, metres
uniform float fade_radius;
in vec3 world;
out vec4 color;

void main() {
  vec2 at = (contact_from_world * vec4(world, 1.0)).xy;
  float contact = contact_strength * textureLod(contact_map, at, 0.0).r;
  float dark = 1.0 - reaching_light(world, normal) * (1.0 - contact);
  dark = 1.0 - (1.0 - dark) * (1.0 - 0.5 * contact);
  vec3 offset = (world - fade_centre) / fade_radius;
  float fade = clamp(1.0 - dot(offset, offset), 0.0, 1.0);
  color = vec4(mix(vec3(1.0), shadow, dark * fade * fade * fade), 1.0);
}
