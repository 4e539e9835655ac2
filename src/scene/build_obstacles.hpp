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

/// The surface that an obstacle of this scale is made of. Throws as above, without a place.
std::shared_ptr<const sim::SurfaceDistance> load_surface(const MeshShape& shape, double scale,
                                                         const mesh::Progress& progress = {});

/// One obstacle, `time` seconds after the start; `surfaces` has its own if it has one.
sim::Obstacle build_obstacle(const Obstacle& obstacle, const MeshSurfaces& surfaces, double time = 0);
/// The obstacles at time 0.
std::vector<sim::Obstacle> build_obstacles(const Description& description, const MeshSurfaces& surfaces);

/// The points of a body's surface that bump into things, in the body's own vertices: all vertices of a net or of the
/// boundary of tetrahedra. Where the surface hangs in a lattice, whose corners stick out, it is the surface that bumps:
/// in each cell of the lattice's spacing the point next to its middle, as more could not move on their own; of an
/// affine body the outermost point of each cell of a grid of 24 across.
std::vector<sim::BodyPoint> colliding_points(const BodyGeometry& geometry);

}  // namespace rebound::scene
