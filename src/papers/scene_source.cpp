#include <xxhash.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "bench/bodies.hpp"
#include "mesh/error.hpp"
#include "mesh/shapes.hpp"
#include "papers/scene_plan.hpp"
#include "scene/library.hpp"
#include "scene/parse.hpp"
#include "scene/wording.hpp"

namespace rebound::papers {
namespace {

std::filesystem::path file_of(const std::string& name) {
  const auto builtin = scene::find_scene(name);
  return builtin ? *builtin : std::filesystem::path(name);
}

const bench::BodyInfo& body_named(const std::string& name) {
  const auto list = bench::bodies();
  return *std::find_if(list.begin(), list.end(), [&](const auto& body) { return body.name == name; });
}

std::vector<std::string> body_names() {
  std::vector<std::string> names;
  for (const auto& body : bench::bodies()) names.emplace_back(body.name);
  return names;
}

std::string content_hash(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  return std::to_string(XXH3_64bits(bytes.data(), bytes.size()));
}

/// Its settings applied.
scene::Document document_of(const SceneSource& source, const Means& means) {
  scene::Document document;
  if (source.made) {
    document.root = scene::owned(*source.made);
    document.name = "the row's scene";
    document.folder = source.folder;
  } else {
    document = scene::load_document(file_of(source.open));
  }
  for (const std::string& setting : source.settings) scene::apply_set(document, setting);
  if (has_own_mesh(source, means)) {
    const std::filesystem::path own = std::filesystem::absolute(means.meshes / source.mesh);
    (*document.root)["bodies"][0]["mesh"] = nlohmann::json{{"file", own.string()}};
    for (const std::string& setting : source.mesh_settings) scene::apply_set(document, setting);
  }
  return document;
}

/// Gives the first body the velocities of the mode.
void strike_disk(const Strike& strike, scene::Description& description) {
  scene::Body& body = description.bodies[0];
  const auto* disk = std::get_if<scene::DiskMesh>(&body.mesh);
  if (disk == nullptr) throw InputError("\"strike\": the first body is no disk");
  const sim::Vector mode = drum_mode(strike, mesh::disk(disk->radius, disk->rings).points);
  body.velocities.clear();
  for (const double height : mode) body.velocities.push_back({0, strike.speed * height, 0});
}

std::vector<Asked> asked_in(const nlohmann::json& document) {
  std::vector<Asked> asked;
  const auto add = [&](std::string_view kind, const nlohmann::json& from, const char* key) {
    if (from.is_object() && from.contains(key) && from[key].is_string())
      asked.push_back({kind, from[key].get<std::string>()});
  };
  if (document.contains("integrator")) add("integrator", document["integrator"], "type");
  if (document.contains("solver")) add("solver", document["solver"], "type");
  if (!document.contains("bodies") || !document["bodies"].is_array()) return asked;
  for (const nlohmann::json& body : document["bodies"]) {
    if (!body.is_object()) continue;
    if (body.contains("material")) add("material", body["material"], "model");
    if (!body.contains("regions")) continue;
    for (const nlohmann::json& region : body["regions"])
      if (region.contains("material")) add("material", region["material"], "model");
  }
  return asked;
}

void add_settings(scene::Reader& reader, std::string_view key, std::vector<std::string>& into) {
  const auto set = reader.find(key);
  if (!set) return;
  if (!set->is_object()) set->fail_type("an object of JSON Pointers and values");
  for (const auto& [pointer, value] : set->json().items()) into.push_back(pointer + "=" + value.dump());
}

}  // namespace

std::optional<scene::Description> Plan::shown(const Means& means) const {
  if (source() == nullptr) return {};
  return description_of(*source(), means);
}

void read_scene_source(scene::Reader& reader, SceneSource& into) {
  into.folder = reader.value().document().folder;
  if (const auto given = reader.find("scene")) {
    into.open.clear(), into.body.clear(), into.made.reset();
    if (given->is_text())
      into.open = given->text();
    else if (given->is_object())
      into.made = std::make_shared<nlohmann::json>(given->json());
    else
      given->fail_type("the name of a scene, or a scene");
  }
  if (const auto body = reader.find("body")) {
    into.open.clear(), into.made.reset();
    into.body = body->choice(body_names());
  }
  add_settings(reader, "set", into.settings);
  add_settings(reader, "meshSet", into.mesh_settings);
  if (const auto frames = reader.find("frames")) into.frames = frames->integer(scene::range("frames"));
  reader.text("mesh", into.mesh);
  if (const auto strike = reader.find("strike")) into.strike = read_strike(*strike);
}

bool has_own_mesh(const SceneSource& source, const Means& means) {
  std::error_code ignored;
  return !source.mesh.empty() && !means.meshes.empty() && std::filesystem::exists(means.meshes / source.mesh, ignored);
}

scene::World world_of(const SceneSource& source, const Means& means) {
  if (!source.body.empty()) return bench::swinging_world(body_named(source.body), source.settings);
  return scene::load_world(description_of(source, means));
}

scene::Description description_of(const SceneSource& source, const Means& means) {
  if (!source.body.empty()) return bench::swinging_world(body_named(source.body), source.settings).description;
  scene::Description description = scene::parse(document_of(source, means));
  if (source.strike) strike_disk(*source.strike, description);
  if (!source.open.empty()) description.file = file_of(source.open);
  return description;
}

std::vector<Asked> asked_by(const SceneSource& source) {
  if (source.body.empty()) return asked_in(*document_of(source, {}).root);
  nlohmann::json document = nlohmann::json::object();
  for (const std::string& setting : source.settings) {
    const std::size_t equals = setting.find('=');
    if (!setting.starts_with("/bodies"))
      scene::apply_set(document, std::string_view(setting).substr(0, equals), setting.substr(equals + 1));
  }
  return asked_in(document);
}

std::string fingerprint_of(const SceneSource& source, const Means& means) {
  std::string text = source.body;
  if (const auto& strike = source.strike)
    text += "strike " + std::to_string(strike->lines) + " " + std::to_string(strike->circles) + " " +
            std::to_string(strike->speed);
  for (const std::string& setting : source.settings) text += "\n" + setting;
  if (source.body.empty()) {
    const scene::Document document = document_of(source, means);
    text += document.root->dump();
    for (const nlohmann::json& body : document.root->value("bodies", nlohmann::json::array()))
      if (body.contains("mesh") && body["mesh"].contains("file") && body["mesh"]["file"].is_string())
        text += content_hash(document.folder / body["mesh"]["file"].get<std::string>());
  }
  return text + (source.frames ? std::to_string(*source.frames) : "");
}

}  // namespace rebound::papers
