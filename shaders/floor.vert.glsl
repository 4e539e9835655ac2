// A rectangle of a plane.
#include "frame.glsl"
uniform vec3 origin;     // metres
uniform vec3 side_u;     // half edges, metres
uniform vec3 side_v;
#ifdef GRID
uniform vec2 half_steps;   // of the rectangle: half its size in thin lines
uniform vec2 centre_steps; // where its centre lies between them
out vec2 grid;
#else
out vec3 world;
#endif
out vec2 place;  // -1..1 across the rectangle

void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  vec3 point = origin + place.x * side_u + place.y * side_v;
#ifdef GRID
  grid = centre_steps + place * half_steps;
#else
  world = point;
#endif
  gl_Position = view_projection * vec4(point, 1.0);
}
