#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture hippo() {
  Sculpture s;
  // A barrel on four stubs.
  s.add(ellipsoid({0, 0.43, -0.14}, {0.33, 0.32, 0.4}));
  for (const double z : {-0.36, 0.06}) s.add_pair(cone({{0.19, 0.22, z}, 0.11}, {{0.2, 0.06, z + 0.01}, 0.115}), 0.03);
  s.add(tube({{{0, 0.5, -0.5}, 0.04}, {{0, 0.47, -0.58}, 0.034}, {{0, 0.4, -0.61}, 0.045}}), 0.015);
  // Head and an enormous snout.
  s.add(ellipsoid({0, 0.63, 0.22}, {0.22, 0.2, 0.22}), 0.05);
  s.add(ellipsoid({0, 0.51, 0.42}, {0.27, 0.165, 0.19}), 0.05);
  s.add_pair(ball({0.12, 0.575, 0.5}, 0.105), 0.05);
  // The lower jaw shows as the smile's lower lip.
  s.add(ellipsoid({0, 0.4, 0.37}, {0.19, 0.1, 0.17}), 0.02);
  carve_smile(s, {.middle = {0, 0.425, 0.65}, .half_width = 0.27, .rise = 0.11, .back = 0.3, .radius = 0.018});
  carve_dimple_pair(s, {0.1, 0.66, 0.57}, 0.034, 0.026);
  // Little ears and eyes on top.
  s.add_pair(ellipsoid({0.175, 0.81, 0.14}, {0.062, 0.07, 0.045}, turned(0, 20, -30)), 0.015);
  carve_dimple_pair(s, {0.185, 0.825, 0.2}, 0.045, 0.022);
  add_eyes(s, {.place = {0.105, 0.745, 0.37}, .width = 0.046, .height = 0.06});
  s.stand();
  return s;
}

}  // namespace rebound::animals
