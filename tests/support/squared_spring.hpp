// The spring of [Dinev18 Eq. 7]: a mass of 0.5 kg on a squared spring of rest length 1 m to the origin, k = 1e5 N/m^3,
// let go at (1.5, 0, 0) m with (0, 10, 0) m/s.
#pragma once

#include "support/worlds.hpp"

namespace rebound::test {

inline constexpr double kSquaredSpringStiffness = 1e5;  // N/m^3
inline constexpr double kSquaredSpringMass = 0.5;       // kg
/// The paper's two time steps (s): Fig. 2, left and right.
inline constexpr double kSmallStep = 0.00033, kLargeStep = 0.033;

/// Vertex 1 is the mass, vertex 0 the fixed origin. Newton, to convergence.
inline session::Session squared_spring(std::string_view integrator, double h) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.timeStep = h;
  d.integrator.type = integrator;
  d.solver.type = "newton";
  d.solver.iterations = 200;
  scene::Body body;
  body.mesh = scene::InlineMesh{{{0, 0, 0}, {1.5, 0, 0}}, {{0, 1}}, {}};
  body.material.model = "springs";
  body.material.law = "squared";
  body.material.stiffness = kSquaredSpringStiffness;
  body.material.restLengths = {1};
  body.masses = {1, kSquaredSpringMass};
  body.velocities = {{0, 0, 0}, {0, 10, 0}};
  body.fixed = std::vector<int>{0};
  d.bodies.push_back(body);
  return open(d);
}

}  // namespace rebound::test
