uniform float visibility;
noperspective in float across;
in vec4 tint;
flat in float half_width;
out vec4 color;

void main() {
  color = vec4(tint.rgb, tint.a * visibility * clamp(half_width + 0.5 - abs(across), 0.0, 1.0));
}
