// The built-in scenes as a newcomer meets them: in groups, with pictures, and something to try in each.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/library.hpp"

namespace rebound::scene {

struct GalleryEntry {
  SceneInfo scene;
  std::string hint;               ///< what to try, one sentence; may be empty
  std::filesystem::path picture;  ///< a JPEG of 16 to 9; empty if there is none
};

struct GalleryGroup {
  std::string name;
  std::vector<GalleryEntry> scenes;
};

/// By gallery.json in the folder of assets; scenes that it does not name come last, in a group of their own. What is
/// wrong with that file makes that all scenes are in that one.
std::vector<GalleryGroup> gallery();

/// What the gallery says to try in a built-in scene, whose file is given; empty for any other file.
std::string gallery_hint(const std::filesystem::path& file);

}  // namespace rebound::scene
