// Worlds with obstacles, for tests of sessions.
#pragma once

#include "support/worlds.hpp"

namespace rebound::test {

inline constexpr double kG = 9.81;

inline scene::Obstacle ground(double stiffness, double friction = 0) {
  scene::Obstacle obstacle;
  obstacle.name = "ground";
  obstacle.shape = scene::PlaneShape{};
  obstacle.stiffness = stiffness;
  obstacle.friction = friction;
  return obstacle;
}

inline scene::Obstacle ball(double radius, const scene::Vec3& centre, double stiffness) {
  scene::Obstacle obstacle = ground(stiffness);
  obstacle.shape = scene::SphereShape{radius};
  obstacle.transform.translate = centre;
  return obstacle;
}

/// A vertex of 1 kg, `height` above the origin.
inline scene::Description falling_point(double height, const scene::Obstacle& obstacle) {
  scene::Description d;
  scene::Body body;
  body.name = "point";
  body.mesh = scene::InlineMesh{{{0, height, 0}}, {}, {}};
  body.material.model = "springs";
  body.masses = {1};
  d.bodies.push_back(body);
  d.obstacles.push_back(obstacle);
  d.solver.iterations = 50;
  return d;
}

inline scene::Description falling_cube(int divisions, double height, const scene::Obstacle& obstacle) {
  scene::Description d;
  d.bodies.push_back(cube_body(divisions, 1e5));
  d.bodies[0].transform = {{0, height + 0.5, 0}, {{1, 0, 1}, 20}, 1};
  d.obstacles.push_back(obstacle);
  return d;
}

inline double height(const session::Session& s) { return s.state().x(0, 1); }
inline sim::Vec3 momentum(const session::Session& s) { return (s.model().M.transpose() * s.state().v).transpose(); }
inline sim::Vec3 middle(const session::Session& s) {
  return (s.model().M.transpose() * s.state().x).transpose() / s.model().M.sum();
}
inline double taken(const session::Session& s, sim::Dissipated cause) {
  return s.record().dissipated[static_cast<int>(cause)];
}
inline double booked(const session::Session& s, sim::Added cause) { return s.record().added[static_cast<int>(cause)]; }

}  // namespace rebound::test
