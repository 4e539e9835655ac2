#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture cactus() {
  Sculpture s;
  // The trunk, and two arms of different height.
  s.add(ribbed_tube({{{0, 0.1, 0}, 0.13}, {{0, 0.45, 0}, 0.16}, {{0, 0.8, 0}, 0.145}}, 7, 0.015));
  s.add(
      ribbed_tube({{{0.06, 0.39, 0}, 0.06}, {{0.25, 0.4, 0}, 0.07}, {{0.325, 0.5, 0}, 0.074}, {{0.325, 0.68, 0}, 0.07}},
                  5, 0.008),
      0.03);
  s.add(ribbed_tube(
            {{{-0.06, 0.49, 0}, 0.058}, {{-0.23, 0.5, 0}, 0.066}, {{-0.3, 0.59, 0}, 0.07}, {{-0.3, 0.71, 0}, 0.066}}, 5,
            0.008),
        0.03);
  // A smooth oval for the face, a blossom for a hat.
  s.add(ellipsoid({0, 0.63, 0.08}, {0.15, 0.165, 0.12}), 0.03);
  s.add(ball({0, 0.955, 0}, 0.06), 0.03);
  for (const double degrees : {0, 72, 144, 216, 288}) {
    const Matrix3d spin = turned(0, degrees, 0);
    const Vector3d petal = Vector3d(0, 0.955, 0) + spin * Vector3d(0, 0, 0.08);
    s.add(ellipsoid(petal, {0.05, 0.036, 0.062}, spin * turned(-15, 0, 0)), 0.015);
  }
  // The pot: a tapered tub with a thick rim.
  s.add(cone({{0, 0.1, 0}, 0.17}, {{0, 0.16, 0}, 0.2}), 0.01);
  s.add(drum({0, 0.235, 0}, 0.24, 0.05, 0.035), 0.012);
  add_eyes(s, {.place = {0.068, 0.7, 0.19}, .width = 0.034, .height = 0.046});
  carve_smile(s, {.middle = {0, 0.565, 0.2}, .half_width = 0.07, .rise = 0.032, .back = 0.02, .radius = 0.02});
  s.stand(0.02);
  return s;
}

}  // namespace rebound::animals
