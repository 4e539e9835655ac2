#include "sim/model/wind.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

namespace rebound::sim {

namespace {

struct Drag {
  Vec3 n;
  double u_n = 0;  ///< m/s
  double c = 0;    ///< 1/2 rho C A |u_n|, kg/s; 0: none
};

/// Calls visit(vertex, b) with the weights of the triangle's middle.
template <class Visit>
void each_vertex(const SkinTriangle& triangle, const Visit& visit) {
  for (std::size_t corner = 0; corner < 3; ++corner)
    for (std::size_t k = 0; k < 4; ++k)
      if (const double weight = triangle.weights[corner][k]; weight != 0)
        visit(triangle.vertices[corner][k], weight / 3);
}

Drag drag_of(const SkinTriangle& triangle, const Air& air, const State& state) {
  std::array<Vec3, 3> x{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  for (std::size_t corner = 0; corner < 3; ++corner)
    for (std::size_t k = 0; k < 4; ++k)
      if (const double weight = triangle.weights[corner][k]; weight != 0)
        x[corner] += weight * state.x.row(triangle.vertices[corner][k]).transpose();
  Vec3 v = Vec3::Zero();
  each_vertex(triangle, [&](int i, double b) { v += b * state.v.row(i).transpose(); });
  Drag drag;
  const Vec3 twice_area = (x[1] - x[0]).cross(x[2] - x[0]);
  const double length = twice_area.norm();
  if (!(length > 0)) return drag;
  drag.n = twice_area / length;
  drag.u_n = (air.velocity - v).dot(drag.n);
  const bool in_the_lee = triangle.closed && drag.u_n > 0;
  if (!in_the_lee) drag.c = 0.5 * air.density * air.drag * 0.5 * length * std::abs(drag.u_n);
  return drag;
}

/// Of a body as a whole.
struct Whole {
  double M = 0;               ///< kg
  double c = 0;               ///< kg/s
  Vec3 force = Vec3::Zero();  ///< N, of all that acts on it
};

}  // namespace

void push_by_air(const Model& model, std::span<const SkinTriangle> skin, const Air& air, double h, const State& state,
                 const Points& dE, Points& force) {
  std::vector<Drag> drags;
  drags.reserve(skin.size());
  std::vector<double> c(static_cast<std::size_t>(model.vertices()), 0.0);
  // All that acts, with the air's force as it is at the beginning.
  force = -dE;
  for (const SkinTriangle& triangle : skin) {
    const Drag& drag = drags.emplace_back(drag_of(triangle, air, state));
    if (drag.c == 0) continue;
    each_vertex(triangle, [&](int i, double b) {
      c[static_cast<std::size_t>(i)] += b * drag.c;
      force.row(i) += b * drag.c * drag.u_n * drag.n.transpose();
    });
  }
  model.clear_fixed(force);
  std::vector<Whole> wholes;
  for (const auto& [first, count] : model.bodies) {
    Whole& whole = wholes.emplace_back();
    whole.M = model.M.segment(first, count).sum();
    whole.force = force.middleRows(first, count).colwise().sum().transpose();
    for (int i = first; i < first + count; ++i) whole.c += c[static_cast<std::size_t>(i)];
  }

  // What the middle of a triangle gains by that, and what of it the air takes back.
  std::vector<double> F(skin.size(), 0.0);
  for (std::size_t t = 0; t < skin.size(); ++t) {
    const Drag& drag = drags[t];
    if (drag.c == 0) continue;
    double dv = 0, k = 0;
    each_vertex(skin[t], [&](int i, double b) {
      if (model.fixed[static_cast<std::size_t>(i)]) return;
      dv += h * b * force.row(i).dot(drag.n) / model.M[i];
      k += h * b * c[static_cast<std::size_t>(i)] / model.M[i];
    });
    const Whole& whole = wholes[model.body_of(skin[t].vertices[0][0])];
    if (skin[t].closed && k > h * whole.c / whole.M) {
      dv = h * whole.force.dot(drag.n) / whole.M;
      k = h * whole.c / whole.M;
    }
    F[t] = drag.c * std::clamp(drag.u_n - dv / (1 + k), std::min(0.0, drag.u_n), std::max(0.0, drag.u_n));
  }
  force.setZero(state.v.rows(), 3);
  for (std::size_t t = 0; t < skin.size(); ++t)
    if (F[t] != 0) each_vertex(skin[t], [&](int i, double b) { force.row(i) += b * F[t] * drags[t].n.transpose(); });
  model.clear_fixed(force);
}

}  // namespace rebound::sim
