#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture frog() {
  Sculpture s;
  // A squat body and a wide head in one.
  s.add(ellipsoid({0, 0.29, -0.08}, {0.3, 0.27, 0.3}));
  s.add(ellipsoid({0, 0.5, 0.1}, {0.32, 0.22, 0.27}), 0.1);
  // Eyes on two hills.
  s.add_pair(ball({0.17, 0.71, 0.12}, 0.12), 0.03);
  add_eyes(s, {.place = {0.185, 0.745, 0.25}, .width = 0.065, .height = 0.075, .bulge = 0.55, .pupil = 0.5});
  carve_smile(s, {.middle = {0, 0.43, 0.36}, .half_width = 0.27, .rise = 0.1, .back = 0.2, .radius = 0.017});
  carve_dimple_pair(s, {0.04, 0.6, 0.35}, 0.016, 0.013, 0.008);
  // Folded hind legs, flat feet; front legs straight.
  s.add_pair(ellipsoid({0.3, 0.2, -0.12}, {0.12, 0.16, 0.22}, turned(20, 15, 0)), 0.03);
  s.add_pair(tube({{{0.33, 0.06, -0.2}, 0.06}, {{0.38, 0.045, 0.0}, 0.055}, {{0.42, 0.04, 0.14}, 0.06}}), 0.02);
  s.add_pair(tube({{{0.2, 0.34, 0.2}, 0.075}, {{0.22, 0.18, 0.3}, 0.06}, {{0.2, 0.06, 0.32}, 0.058}}), 0.03);
  for (const double aside : {-0.07, 0.0, 0.07}) {
    s.add_pair(cone({{0.2, 0.045, 0.33}, 0.04}, {{0.2 + aside, 0.035, 0.42}, 0.038}), 0.012);
    s.add_pair(cone({{0.42, 0.045, 0.14}, 0.04}, {{0.43 + aside, 0.035, 0.25}, 0.038}), 0.012);
  }
  s.stand(0.02);
  return s;
}

}  // namespace rebound::animals
