#include "color.glsl"
uniform vec3 top;  // sRGB, as the next
uniform vec3 bottom;
in vec2 place;
out vec4 color;

void main() {
  color = vec4(mix(bottom, top, place.y * place.y * (3.0 - 2.0 * place.y)) + dither(gl_FragCoord.xy), 1.0);
}
