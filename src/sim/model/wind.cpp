#include "sim/model/wind.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

namespace rebound::sim {

namespace {

struct Drag {
  Vec3 n;
  double u_n = 0;   ///< m/s
  double c = 0;     ///< 1/2 rho C A |u_n|, kg/s; 0: none
  double mass = 0;  ///< kg, of the triangle alone
};

Drag drag_of(const Model& model, const SkinTriangle& triangle, const Air& air, const State& state) {
  // A vertex belongs to about six triangles, of which each has a third.
  constexpr double kShareOfVertex = 0.5;
  std::array<Vec3, 3> x{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  Vec3 v = Vec3::Zero();
  Drag drag;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t k = 0; k < 4; ++k) {
      const double weight = triangle.weights[c][k];
      if (weight == 0) continue;
      const int i = triangle.vertices[c][k];
      x[c] += weight * state.x.row(i).transpose();
      v += weight / 3 * state.v.row(i).transpose();
      drag.mass += kShareOfVertex * weight / 3 * model.M[i];
    }
  const Vec3 twice_area = (x[1] - x[0]).cross(x[2] - x[0]);
  const double length = twice_area.norm();
  if (!(length > 0)) return drag;
  drag.n = twice_area / length;
  drag.u_n = (air.velocity - v).dot(drag.n);
  const bool in_the_lee = triangle.closed && drag.u_n > 0;
  if (!in_the_lee) drag.c = 0.5 * air.density * air.drag * 0.5 * length * std::abs(drag.u_n);
  return drag;
}

}  // namespace

void push_by_air(const Model& model, std::span<const SkinTriangle> skin, const Air& air, double h, const State& state,
                 Points& force) {
  force.setZero(state.v.rows(), 3);
  std::vector<Drag> drags;
  drags.reserve(skin.size());
  std::vector<double> of_body(model.bodies.size(), 0.0);  // kg/s, all that meets it
  const auto body = [&](const SkinTriangle& triangle) { return model.body_of(triangle.vertices[0][0]); };
  for (const SkinTriangle& triangle : skin) {
    drags.push_back(drag_of(model, triangle, air, state));
    of_body[body(triangle)] += drags.back().c;
  }
  std::vector<double> masses;
  for (const BodyRange& range : model.bodies) masses.push_back(model.M.segment(range.first, range.count).sum());
  for (std::size_t t = 0; t < skin.size(); ++t) {
    const SkinTriangle& triangle = skin[t];
    const Drag& drag = drags[t];
    if (drag.c == 0) continue;
    const std::size_t b = body(triangle);
    const double mass = triangle.closed ? std::max(drag.mass, masses[b] * drag.c / of_body[b]) : drag.mass;
    // Implicit in u_n, so that a long step does not throw something light back against the air.
    const Vec3 F = drag.c * drag.u_n / (1 + h * drag.c / mass) * drag.n;
    for (std::size_t corner = 0; corner < 3; ++corner)
      for (std::size_t k = 0; k < 4; ++k)
        if (const double weight = triangle.weights[corner][k]; weight != 0)
          force.row(triangle.vertices[corner][k]) += weight / 3 * F.transpose();
  }
  model.clear_fixed(force);
}

}  // namespace rebound::sim
