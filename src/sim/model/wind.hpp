// Air that moves: drag on the triangles of the bodies' skin.
//
//   F = 1/2 rho C A |u_n| u_n n,   u = air - (velocity of the triangle's middle),   u_n = u . n
//
// On a closed skin only where the air meets it from outside; a sheet is met on both sides. It is the force of the
// step's beginning, less what it loses as the triangle goes along with the air in the step. By all that acts on its
// vertices, the air included, its middle would gain dv along n; as the air then does less, it gains
//   dv / (1 + k),   k: how much of dv the air alone would take back, h sum_i b_i c_i / M_i
// with b_i its vertices' weights and c_i what the air's c = 1/2 rho C A |u_n| comes to there. A triangle of a solid
// takes the body along, if that is heavier. So what is held, and what falls no faster, feels the whole force in steps
// of any length, and what is light is not thrown back against the air.
#pragma once

#include "sim/model/model.hpp"
#include "sim/model/state.hpp"

namespace rebound::sim {

/// Three points of a body's surface, each a mean of up to four vertices.
struct SkinTriangle {
  std::array<std::array<int, 4>, 3> vertices;
  std::array<std::array<double, 4>, 3> weights;
  bool closed = false;  ///< counter-clockwise seen from outside
};

struct Air {
  Vec3 velocity = Vec3::Zero();  ///< m/s
  double density = 1.2;          ///< kg/m^3
  double drag = 1.2;             ///< C, -; of a plate across the flow
};

/// force := what the air does in a step of h seconds, n x 3, N; zero at fixed vertices. dE: n x 3, N, the gradient of
/// what else acts, at state.x.
void push_by_air(const Model& model, std::span<const SkinTriangle> skin, const Air& air, double h, const State& state,
                 const Points& dE, Points& force);

}  // namespace rebound::sim
