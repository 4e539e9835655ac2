#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture dinosaur() {
  Sculpture s;
  s.add(ellipsoid({0, 0.32, -0.12}, {0.235, 0.215, 0.28}));
  for (const double z : {-0.26, 0.03}) s.add_pair(cone({{0.13, 0.2, z}, 0.09}, {{0.15, 0.05, z}, 0.095}), 0.03);
  // The long neck and the tail balance each other.
  s.add(tube({{{0, 0.35, 0.0}, 0.16}, {{0, 0.46, 0.17}, 0.115}, {{0, 0.62, 0.22}, 0.088}, {{0, 0.8, 0.21}, 0.085}}),
        0.05);
  s.add(tube({{{0, 0.3, -0.28}, 0.15}, {{0, 0.2, -0.46}, 0.1}, {{0, 0.17, -0.62}, 0.068}, {{0, 0.24, -0.75}, 0.045}}),
        0.05);
  // A big soft head: skull, muzzle, cheeks.
  s.add(ellipsoid({0, 0.875, 0.24}, {0.15, 0.135, 0.15}), 0.03);
  s.add(ellipsoid({0, 0.825, 0.36}, {0.14, 0.095, 0.11}), 0.04);
  // Knobs along the back.
  const Bead knobs[] = {{{0, 0.93, 0.08}, 0.035},  {{0, 0.76, 0.1}, 0.038},  {{0, 0.6, 0.08}, 0.042},
                        {{0, 0.56, -0.06}, 0.046}, {{0, 0.56, -0.2}, 0.046}, {{0, 0.42, -0.36}, 0.042},
                        {{0, 0.33, -0.48}, 0.038}, {{0, 0.27, -0.6}, 0.034}};
  for (const Bead& knob : knobs) {
    const Vector3d on_back = s.on_surface(knob.center);
    const Vector3d tip = on_back + 0.8 * knob.radius * s.normal(on_back);
    s.add(cone({on_back, knob.radius}, {tip, 0.6 * knob.radius}), 0.015);
  }
  add_eyes(s, {.place = {0.085, 0.96, 0.34}, .width = 0.046, .height = 0.06, .bulge = 0.95, .pupil = 0.45});
  carve_smile(s, {.middle = {0, 0.785, 0.46}, .half_width = 0.13, .rise = 0.07, .back = 0.12, .radius = 0.014});
  carve_dimple_pair(s, {0.04, 0.865, 0.47}, 0.017, 0.014, 0.006);
  s.stand();
  return s;
}

}  // namespace rebound::animals
