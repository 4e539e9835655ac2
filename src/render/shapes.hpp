// Triangulated solids of simple form: obstacles on the screen, demonstrations, tests.
#pragma once

#include <vector>

#include "render/geometry.hpp"

namespace rebound::render {

struct Shape {
  std::vector<float> positions;  ///< xyz, metres
  std::vector<Triangle> triangles;
};

/// Centred at the origin, edges of the given lengths, each face cut into `divisions` x `divisions` squares.
Shape make_box(const Vec3& size, int divisions = 1);
/// Centred at the origin; a cube's faces blown up, so that there are no poles.
Shape make_sphere(float radius, int divisions = 16);
/// The axis joins the centres of the two end caps.
Shape make_capsule(const Vec3& from, const Vec3& to, float radius, int divisions = 16);
/// Round the y axis: `ring_radius` to the middle of the tube.
Shape make_torus(float ring_radius, float tube_radius, int ring_divisions = 64, int tube_divisions = 24);
/// In the xz plane, centred, normals up.
Shape make_sheet(float size_x, float size_z, int divisions_x, int divisions_z);

}  // namespace rebound::render
