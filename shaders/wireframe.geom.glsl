// Gives each fragment its distance, in pixels, from the three edges of its triangle.
#include "frame.glsl"
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in VertexData { vec3 world; vec3 normal; float scalar; float shade; } vertex[];
out vec3 world;
out vec3 surface_normal;
out float heat;
out float shading;
noperspective out vec3 edge_distance;
flat out float wire_presence;  // small triangles get fainter edges, lest the wires hide the shading

void main() {
  vec2 p[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = 0.5 * viewport.xy * gl_in[i].gl_Position.xy / max(gl_in[i].gl_Position.w, 1e-6);
  }
  float twice_area = abs(determinant(mat2(p[1] - p[0], p[2] - p[0])));
  float longest = max(length(p[1] - p[0]), max(length(p[2] - p[1]), length(p[0] - p[2])));
  for (int i = 0; i < 3; ++i) {
    wire_presence = clamp(twice_area / max(longest, 1e-6) / 12.0, 0.2, 1.0);
    world = vertex[i].world;
    surface_normal = vertex[i].normal;
    heat = vertex[i].scalar;
    shading = vertex[i].shade;
    edge_distance = vec3(0.0);
    edge_distance[i] = twice_area / max(length(p[(i + 1) % 3] - p[(i + 2) % 3]), 1e-6);
    gl_Position = gl_in[i].gl_Position;
    EmitVertex();
  }
  EndPrimitive();
}
