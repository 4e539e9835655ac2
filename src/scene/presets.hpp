// Things that people know by touch, and the numbers of what they are made of. Any law of their kind takes them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scene/description.hpp"
#include "sim/base/elements.hpp"

namespace rebound::scene {

struct MaterialPreset {
  std::string_view id;     ///< its name in a scene; one of its kind
  std::string_view title;  ///< its name in the window
  sim::ElementKind kind;   ///< what elements it is for
  sim::MaterialValues values;
  double density;  ///< kg/m^3; of edges, whose density is not the material's, none
};

std::span<const MaterialPreset> presets();
/// Null if there is none of that name for such elements.
const MaterialPreset* find_preset(sim::ElementKind kind, std::string_view id);
/// The names of all that are for such elements.
std::vector<std::string> preset_ids(sim::ElementKind kind);

/// What it says, by the keys of a scene.
std::vector<std::pair<std::string_view, double>> numbers_of(const MaterialPreset& preset);
/// The same for people: "1e10 Pa, Poisson's ratio 0.3, 600 kg/m^3".
std::string summary_of(const MaterialPreset& preset);

}  // namespace rebound::scene
