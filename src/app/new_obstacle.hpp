// Obstacles to add: of a size that suits the bodies, and where the hand wants them.
#pragma once

#include <filesystem>

#include "render/geometry.hpp"
#include "scene/description.hpp"

namespace rebound::app {

enum class ObstacleKind { floor, sphere, box, capsule, torus };

/// "Sphere".
const char* name_of(ObstacleKind kind);
const char* name_of(const scene::ObstacleShape& shape);

/// bodies: the box around them, m; at: where its middle comes, or the height of a floor.
scene::Obstacle new_obstacle(ObstacleKind kind, const render::Box& bodies, const render::Vec3& at);

/// The same of a closed surface, which is read to learn its size. Throws InputError.
scene::Obstacle new_obstacle(const std::filesystem::path& file, const render::Box& bodies, const render::Vec3& at);

}  // namespace rebound::app
