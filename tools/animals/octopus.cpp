#include "characters.hpp"
#include "face.hpp"

namespace rebound::animals {

Sculpture octopus() {
  Sculpture s;
  s.add(ellipsoid({0, 0.69, -0.03}, {0.29, 0.3, 0.28}));
  s.add(ellipsoid({0, 0.46, 0}, {0.23, 0.16, 0.23}), 0.1);
  // Eight thick tentacles; none points straight at the viewer.
  for (int i = 0; i < 8; ++i) {
    const Matrix3d spin = turned(0, 22.5 + 45 * i, 0);
    const double curl = i % 2 == 0 ? 0.1 : 0.04;  // every other tip is raised higher
    const auto bead = [&](double out, double up, double aside, double radius) {
      return Bead{spin * Vector3d(aside, up, out), radius};
    };
    s.add(tube({bead(0.14, 0.37, 0, 0.09), bead(0.27, 0.2, 0, 0.085), bead(0.42, 0.068, 0, 0.075),
                bead(0.57, 0.052, 0.02, 0.062), bead(0.65, 0.1 + curl, 0.04, 0.05),
                bead(0.62, 0.15 + 1.5 * curl, 0.05, 0.042)}),
          0.04);
  }
  add_eyes(s, {.place = {0.125, 0.7, 0.27}, .width = 0.055, .height = 0.074, .pupil = 0.46});
  carve_smile(s, {.middle = {0, 0.53, 0.25}, .half_width = 0.085, .rise = 0.04, .back = 0.03, .radius = 0.018});
  s.stand();
  return s;
}

}  // namespace rebound::animals
