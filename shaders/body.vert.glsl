#include "frame.glsl"
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in float scalar;
layout(location = 3) in float shade;
#ifdef WIREFRAME
out VertexData { vec3 world; vec3 normal; float scalar; float shade; } vertex;
#else
out vec3 world;
out vec3 surface_normal;
out float heat;
out float shading;
#endif

void main() {
#ifdef WIREFRAME
  vertex.world = position;
  vertex.normal = normal;
  vertex.scalar = scalar;
  vertex.shade = shade;
#else
  world = position;
  surface_normal = normal;
  heat = scalar;
  shading = shade;
#endif
  gl_Position = view_projection * vec4(position, 1.0);
}
