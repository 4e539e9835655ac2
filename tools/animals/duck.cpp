#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture duck() {
  Sculpture s;
  // A bath duck: a boat of a body whose stern turns up.
  s.add(ellipsoid({0, 0.235, -0.05}, {0.32, 0.26, 0.4}));
  s.add(tube({{{0, 0.3, -0.25}, 0.18}, {{0, 0.42, -0.43}, 0.1}, {{0, 0.52, -0.5}, 0.05}}), 0.08);
  s.add(ball({0, 0.3, 0.18}, 0.22), 0.06);
  s.add_pair(tube({{{0.245, 0.3, 0.1}, 0.1},
                   {{0.275, 0.31, -0.08}, 0.105},
                   {{0.29, 0.4, -0.26}, 0.065},
                   {{0.3, 0.48, -0.33}, 0.035}}),
             0.015);
  // Head, cowlick, bill with a slit.
  s.add(ellipsoid({0, 0.7, 0.14}, {0.24, 0.225, 0.225}), 0.05);
  s.add(tube({{{0, 0.88, 0.1}, 0.07}, {{0, 0.96, 0.07}, 0.05}, {{0, 0.985, 0.0}, 0.04}, {{0, 0.95, -0.06}, 0.034}}),
        0.03);
  s.add(ellipsoid({0, 0.67, 0.41}, {0.12, 0.048, 0.14}, turned(-12, 0, 0)), 0.015);
  s.add(ellipsoid({0, 0.612, 0.385}, {0.1, 0.045, 0.105}, turned(8, 0, 0)), 0.008);
  carve_dimple_pair(s, {0.04, 0.74, 0.44}, 0.014, 0.012, 0.006);
  add_eyes(s, {.place = {0.105, 0.775, 0.33}, .width = 0.045, .height = 0.062});
  s.stand();
  return s;
}

}  // namespace rebound::animals
