// A rectangle of a plane.
#include "frame.glsl"
uniform vec3 origin;     // metres
uniform vec3 side_u;     // half edges, metres
uniform vec3 side_v;
out vec2 place;          // -1..1 across the rectangle
out vec3 world;

void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  world = origin + place.x * side_u + place.y * side_v;
  gl_Position = view_projection * vec4(world, 1.0);
}
