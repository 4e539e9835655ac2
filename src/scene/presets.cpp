#include "scene/presets.hpp"

#include "scene/ranges.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {
namespace {

using Kind = sim::ElementKind;

constexpr sim::MaterialValues solid(double young, double poisson) { return {.young = young, .poisson = poisson}; }
constexpr sim::MaterialValues net(double stiffness) { return {.stiffness = stiffness}; }
constexpr sim::MaterialValues sheet(double young, double poisson, double thickness) {
  return {.young = young, .poisson = poisson, .thickness = thickness};
}

constexpr MaterialPreset kPresets[] = {
    {"jelly", "Jelly", Kind::tetrahedra, solid(1e4, 0.40), 1000},
    {"foam", "Foam", Kind::tetrahedra, solid(5e4, 0.20), 60},
    {"flesh", "Flesh", Kind::tetrahedra, solid(3e4, 0.45), 1060},
    {"silicone", "Soft silicone", Kind::tetrahedra, solid(2e5, 0.45), 1070},
    {"rubber", "Rubber", Kind::tetrahedra, solid(2e6, 0.48), 1100},
    {"tyre", "Tyre", Kind::tetrahedra, solid(2e7, 0.48), 1150},
    {"wood", "Wood", Kind::tetrahedra, solid(1e10, 0.30), 600},
    {"steel", "Steel", Kind::tetrahedra, solid(2e11, 0.30), 7850},

    {"gauze", "Gauze", Kind::edges, net(10), 0},
    {"silk", "Silk", Kind::edges, net(100), 0},
    {"cotton", "Cotton", Kind::edges, net(1e3), 0},
    {"denim", "Denim", Kind::edges, net(1e4), 0},

    // Of a usual thickness.
    {"silk", "Silk", Kind::triangles, sheet(5e5, 0.3, 2e-4), 400},
    {"cotton", "Cotton", Kind::triangles, sheet(1e6, 0.3, 5e-4), 400},
    {"denim", "Denim", Kind::triangles, sheet(5e6, 0.3, 1e-3), 600},
    {"balloon", "Balloon rubber", Kind::triangles, sheet(1e6, 0.45, 3e-4), 1000},
    {"drum-skin", "Drum skin", Kind::triangles, sheet(3e9, 0.35, 2.5e-4), 1390},
    {"paper", "Paper", Kind::triangles, sheet(2e9, 0.3, 1e-4), 800},
    {"steel-sheet", "Steel sheet", Kind::triangles, sheet(2e11, 0.3, 5e-4), 7850},
};

}  // namespace

std::span<const MaterialPreset> presets() { return kPresets; }

const MaterialPreset* find_preset(Kind kind, std::string_view id) {
  for (const MaterialPreset& preset : kPresets)
    if (preset.kind == kind && preset.id == id) return &preset;
  return nullptr;
}

std::vector<std::string> preset_ids(Kind kind) {
  std::vector<std::string> ids;
  for (const MaterialPreset& preset : kPresets)
    if (preset.kind == kind) ids.emplace_back(preset.id);
  return ids;
}

std::vector<std::pair<std::string_view, double>> numbers_of(const MaterialPreset& preset) {
  const sim::MaterialValues& of = preset.values;
  if (preset.kind == Kind::edges) return {{"stiffness", of.stiffness}};
  std::vector<std::pair<std::string_view, double>> numbers{{"young", of.young}, {"poisson", of.poisson}};
  if (preset.kind == Kind::triangles) numbers.emplace_back("thickness", of.thickness);
  numbers.emplace_back("density", preset.density);
  return numbers;
}

std::string summary_of(const MaterialPreset& preset) {
  std::string text;
  for (const auto& [key, value] : numbers_of(preset)) {
    if (!text.empty()) text += ", ";
    if (key == "poisson") text += "Poisson's ratio ";
    text += number_text(value);
    const std::string_view unit = range("material." + std::string(key)).unit;
    if (!unit.empty()) text.append(" ").append(unit);
    if (key == "thickness") text += " thick";
  }
  return text;
}

}  // namespace rebound::scene
