#include "face.hpp"

namespace rebound::animals {
namespace {

void carve_line(Sculpture& sculpture, const std::vector<Vector3d>& path, double radius) {
  // More points than are given, or the line would dive under the skin between them.
  constexpr int kPieces = 2;
  std::vector<Bead> beads;
  for (std::size_t i = 0; i + 1 < path.size(); ++i)
    for (int k = 0; k < kPieces; ++k) {
      const double t = static_cast<double>(k) / kPieces;
      beads.push_back({sculpture.on_surface((1 - t) * path[i] + t * path[i + 1]), radius});
    }
  beads.push_back({sculpture.on_surface(path.back()), radius});
  // A rounder rim than the groove itself: a sharp lip would look torn in a mesh this coarse.
  sculpture.carve(tube(beads), 1.3 * radius);
}

}  // namespace

void add_eyes(Sculpture& sculpture, const Eyes& eyes) {
  const Vector3d on_head = sculpture.on_surface(eyes.place);
  const Vector3d outwards = sculpture.normal(on_head);
  const Vector3d sideways = Vector3d::UnitY().cross(outwards).normalized();
  Matrix3d turn;
  turn << sideways, outwards.cross(sideways), outwards;
  // Half of the ellipsoid's depth is under the skin.
  sculpture.add_pair(ellipsoid(on_head, {eyes.width, eyes.height, eyes.bulge * eyes.width}, turn), 0.15 * eyes.width);
  if (eyes.pupil <= 0) return;
  const Vector3d gaze = (outwards + Vector3d::UnitZ()).normalized();
  carve_dimple_pair(sculpture, on_head + eyes.bulge * eyes.width * gaze, eyes.pupil * eyes.width,
                    0.55 * eyes.pupil * eyes.width, 0.1 * eyes.width);
}

void carve_smile(Sculpture& sculpture, const Smile& smile) {
  std::vector<Vector3d> path;
  constexpr int kHalf = 4;
  for (int i = -kHalf; i <= kHalf; ++i) {
    const double t = static_cast<double>(i) / kHalf;
    path.push_back(smile.middle + Vector3d(t * smile.half_width, t * t * smile.rise, -t * t * smile.back));
  }
  carve_line(sculpture, path, smile.radius);
}

void carve_dimple_pair(Sculpture& sculpture, const Vector3d& place, double radius, double depth, double blend) {
  const Vector3d on_skin = sculpture.on_surface(place);
  sculpture.carve_pair(ball(on_skin + (radius - depth) * sculpture.normal(on_skin), radius), blend);
}

}  // namespace rebound::animals
