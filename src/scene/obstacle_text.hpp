// One obstacle as it stands in a scene's "obstacles", for what else tells of obstacles.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "scene/description.hpp"
#include "scene/json_reader.hpp"

namespace rebound::scene {

/// Throws InputError with the place.
Obstacle parse_obstacle(const Value& value);
Rotation parse_rotation(Reader& reader);

/// Parsing it gives the same obstacle. Paths are written relative to `folder`.
nlohmann::ordered_json to_json(const Obstacle& obstacle, const std::filesystem::path& folder = {});

/// Throws InputError, in one line, unless a scene could have this obstacle.
void check_obstacle(const Obstacle& obstacle);

}  // namespace rebound::scene
