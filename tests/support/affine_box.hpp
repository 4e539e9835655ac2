// A box that is an affine body, in whole worlds for tests.
#pragma once

#include <Eigen/LU>
#include <array>

#include "sim/energy/signed_svd.hpp"
#include "support/worlds.hpp"

namespace rebound::test {

inline constexpr std::array<double, 3> kBoxSize{1, 0.5, 0.2};

/// A free box of three different sides that spins about the middle one, a little off.
inline scene::Description tumbling_box(const char* integrator, double h, double stiffness) {
  scene::Description d;
  d.gravity = {0, 0, 0};
  d.timeStep = h;
  d.integrator.type = integrator;
  d.solver.type = "newton";
  scene::Body body;
  body.name = "box";
  body.mesh = scene::BoxMesh{{kBoxSize[0], kBoxSize[1], kBoxSize[2]}, {4, 2, 1}, 5};
  body.material.model = "affine";
  body.material.rigidity = stiffness;
  body.angularVelocity = {0.02, 6, 0.02};
  d.bodies.push_back(body);
  return d;
}

/// R of F = R S of the whole body, from rest.
inline Eigen::Matrix3d turn_of(const session::Session& s, std::size_t body = 0) {
  const auto [first, count] = s.model().bodies[body];
  const sim::Points& rest = s.world().bodies[body].rest;
  Eigen::Matrix3d now, then;
  for (int k = 0; k < 3; ++k) {
    now.col(k) = (s.state().x.row(first + k + 1) - s.state().x.row(first)).transpose();
    then.col(k) = (rest.row(k + 1) - rest.row(0)).transpose();
  }
  const sim::SignedSvd svd = sim::signed_svd(now * then.inverse());
  return svd.U * svd.V.transpose();
}

}  // namespace rebound::test
