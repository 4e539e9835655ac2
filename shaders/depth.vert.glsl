// Casters as the light sees them, or as the floor sees them.
layout(location = 0) in vec3 position;
uniform mat4 clip_from_world;
out float depth;

void main() {
  gl_Position = clip_from_world * vec4(position, 1.0);
  depth = 0.5 * gl_Position.z + 0.5;
}
