// Obstacles from their description, where they are when, and which points of the bodies bump into them.
#pragma once

#include <map>

#include "scene/build.hpp"

namespace rebound::scene {

/// Where an obstacle is, `time` seconds after the start.
sim::Pose obstacle_pose(const Obstacle& obstacle, double time);

/// Reads the surfaces that obstacles are made of. Throws InputError if one encloses nothing; Cancelled if progress says
/// so.
MeshSurfaces load_surfaces(const Description& description, const mesh::Progress& progress);

/// The obstacles at time 0.
std::vector<sim::Obstacle> build_obstacles(const Description& description, const MeshSurfaces& surfaces);

/// The points of a body's surface that bump into things, in the body's own vertices: all vertices of a net or of the
/// boundary of tetrahedra. Where the surface hangs in a lattice, whose corners stick out, it is the surface that bumps:
/// in each cell of the lattice's spacing the point next to its middle, as more could not move on their own.
std::vector<sim::BodyPoint> colliding_points(const BodyGeometry& geometry);

}  // namespace rebound::scene
