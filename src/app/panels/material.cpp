// What a body is made of, in SI units, with presets to start from.
#include <algorithm>
#include <array>

#include "app/panels/panels.hpp"
#include "app/widgets.hpp"
#include "scene/identifiers.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

/// Solids that people know by touch.
struct Preset {
  const char* name;
  double young;  // Pa
  double poisson;
  double density;  // kg/m^3

  std::string summary() const { return range_text("material.young", young); }
};
constexpr std::array kPresets = {
    Preset{"Jelly", 1e4, 0.40, 1000},  Preset{"Foam", 5e4, 0.20, 60},   Preset{"Soft silicone", 2e5, 0.45, 1070},
    Preset{"Rubber", 2e6, 0.48, 1100}, Preset{"Tyre", 2e7, 0.48, 1150}, Preset{"Wood", 1e10, 0.30, 600},
    Preset{"Steel", 2e11, 0.30, 7850},
};

struct NetPreset {
  const char* name;
  double stiffness;  // N/m

  std::string summary() const { return range_text("material.stiffness", stiffness); }
};
constexpr std::array kNetPresets = {NetPreset{"Gauze", 10}, NetPreset{"Silk", 100}, NetPreset{"Cotton", 1e3},
                                    NetPreset{"Denim", 1e4}};

const char* density_key(const scene::Body& body) {
  if (body.material.model != "springs") return "material.density";
  return std::holds_alternative<scene::ClothMesh>(body.mesh) ? "material.density.cloth" : "material.density.springs";
}

template <class Presets, class Apply>
bool preset_menu(const Desk& desk, const Presets& presets, const Apply& apply) {
  if (!begin_choice(desk, "##preset", "Choose...", -FLT_MIN)) return false;
  bool chosen = false;
  for (const auto& preset : presets) {
    if (!ImGui::MenuItem(preset.name, preset.summary().c_str())) continue;
    apply(preset);
    chosen = true;
  }
  ImGui::EndCombo();
  return chosen;
}

bool presets(Desk& desk, scene::Material& material) {
  row_label(desk, "Preset", "Moduli and densities of things you know");
  if (material.model == "springs")
    return preset_menu(desk, kNetPresets, [&](const NetPreset& p) { material.stiffness = p.stiffness; });
  return preset_menu(desk, kPresets, [&](const Preset& p) {
    material.young = p.young;
    material.poisson = p.poisson;
    material.density = p.density;
  });
}

/// The energies that this kind of body can have, and the laws of its springs.
bool model_rows(Desk& desk, scene::Material& material) {
  const auto materials = sim::materials();
  const auto chosen =
      std::find_if(materials.begin(), materials.end(), [&](const auto& m) { return m.id == material.model; });
  if (chosen == materials.end()) return false;
  bool changed = false;
  row_label(desk, "Model", chosen->what);
  if (begin_choice(desk, "##model", std::string(chosen->title), -FLT_MIN)) {
    for (const auto& info : materials) {
      if (info.springs != chosen->springs) continue;
      if (ImGui::Selectable(info.title.data(), info.id == chosen->id)) {
        material.model = info.id;
        changed = true;
      }
      tooltip(desk, info.what);
    }
    ImGui::EndCombo();
  }
  if (!chosen->springs) return changed;
  row_label(desk, "Law", chosen->what);
  if (begin_choice(desk, "##law", material.law, -FLT_MIN)) {
    for (const auto& law : scene::built().springLaws) {
      if (!ImGui::Selectable(law.c_str(), law == material.law)) continue;
      material.law = law;
      changed = true;
    }
    ImGui::EndCombo();
  }
  return changed;
}

bool fields(Desk& desk, const scene::Body& body, scene::Material& material) {
  bool changed = model_rows(desk, material);
  changed |= presets(desk, material);
  if (material.model == "springs") {
    changed |= range_field_into(desk, "Stiffness", "material.stiffness", material.stiffness);
  } else {
    changed |= range_field_into(desk, "Young's modulus", "material.young", material.young);
    changed |= range_field_into(desk, "Poisson's ratio", "material.poisson", material.poisson);
  }
  if (body.masses.empty()) {
    changed |= range_field_into(desk, "Density", density_key(body), material.density);
  } else {
    muted_text(desk, "Masses are given by the scene, vertex by vertex.");
  }
  if (material.model == "arap")
    muted_text(desk, "Here Poisson's ratio only enters the shear modulus, E / (2 (1 + ν)).");
  return changed;
}

}  // namespace

void material_panel(Desk& desk) {
  if (!begin_section(desk, "Material")) return;
  const auto& bodies = desk.now().description.bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    const bool many = bodies.size() > 1;
    const std::string name = bodies[i].name.empty() ? "body " + std::to_string(i + 1) : bodies[i].name;
    if (many) {
      const auto& series = desk.theme().series;
      colored_text(series[i % series.size()], name);
    }
    scene::Material material = bodies[i].material;
    if (fields(desk, bodies[i], material))
      desk.requests.commands.push_back(session::SetMaterial{static_cast<int>(i), material});
    ImGui::PopID();
  }
  end_section(desk);
}

}  // namespace rebound::app
