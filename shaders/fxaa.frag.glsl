// Smooths edges of a finished picture: where the four diagonal neighbours differ, the pixel is averaged along the edge.
// Source of the idea: Lottes, "FXAA", 2009. We differ: one short search, two taps, for processors that draw.
#include "color.glsl"
uniform sampler2D image;
uniform vec2 pixel;  // texture units
in vec2 place;
out vec4 color;

void main() {
  vec3 middle = textureLod(image, place, 0.0).rgb;
  float m = luminance(middle);
  float ne = luminance(textureLod(image, place + pixel * vec2(0.5, 0.5), 0.0).rgb);
  float nw = luminance(textureLod(image, place + pixel * vec2(-0.5, 0.5), 0.0).rgb);
  float se = luminance(textureLod(image, place + pixel * vec2(0.5, -0.5), 0.0).rgb);
  float sw = luminance(textureLod(image, place + pixel * vec2(-0.5, -0.5), 0.0).rgb);
  float low = min(m, min(min(ne, nw), min(se, sw)));
  float high = max(m, max(max(ne, nw), max(se, sw)));
  float contrast = high - low;
  vec2 along = vec2(se + sw - ne - nw, ne + se - nw - sw);
  float size = max(abs(along.x), abs(along.y));
  vec2 reach = size > 1e-4 ? along / size : vec2(0.0);
  vec3 smoothed = 0.5 * (textureLod(image, place + pixel * reach * 0.75, 0.0).rgb +
                         textureLod(image, place - pixel * reach * 0.75, 0.0).rgb);
  float amount = smoothstep(0.03, 0.12, contrast / max(high, 0.08)) * step(0.02, contrast);
  color = vec4(mix(middle, smoothed, amount), 1.0);
}
