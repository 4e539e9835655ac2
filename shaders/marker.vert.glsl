// A square that faces the eye, for a ball drawn by its fragments.
#include "frame.glsl"
layout(location = 0) in vec3 centre;
layout(location = 1) in vec4 color_in;
layout(location = 2) in vec2 shape;  // radius in pixels; 1: glossy
noperspective out vec2 place;        // pixels from the middle
flat out vec4 tint;
flat out vec2 form;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  place = corner * (shape.x + 1.5);
  tint = color_in;
  form = shape;
  gl_Position = view_projection * vec4(centre, 1.0);
  gl_Position.xy += place / (0.5 * viewport.xy) * gl_Position.w;
  // A ball on a surface shows its front half.
  gl_Position.z -= 4e-4 * gl_Position.w;
}
