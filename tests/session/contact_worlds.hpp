// Worlds with obstacles, for tests of sessions.
#pragma once

#include <gtest/gtest.h>

#include <numbers>

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

inline constexpr double kSlope = 0.5;  // its tangent

/// A block of 16 kg that lies on a slope.
inline scene::Description block_on_slope(double friction, const char* solver, double h) {
  constexpr double kHalf = 0.1, kStiffness = 1e5;
  const double angle = std::atan(kSlope);
  const sim::Vec3 normal(std::sin(angle), std::cos(angle), 0);
  auto d = falling_cube(1, 0, ground(kStiffness, friction));
  d.obstacles[0].shape = scene::PlaneShape{{normal.x(), normal.y(), normal.z()}, 0};
  scene::Body& block = d.bodies[0];
  block.mesh = scene::BoxMesh{{0.4, 2 * kHalf, 0.4}, {3, 2, 3}, 5};
  block.material.young = 1e6;
  block.material.density = 500;
  const sim::Vec3 centre = (kHalf - 16 * kG * std::cos(angle) / (16 * kStiffness)) * normal;
  block.transform = {{centre.x(), centre.y(), centre.z()}, {{0, 0, 1}, -angle * 180 / std::numbers::pi}, 1};
  d.solver.type = solver;
  d.solver.iterations = std::string(solver) == "newton" ? 50 : 10;
  d.integrator.type = "backward-euler";
  d.timeStep = h;
  return d;
}

inline double downhill(const session::Session& s) {
  const double angle = std::atan(kSlope);
  return middle(s).dot(sim::Vec3(std::cos(angle), -std::sin(angle), 0));
}

/// How far it goes downhill in so many seconds, m.
inline double slides(session::Session& s, double seconds) {
  const double before = downhill(s);
  const auto frames = std::lround(seconds / s.description().timeStep);
  for (long frame = 0; frame < frames; ++frame) EXPECT_TRUE(s.step()) << s.failure();
  return downhill(s) - before;
}

}  // namespace rebound::test
