#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture cow() {
  Sculpture s;
  // A calf: a short barrel, four legs, an udder.
  s.add(ellipsoid({0, 0.46, -0.13}, {0.23, 0.22, 0.32}));
  for (const double z : {-0.32, 0.04})
    s.add_pair(cone({{0.125, 0.34, z}, 0.085}, {{0.135, 0.06, z + 0.01}, 0.072}), 0.03);
  s.add(ellipsoid({0, 0.27, -0.22}, {0.1, 0.075, 0.09}), 0.03);
  for (const double z : {-0.26, -0.18}) s.add_pair(cone({{0.045, 0.22, z}, 0.03}, {{0.05, 0.17, z}, 0.03}), 0.012);
  s.add(
      tube({{{0, 0.55, -0.42}, 0.036}, {{0, 0.52, -0.5}, 0.034}, {{0, 0.38, -0.53}, 0.033}, {{0, 0.3, -0.53}, 0.055}}),
      0.02);
  // Head, broad muzzle, a tuft between the horns.
  s.add(ellipsoid({0, 0.71, 0.2}, {0.2, 0.19, 0.18}), 0.06);
  s.add(ellipsoid({0, 0.625, 0.34}, {0.165, 0.11, 0.11}), 0.03);
  s.add(ellipsoid({0, 0.88, 0.25}, {0.06, 0.045, 0.055}), 0.02);
  s.add_pair(tube({{{0.1, 0.85, 0.17}, 0.045}, {{0.15, 0.92, 0.17}, 0.04}, {{0.15, 0.985, 0.185}, 0.032}}), 0.015);
  // Ears to the sides, hollow in front.
  s.add_pair(ellipsoid({0.265, 0.775, 0.16}, {0.115, 0.062, 0.045}, turned(0, -5, -15)), 0.02);
  carve_dimple_pair(s, {0.29, 0.77, 0.22}, 0.06, 0.02, 0.02);
  add_eyes(s, {.place = {0.095, 0.755, 0.36}, .width = 0.042, .height = 0.058});
  carve_dimple_pair(s, {0.06, 0.675, 0.45}, 0.026, 0.02);
  carve_smile(s, {.middle = {0, 0.575, 0.45}, .half_width = 0.1, .rise = 0.035, .back = 0.03, .radius = 0.015});
  s.stand();
  return s;
}

}  // namespace rebound::animals
