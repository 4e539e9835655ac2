#include "scene/gallery.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "scene/identifiers.hpp"

namespace rebound::scene {
namespace fs = std::filesystem;
namespace {

/// A hint with an integrator's key, "2", in place of its name, "{stabilized}". Keys go by the list of integrators.
std::string with_keys(std::string hint) {
  const auto& integrators = built().integrators;
  for (std::size_t i = 0; i < integrators.size(); ++i) {
    const std::string name = "{" + integrators[i] + "}";
    for (auto at = hint.find(name); at != std::string::npos; at = hint.find(name))
      hint.replace(at, name.size(), std::to_string(i + 1));
  }
  return hint;
}

/// The groups that the file names, of these scenes; those that are named are taken out of them.
std::vector<GalleryGroup> named_groups(const nlohmann::json& file, const fs::path& assets,
                                       std::vector<SceneInfo>& scenes) {
  std::vector<GalleryGroup> groups;
  for (const nlohmann::json& group : file.at("groups")) {
    GalleryGroup& named = groups.emplace_back(GalleryGroup{group.at("name"), {}});
    for (const nlohmann::json& entry : group.at("scenes")) {
      const std::string name = entry.at("scene");
      const auto found =
          std::find_if(scenes.begin(), scenes.end(), [&](const auto& scene) { return scene.name == name; });
      if (found == scenes.end()) continue;
      const fs::path picture = assets / "pictures" / (name + ".jpg");
      std::error_code error;
      named.scenes.push_back(
          {*found, with_keys(entry.at("try")), fs::is_regular_file(picture, error) ? picture : fs::path()});
      scenes.erase(found);
    }
  }
  return groups;
}

}  // namespace

std::vector<GalleryGroup> gallery() {
  const auto assets = assets_folder();
  if (!assets) return {};
  std::vector<SceneInfo> rest = list_scenes();
  std::vector<GalleryGroup> groups;
  std::ifstream stream(*assets / "gallery.json");
  try {
    std::vector<SceneInfo> left = rest;
    groups = named_groups(nlohmann::json::parse(stream), *assets, left);
    rest = std::move(left);
  } catch (const nlohmann::json::exception&) {
  }
  if (rest.empty()) return groups;
  GalleryGroup& others = groups.emplace_back(GalleryGroup{groups.empty() ? "Scenes" : "Others", {}});
  for (SceneInfo& scene : rest) others.scenes.push_back({std::move(scene), "", {}});
  return groups;
}

std::string gallery_hint(const fs::path& file) {
  std::error_code error;
  for (const GalleryGroup& group : gallery())
    for (const GalleryEntry& entry : group.scenes)
      if (fs::equivalent(entry.scene.file, file, error)) return entry.hint;
  return {};
}

}  // namespace rebound::scene
