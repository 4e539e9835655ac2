#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture bunny() {
  Sculpture s;
  // A pear of a body, with a chest and a round tail.
  s.add(ellipsoid({0, 0.21, -0.04}, {0.225, 0.235, 0.215}));
  s.add(ellipsoid({0, 0.31, 0.03}, {0.165, 0.16, 0.14}), 0.06);
  s.add(ball({0, 0.12, -0.27}, 0.095), 0.015);
  // Haunches and big hind feet.
  s.add_pair(ellipsoid({0.165, 0.16, 0.02}, {0.105, 0.14, 0.15}, turned(-15, 0, -8)), 0.025);
  s.add_pair(ellipsoid({0.155, 0.045, 0.19}, {0.075, 0.07, 0.135}, turned(0, 12, 0)), 0.02);
  // A big head with cheeks.
  s.add(ellipsoid({0, 0.55, 0.05}, {0.225, 0.19, 0.195}), 0.03);
  s.add_pair(ellipsoid({0.115, 0.5, 0.11}, {0.11, 0.09, 0.1}), 0.04);
  // Arms, paws on the belly.
  s.add_pair(tube({{{0.155, 0.36, 0.07}, 0.052}, {{0.155, 0.27, 0.165}, 0.054}, {{0.075, 0.245, 0.22}, 0.052}}), 0.02);
  // Ears, hollow in front.
  s.add_pair(tube({{{0.085, 0.68, 0.02}, 0.055},
                   {{0.125, 0.785, 0.0}, 0.072},
                   {{0.165, 0.89, -0.015}, 0.073},
                   {{0.19, 0.955, -0.02}, 0.052}}),
             0.03);
  s.carve_pair(tube({{{0.115, 0.77, 0.085}, 0.026}, {{0.16, 0.87, 0.075}, 0.042}, {{0.182, 0.94, 0.045}, 0.024}}),
               0.02);
  // Muzzle, nose, buck teeth.
  s.add_pair(ellipsoid({0.042, 0.485, 0.23}, {0.055, 0.042, 0.042}), 0.01);
  s.add(ellipsoid({0, 0.445, 0.215}, {0.036, 0.045, 0.034}), 0.008);
  s.carve(tube({{{0, 0.445, 0.255}, 0.009}, {{0, 0.39, 0.25}, 0.009}}), 0.004);
  s.add(ellipsoid({0, 0.525, 0.265}, {0.034, 0.024, 0.026}), 0.008);
  add_eyes(s, {.place = {0.1, 0.59, 0.24}, .width = 0.042, .height = 0.058});
  s.stand();
  return s;
}

}  // namespace rebound::animals
