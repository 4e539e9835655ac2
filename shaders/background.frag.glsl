#include "background.glsl"
out vec4 color;

void main() { color = vec4(background(), 1.0); }
