#include "app/settings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "mesh/atomic_file.hpp"
#include "mesh/error.hpp"

namespace rebound::app {
namespace fs = std::filesystem;
namespace {

/// Calls `field(key, member)` for all that is kept, and `field(key, member, low, high)` for numbers. What would
/// surprise at the next start (hidden panels, a wireframe) is not kept.
template <class Settings, class Field>
void for_each_field(Settings& s, const Field& field) {
  field("dark", s.dark, false, true);
  field("uiScale", s.ui_scale, 0.5f, 4.0f);
  field("sideWidth", s.side_width, 200.0f, 1000.0f);
  field("plotsHeight", s.plots_height, 80.0f, 1000.0f);
  field("plotSeconds", s.plot_seconds, 1.0, 3600.0);
  field("grabStrength", s.grab_strength, 0.01, 100.0);
  field("grabReach", s.grab_reach, 0.0, 0.5);
  field("floor", s.shows_floor, false, true);
  field("pins", s.shows_pins, false, true);
  field("contacts", s.shows_contacts, false, true);
  field("insideOut", s.shows_inside_out, false, true);
}

constexpr std::array<std::pair<VideoKind, const char*>, 4> kVideoKinds = {
    {{VideoKind::mp4, "mp4"}, {VideoKind::webm, "webm"}, {VideoKind::gif, "gif"}, {VideoKind::pictures, "png"}}};

void read_lists(const nlohmann::json& json, Settings& settings) {
  const auto video = json.find("video");
  for (const auto& [kind, name] : kVideoKinds)
    if (video != json.end() && *video == name) settings.video = kind;
  const auto recent = json.find("recent");
  if (recent == json.end() || !recent->is_array()) return;
  for (const auto& file : *recent)
    if (file.is_string() && settings.recent.size() < Settings::kMostRecent) settings.recent.push_back(file);
}

}  // namespace

fs::path settings_file() {
  const auto folder = [](const char* variable) -> fs::path {
    const char* value = std::getenv(variable);
    return value != nullptr && *value == '/' ? fs::path(value) : fs::path();
  };
  if (const fs::path config = folder("XDG_CONFIG_HOME"); !config.empty()) return config / "rebound" / "settings.json";
  if (const fs::path home = folder("HOME"); !home.empty()) return home / ".config" / "rebound" / "settings.json";
  return {};
}

void Settings::remember(const fs::path& file) {
  std::error_code error;
  const fs::path whole = fs::absolute(file, error).lexically_normal();
  const std::string name = error ? file.string() : whole.string();
  std::erase(recent, name);
  recent.insert(recent.begin(), name);
  if (recent.size() > kMostRecent) recent.resize(kMostRecent);
}

Settings load_settings(const fs::path& file, std::string* complaint) {
  Settings settings;
  std::error_code error;
  if (file.empty() || !fs::exists(file, error)) return settings;
  std::ifstream stream(file);
  const auto json = nlohmann::json::parse(stream, nullptr, false);
  if (!json.is_object()) {
    if (complaint != nullptr)
      *complaint = "The settings in " + file.string() + " cannot be read; the window begins with its defaults.";
    return settings;
  }
  for_each_field(settings, [&json]<class T>(const char* key, T& member, T low, T high) {
    const auto found = json.find(key);
    if (found == json.end()) return;
    if constexpr (std::is_same_v<T, bool>) {
      if (found->is_boolean()) member = found->template get<bool>();
    } else {
      if (found->is_number()) member = std::clamp(found->template get<T>(), low, high);
    }
  });
  read_lists(json, settings);
  return settings;
}

void save_settings(const Settings& settings, const fs::path& file) {
  if (file.empty()) return;
  nlohmann::ordered_json json;
  for_each_field(settings, [&json](const char* key, const auto& member, auto, auto) { json[key] = member; });
  for (const auto& [kind, name] : kVideoKinds)
    if (settings.video == kind) json["video"] = name;
  json["recent"] = settings.recent;
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  try {
    write_file_atomically(file, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } catch (const InputError&) {
  }
}

}  // namespace rebound::app
