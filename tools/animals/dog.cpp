#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture dog() {
  Sculpture s;
  // Sitting: a pear of a body, haunches, a tail in the air.
  s.add(ellipsoid({0, 0.22, -0.12}, {0.21, 0.23, 0.21}));
  s.add(ellipsoid({0, 0.35, -0.03}, {0.165, 0.19, 0.15}), 0.06);
  s.add_pair(ellipsoid({0.17, 0.15, -0.08}, {0.095, 0.15, 0.16}), 0.025);
  s.add_pair(ellipsoid({0.2, 0.05, 0.08}, {0.075, 0.07, 0.11}), 0.02);
  s.add(tube({{{0, 0.13, -0.3}, 0.06}, {{0, 0.17, -0.42}, 0.055}, {{0, 0.28, -0.47}, 0.05}, {{0, 0.37, -0.43}, 0.045}}),
        0.03);
  // Front legs and paws.
  s.add_pair(cone({{0.1, 0.34, 0.05}, 0.07}, {{0.09, 0.07, 0.13}, 0.06}), 0.025);
  s.add_pair(ellipsoid({0.09, 0.05, 0.165}, {0.07, 0.06, 0.095}), 0.015);
  // Head.
  s.add(ellipsoid({0, 0.73, -0.02}, {0.225, 0.215, 0.2}), 0.03);
  s.add(cone({{0, 0.56, 0.06}, 0.07}, {{0, 0.535, 0.24}, 0.058}), 0.03);  // jaw
  // The long snout, jowls that hang, and the nose to pull.
  s.add(tube({{{0, 0.67, 0.1}, 0.12}, {{0, 0.645, 0.25}, 0.09}, {{0, 0.64, 0.38}, 0.085}}), 0.04);
  s.add_pair(tube({{{0.1, 0.615, 0.12}, 0.065}, {{0.075, 0.585, 0.25}, 0.075}, {{0.05, 0.59, 0.37}, 0.068}}), 0.012);
  s.add(ellipsoid({0, 0.69, 0.45}, {0.085, 0.066, 0.065}), 0.01);
  // The tongue hangs out.
  s.add(tube({{{0, 0.56, 0.28}, 0.04}, {{0, 0.52, 0.345}, 0.042}, {{0, 0.46, 0.365}, 0.042}}), 0.01);
  // Floppy ears.
  s.add_pair(tube({{{0.13, 0.87, -0.04}, 0.055},
                   {{0.26, 0.865, -0.03}, 0.058},
                   {{0.335, 0.75, 0.0}, 0.072},
                   {{0.335, 0.6, 0.03}, 0.08}}),
             0.025);
  add_eyes(s, {.place = {0.095, 0.835, 0.17}, .width = 0.05, .height = 0.066, .pupil = 0.45});
  s.stand();
  return s;
}

}  // namespace rebound::animals
