// How near the floor a caster is: 1 touching, 0 at the top of the window and above.
in float depth;
out vec4 nearness;

void main() {
  float away = clamp(depth, 0.0, 1.0);
  nearness = vec4((1.0 - away) * (1.0 - away));
}
