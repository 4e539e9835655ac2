#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture cactus() {
  constexpr int kRibs = 8;
  constexpr double kDepth = 0.014;
  Sculpture s;
  s.add(ribbed_tube({{{0, 0.1, 0}, 0.125}, {{0, 0.45, 0}, 0.15}, {{0, 0.84, 0}, 0.135}}, kRibs, kDepth));
  s.add(ribbed_tube(
            {{{0.06, 0.42, 0}, 0.06}, {{0.24, 0.43, 0}, 0.068}, {{0.31, 0.53, 0}, 0.072}, {{0.31, 0.7, 0}, 0.068}}, 6,
            0.008),
        0.03);
  s.add(ribbed_tube({{{-0.06, 0.53, 0}, 0.058},
                     {{-0.22, 0.54, 0}, 0.064},
                     {{-0.285, 0.63, 0}, 0.066},
                     {{-0.285, 0.74, 0}, 0.062}},
                    6, 0.008),
        0.03);
  // The pot: a tapered tub with a thick rim.
  s.add(cone({{0, 0.1, 0}, 0.17}, {{0, 0.16, 0}, 0.2}), 0.01);
  s.add(drum({0, 0.24, 0}, 0.235, 0.045, 0.03), 0.012);
  // A smooth oval for the face, a blossom for a hat.
  s.add(ellipsoid({0, 0.65, 0.09}, {0.115, 0.13, 0.085}), 0.03);
  s.add(ball({0, 0.985, 0}, 0.04), 0.02);
  for (const double degrees : {0, 72, 144, 216, 288}) {
    const Matrix3d spin = turned(0, degrees, 0);
    s.add(ellipsoid(Vector3d(0, 0.985, 0) + spin * Vector3d(0, 0, 0.07), {0.04, 0.03, 0.055}, spin * turned(-20, 0, 0)),
          0.012);
  }
  add_eye_pair(s, {.place = {0.05, 0.69, 0.16}, .radius = 0.036});
  carve_line(s,
             {{-0.065, 0.6, 0.15}, {-0.035, 0.575, 0.15}, {0, 0.567, 0.15}, {0.035, 0.575, 0.15}, {0.065, 0.6, 0.15}},
             0.016);
  s.stand(0.02);
  return s;
}

}  // namespace rebound::animals
