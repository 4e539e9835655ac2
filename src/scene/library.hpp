// The scenes that come with the program, and the one door through which every scene enters.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scene/description.hpp"
#include "scene/identifiers.hpp"

namespace rebound::scene {

struct SceneInfo {
  std::string name;     ///< what `rebound run NAME` takes: the file's name without .json
  std::string title;    ///< "name" in the file
  std::string summary;  ///< one line, or what is wrong with the file
  std::filesystem::path file;
};

/// Folder with scenes/ and meshes/: $REBOUND_ASSETS, or assets/ in a folder above the program, or ../share/rebound
/// beside it. Nothing if there is none.
std::optional<std::filesystem::path> assets_folder();

/// The built-in scenes, by name.
std::vector<SceneInfo> list_scenes();

/// The file of a built-in scene.
std::optional<std::filesystem::path> find_scene(const std::string& name);

/// A scene around a mesh: one soft body about 1 m tall, hung by its top.
Description scene_for_mesh(const std::filesystem::path& file);

/// A scene around a surface, its triangles as they are: one sheet about 1 m tall, hung by its top.
Description scene_for_shell(const std::filesystem::path& file);

/// Has the surface in a file an edge where it ends, so that it may be meant as a sheet? Not if it cannot be read.
bool has_border(const std::filesystem::path& file);

/// A scene file, a mesh file or a built-in scene's name, with "POINTER=JSON" settings applied in their order.
Description open(const std::string& scene_or_mesh_or_name, const std::vector<std::string>& settings = {},
                 const Known& known = built());

}  // namespace rebound::scene
