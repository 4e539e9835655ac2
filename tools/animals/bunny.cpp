#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture bunny() {
  Sculpture s;
  // A pear of a body, with a chest.
  s.add(ellipsoid({0, 0.24, -0.03}, {0.235, 0.25, 0.225}));
  s.add(ellipsoid({0, 0.34, 0.03}, {0.17, 0.17, 0.15}), 0.06);
  s.add(ball({0, 0.13, -0.28}, 0.095), 0.015);  // tail
  // Haunches and big hind feet.
  s.add_pair(ellipsoid({0.17, 0.17, 0.02}, {0.11, 0.15, 0.155}, turned(-15, 0, -8)), 0.025);
  s.add_pair(ellipsoid({0.16, 0.04, 0.19}, {0.072, 0.065, 0.135}, turned(0, 12, 0)), 0.02);
  // Head and cheeks.
  s.add(ellipsoid({0, 0.565, 0.05}, {0.2, 0.175, 0.18}), 0.03);
  s.add_pair(ellipsoid({0.1, 0.525, 0.12}, {0.1, 0.085, 0.09}), 0.04);
  // Arms, paws together on the belly.
  s.add_pair(tube({{{0.16, 0.38, 0.07}, 0.055}, {{0.155, 0.29, 0.17}, 0.055}, {{0.075, 0.27, 0.225}, 0.052}}), 0.02);
  // Ears, hollow in front.
  s.add_pair(tube({{{0.075, 0.68, 0.02}, 0.05},
                   {{0.115, 0.78, 0.0}, 0.066},
                   {{0.155, 0.89, -0.015}, 0.068},
                   {{0.18, 0.965, -0.02}, 0.045}}),
             0.03);
  s.carve_pair(tube({{{0.105, 0.765, 0.075}, 0.024}, {{0.15, 0.87, 0.07}, 0.036}, {{0.172, 0.94, 0.045}, 0.022}}),
               0.02);
  // Muzzle, nose, buck teeth.
  s.add_pair(ellipsoid({0.042, 0.505, 0.215}, {0.055, 0.045, 0.045}), 0.012);
  s.add(ellipsoid({0, 0.463, 0.21}, {0.038, 0.045, 0.032}), 0.008);
  s.carve(tube({{{0, 0.46, 0.25}, 0.008}, {{0, 0.41, 0.25}, 0.008}}), 0.004);
  s.add(ellipsoid({0, 0.548, 0.245}, {0.034, 0.024, 0.026}), 0.008);
  add_eye_pair(s, {.place = {0.085, 0.615, 0.21}, .radius = 0.043, .gaze = {0.15, 0.05, 1}});
  s.stand();
  return s;
}

}  // namespace rebound::animals
