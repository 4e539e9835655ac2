#include "face.hpp"

namespace rebound::animals {

void add_eye_pair(Sculpture& sculpture, const Eye& eye) {
  const Vector3d on_head = sculpture.on_surface(eye.place);
  const Vector3d center = on_head - eye.sunk * eye.radius * sculpture.normal(on_head);
  sculpture.add_pair(ball(center, eye.radius), 0.2 * eye.radius);
  if (eye.pupil <= 0) return;
  // A ball that meets the eye in a circle of the pupil's radius, and goes in by about two thirds of it.
  const double pupil = eye.pupil * eye.radius;
  const Vector3d gaze = eye.gaze.normalized();
  sculpture.carve_pair(ball(center + (eye.radius + 0.2 * pupil) * gaze, pupil), 0.15 * eye.radius);
}

void carve_line(Sculpture& sculpture, const std::vector<Vector3d>& path, double radius, double blend) {
  // More points than are given, or the line would dive under the skin between them.
  constexpr int kPieces = 4;
  std::vector<Bead> beads;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    for (int k = 0; k < kPieces; ++k) {
      const double t = static_cast<double>(k) / kPieces;
      beads.push_back({sculpture.on_surface((1 - t) * path[i] + t * path[i + 1]), radius});
    }
  beads.push_back({sculpture.on_surface(path.back()), radius});
  sculpture.carve(tube(beads), blend);
}

void carve_dimple_pair(Sculpture& sculpture, const Vector3d& place, double radius, double depth, double blend) {
  const Vector3d on_skin = sculpture.on_surface(place);
  sculpture.carve_pair(ball(on_skin + (radius - depth) * sculpture.normal(on_skin), radius), blend);
}

}  // namespace rebound::animals
