// One direction of a Gaussian blur.
uniform sampler2D image;
uniform vec2 spread;  // one standard deviation, in texture units, along the direction
in vec2 place;
out vec4 blurred;

void main() {
  float sum = 0.0;
  float weights = 0.0;
  for (int i = -6; i <= 6; ++i) {
    float x = float(i) / 3.0;
    float weight = exp(-0.5 * x * x);
    sum += weight * textureLod(image, place + x * spread, 0.0).r;
    weights += weight;
  }
  blurred = vec4(sum / weights);
}
