#include "sim/model/wind.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace rebound::sim {

void push_by_air(const Model& model, std::span<const SkinTriangle> skin, const Air& air, double h, const State& state,
                 Points& dv) {
  // A vertex belongs to about six triangles, of which each has a third.
  constexpr double kShareOfVertex = 0.5;
  dv.setZero(state.v.rows(), 3);
  for (const SkinTriangle& triangle : skin) {
    std::array<Vec3, 3> x{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    Vec3 v = Vec3::Zero();
    double mass = 0;
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t k = 0; k < 4; ++k) {
        const double weight = triangle.weights[c][k];
        if (weight == 0) continue;
        const int i = triangle.vertices[c][k];
        x[c] += weight * state.x.row(i).transpose();
        v += weight / 3 * state.v.row(i).transpose();
        mass += kShareOfVertex * weight / 3 * model.M[i];
      }
    const Vec3 twice_area = (x[1] - x[0]).cross(x[2] - x[0]);
    const double length = twice_area.norm();
    if (!(length > 0)) continue;
    const Vec3 n = twice_area / length;
    const double u_n = (air.velocity - v).dot(n);
    if (triangle.closed && u_n > 0) continue;                                      // in the lee
    const double c = 0.5 * air.density * air.drag * 0.5 * length * std::abs(u_n);  // kg/s
    // Implicit in u_n, so that a long step does not throw a light triangle back against the air.
    const Vec3 impulse = h * c * u_n / (1 + h * c / mass) * n;
    for (std::size_t corner = 0; corner < 3; ++corner)
      for (std::size_t k = 0; k < 4; ++k)
        if (const double weight = triangle.weights[corner][k]; weight != 0)
          dv.row(triangle.vertices[corner][k]) += weight / 3 * impulse.transpose();
  }
  for (Eigen::Index i = 0; i < dv.rows(); ++i) dv.row(i) /= model.M[i];
  model.clear_fixed(dv);
}

}  // namespace rebound::sim
