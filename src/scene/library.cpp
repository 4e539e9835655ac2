#include "scene/library.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "mesh/error.hpp"
#include "mesh/inspect.hpp"
#include "mesh/obj.hpp"
#include "scene/files.hpp"
#include "scene/material.hpp"
#include "scene/parse.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {
namespace fs = std::filesystem;
namespace {

std::string text_of(const nlohmann::json& document, const char* key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_string() ? one_line(found->get_ref<const std::string&>()) : std::string();
}

SceneInfo describe(const fs::path& file) {
  const std::string name = readable(file.stem().string());
  SceneInfo info{name, name, "", file};
  try {
    const Document document = load_document(file);
    if (const std::string title = text_of(*document.root, "name"); !title.empty()) info.title = title;
    info.summary = text_of(*document.root, "summary");
  } catch (const InputError& error) {
    info.summary = std::string("unusable: ") + error.what();  // one broken file must not hide the others
  }
  return info;
}

/// The mesh's scene as a document, so that settings apply to it as to any other.
Document document_for_mesh(const fs::path& file) {
  return {owned(to_json(scene_for_mesh(file))), "", "the scene around " + one_line(file.string()), "", {}};
}

[[noreturn]] void fail_unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const SceneInfo& scene : list_scenes()) names.push_back(scene.name);
  const std::string what = one_line(name, 200) + ": " + file_problem(name).value_or("no such file");
  // A path is a path; only a bare word can have meant a built-in scene.
  const bool bare = name.find('/') == std::string::npos && fs::path(name).extension().empty();
  if (!bare) throw InputError(what);
  const std::string guess = did_you_mean(name, names);
  const std::string all = names.empty() ? "; no built-in scenes were found (REBOUND_ASSETS can name their folder)"
                                        : "; there are " + either(names);
  throw InputError(what + ", and no built-in scene of that name" + (guess.empty() ? all : guess));
}

}  // namespace

std::optional<fs::path> assets_folder() {
  std::error_code error;
  const auto has_scenes = [&](const fs::path& folder) { return fs::is_directory(folder / "scenes", error); };
  if (const char* named = std::getenv("REBOUND_ASSETS"); named != nullptr && *named != '\0') {
    return has_scenes(named) ? std::optional<fs::path>(named) : std::nullopt;
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (fs::path folder = program.parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (has_scenes(folder / "assets")) return folder / "assets";
    if (folder == folder.root_path()) break;
  }
  const fs::path shared = program.parent_path().parent_path() / "share" / "rebound";
  return has_scenes(shared) ? std::optional<fs::path>(shared) : std::nullopt;
}

std::vector<SceneInfo> list_scenes() {
  std::vector<SceneInfo> scenes;
  const auto assets = assets_folder();
  if (!assets) return scenes;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(*assets / "scenes", error)) {
    if (entry.path().extension() == ".json") scenes.push_back(describe(entry.path()));
  }
  std::sort(scenes.begin(), scenes.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return scenes;
}

std::optional<fs::path> find_scene(const std::string& name) {
  // A name, not a path that leads elsewhere.
  if (name.empty() || name.find('/') != std::string::npos) return std::nullopt;
  const auto assets = assets_folder();
  if (!assets) return std::nullopt;
  const fs::path file = *assets / "scenes" / (name + ".json");
  std::error_code error;
  return fs::is_regular_file(file, error) ? std::optional<fs::path>(file) : std::nullopt;
}

Description scene_for_mesh(const fs::path& file) {
  if (const auto problem = file_problem(file)) throw InputError(one_line(file.string()) + ": " + *problem);
  Description scene;
  scene.name = readable(file.stem().string());
  scene.summary = "A mesh hung by its top";
  Body body;
  body.name = scene.name;
  std::error_code ignored;
  body.mesh = FileMesh{fs::absolute(file, ignored).lexically_normal(), {}};
  // Hung by ears a tenth as thick as the body, a metre of this still keeps its shape; and it swings visibly.
  body.material.young = 3e5;
  body.material.density = 300;
  body.autoScale = true;
  body.autoHang = true;
  scene.bodies.push_back(std::move(body));
  return scene;
}

Description scene_for_shell(const fs::path& file) {
  Description scene = scene_for_mesh(file);
  scene.summary = "A sheet hung by its top";
  // A sheet bends as softly as it stretches hard: midpoint would keep what few iterations leave of that as a shiver.
  scene.integrator.type = "rebound";
  scene.solver.type = "quasi-newton";
  Body& body = scene.bodies.front();
  std::get<FileMesh>(body.mesh).shell = true;
  body.material = default_material(body.mesh);
  // A heavy cloth a metre tall: it folds, and keeps its length.
  body.material.young = 1e6;
  body.material.density = 500;
  return scene;
}

bool has_border(const fs::path& file) {
  try {
    return !mesh::topology_of(mesh::read_obj(file)).closed();
  } catch (const InputError&) {
    return false;
  }
}

namespace {

/// Throws InputError for what is of another kind altogether, of which a reader of scenes would say where it stumbled.
void require_scene_file(const fs::path& file) {
  // A pipe can be read once.
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return;
  std::ifstream in(file, std::ios::binary);
  char begin = 0;
  while (in.get(begin) && std::isspace(static_cast<unsigned char>(begin))) {
  }
  // A comment, or a byte order mark; a file of spaces is left to the reader.
  constexpr std::string_view kMayBegin = "{/\xef";
  if (!in || kMayBegin.find(begin) != std::string_view::npos || file.extension() == ".json") return;
  std::string known;
  for (const std::string& one : mesh_extensions()) known += ", " + one;
  throw InputError(file.string() + ": is no scene, which is a JSON object, and no mesh by its ending" + known);
}

}  // namespace

Description open(const std::string& name, const std::vector<std::string>& settings, const Known& known) {
  if (name.empty()) throw InputError("the scene's name is empty; give a scene file, a mesh file or a built-in scene");
  std::error_code error;
  fs::path file;
  Document document;
  if (is_mesh_file(name)) {
    document = document_for_mesh(name);
  } else {
    // A file goes before a built-in scene of the same name; a folder of that name does not.
    const auto builtin = fs::is_regular_file(name, error) ? std::nullopt : find_scene(name);
    if (!builtin && (file_problem(name) == "no such file" || fs::is_directory(name, error))) fail_unknown(name);
    file = builtin.value_or(name);
    if (!builtin) require_scene_file(file);
    document = load_document(file);
  }
  for (const std::string& setting : settings) apply_set(document, setting);
  Description description = parse(document, known);
  description.file = file;
  name_after_file(description);
  return description;
}

}  // namespace rebound::scene
