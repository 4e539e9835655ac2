// One direction of a Gaussian blur, out to two standard deviations.
uniform sampler2D image;
uniform vec2 spread;  // one standard deviation, in texture units, along the direction
in vec2 place;
out vec4 blurred;

void main() {
  vec2 sum = vec2(0.0);
  float weights = 0.0;
  for (int i = -3; i <= 3; ++i) {
    float x = 0.7 * float(i);
    float weight = exp(-0.5 * x * x);
    sum += weight * textureLod(image, place + x * spread, 0.0).rg;
    weights += weight;
  }
  blurred = vec4(sum / weights, 0.0, 1.0);
}
