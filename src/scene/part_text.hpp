// Parts of a scene as they stand in it, for what else tells of them: an obstacle, the wished energy, regions of a body.
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
std::vector<EnergyPiece> parse_energy(const Value& pieces);
nlohmann::ordered_json to_json(const std::vector<EnergyPiece>& energy);
/// Whatever body they are of: what it can have is seen when the regions are tried on it.
std::vector<MaterialRegion> parse_regions(const Value& regions);
nlohmann::ordered_json to_json(const std::vector<MaterialRegion>& regions);

/// Throws InputError, in one line, unless a scene could have this.
void check_obstacle(const Obstacle& obstacle);
void check_energy(const std::vector<EnergyPiece>& pieces);

}  // namespace rebound::scene
