// A segment of a polyline as a strip of constant width on the screen, mitred to its neighbours.
#include "frame.glsl"
layout(location = 0) in vec3 before;
layout(location = 1) in vec3 from;
layout(location = 2) in vec3 to;
layout(location = 3) in vec3 after;
layout(location = 4) in vec4 from_color;
layout(location = 5) in vec4 to_color;
layout(location = 6) in float width;  // pixels
noperspective out float across;       // pixels from the middle
out vec4 tint;
flat out float half_width;

const float min_w = 1e-4;

vec2 pixels(vec4 clip) { return 0.5 * viewport.xy * clip.xy / clip.w; }

// The end of a segment that reaches behind the eye, brought in front of it.
vec4 in_front(vec4 point, vec4 other) {
  float near = min_w * 10.0;
  if (point.w >= near || other.w <= near) return point;
  return mix(point, other, (near - point.w) / (other.w - point.w));
}

vec2 direction(vec2 a, vec2 b, vec2 otherwise) {
  vec2 d = b - a;
  float size = length(d);
  return size > 1e-3 ? d / size : otherwise;
}

void main() {
  vec4 clip_from = view_projection * vec4(from, 1.0);
  vec4 clip_to = view_projection * vec4(to, 1.0);
  vec4 a = in_front(clip_from, clip_to);
  vec4 b = in_front(clip_to, clip_from);
  bool at_end = (gl_VertexID & 1) == 1;
  float side = gl_VertexID < 2 ? -1.0 : 1.0;

  vec2 along = direction(pixels(a), pixels(b), vec2(1.0, 0.0));
  vec4 neighbour = view_projection * vec4(at_end ? after : before, 1.0);
  vec2 next = along;
  if (neighbour.w > min_w) {
    next = at_end ? direction(pixels(b), pixels(neighbour), along) : direction(pixels(neighbour), pixels(a), along);
  }
  vec2 tangent = dot(along, next) > -0.2 ? normalize(along + next) : along;
  vec2 mitre = vec2(-tangent.y, tangent.x) / max(dot(tangent, along), 0.5);

  half_width = 0.5 * width;
  across = side * (half_width + 1.0);
  tint = at_end ? to_color : from_color;
  vec4 clip = at_end ? b : a;
  clip.xy += mitre * across / (0.5 * viewport.xy) * clip.w;
  // In front of the surface that it lies on.
  clip.z -= 2e-4 * clip.w;
  gl_Position = clip;
}
