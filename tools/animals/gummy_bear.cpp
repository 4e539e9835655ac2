#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture gummy_bear() {
  Sculpture s;
  s.add(ellipsoid({0, 0.305, -0.01}, {0.25, 0.325, 0.21}));
  s.add(ellipsoid({0, 0.27, 0.08}, {0.19, 0.19, 0.18}), 0.06);  // belly
  s.add(ball({0, 0.115, -0.19}, 0.065), 0.03);                  // tail
  // Head, round ears, snout.
  s.add(ellipsoid({0, 0.74, 0.02}, {0.225, 0.2, 0.19}), 0.05);
  s.add_pair(ellipsoid({0.165, 0.905, 0}, {0.085, 0.085, 0.065}), 0.03);
  carve_dimple_pair(s, {0.17, 0.91, 0.08}, 0.06, 0.025, 0.02);
  s.add(ellipsoid({0, 0.685, 0.18}, {0.105, 0.08, 0.085}), 0.03);
  s.add(ellipsoid({0, 0.725, 0.26}, {0.042, 0.03, 0.03}), 0.01);
  // Stubby arms and legs, held out for a hug.
  s.add_pair(tube({{{0.2, 0.5, 0.06}, 0.08}, {{0.235, 0.45, 0.17}, 0.08}, {{0.19, 0.44, 0.27}, 0.075}}), 0.05);
  s.add_pair(tube({{{0.14, 0.1, 0.08}, 0.11}, {{0.165, 0.095, 0.25}, 0.105}}), 0.05);
  s.add_pair(ellipsoid({0.168, 0.11, 0.31}, {0.1, 0.12, 0.06}), 0.03);
  carve_dimple_pair(s, {0.17, 0.115, 0.38}, 0.08, 0.02, 0.02);
  const Vector3d navel = s.on_surface({0, 0.27, 0.27});
  s.carve(ball(navel + Vector3d(0, 0, 0.008), 0.022), 0.015);
  add_eyes(s, {.place = {0.085, 0.785, 0.2}, .width = 0.032, .height = 0.04});
  carve_smile(s, {.middle = {0, 0.655, 0.27}, .half_width = 0.055, .rise = 0.025, .back = 0.02, .radius = 0.013});
  s.stand();
  return s;
}

}  // namespace rebound::animals
