// Red: something casts a shadow here. Green: how near it is to the floor, 1 touching, 0 at the window's height and above.
in float depth;
out vec2 shade;

void main() {
  float away = clamp(depth, 0.0, 1.0);
  shade = vec2(1.0, (1.0 - away) * (1.0 - away));
}
