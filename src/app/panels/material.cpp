// What a body is made of, in SI units, with presets to start from.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

#include "app/panels/panels.hpp"
#include "app/plot_data.hpp"
#include "app/widgets.hpp"
#include "film/picture.hpp"
#include "scene/material.hpp"
#include "sim/energy/pull.hpp"
#include "sim/registry.hpp"

namespace rebound::app {
namespace {

bool presets(Desk& desk, sim::ElementKind kind, scene::Material& material) {
  row_label(desk, "Preset", "Moduli and densities of things you know");
  const auto is_taken = [&](const scene::MaterialPreset& preset) {
    scene::Material with = material;
    scene::take(preset, with);
    return preset.kind == kind && with == material;
  };
  const auto taken = std::ranges::find_if(scene::presets(), is_taken);
  const std::string shown(taken != scene::presets().end() ? taken->title : "Choose...");
  if (!begin_choice(desk, "##preset", shown.c_str(), -FLT_MIN)) return false;
  bool chosen = false;
  for (const scene::MaterialPreset& preset : scene::presets()) {
    if (preset.kind != kind) continue;
    const auto [key, value] = scene::numbers_of(preset).front();
    const std::string text = range_text("material." + std::string(key), value);
    if (!ImGui::MenuItem(preset.title.data(), text.c_str(), is_taken(preset))) continue;
    scene::take(preset, material);
    chosen = true;
  }
  ImGui::EndCombo();
  return chosen;
}

/// The first solver that takes a material which the present one does not.
const sim::SolverInfo* solver_for(const scene::Material& wanted, sim::ElementKind kind) {
  for (const sim::SolverInfo& solver : sim::solvers())
    if (!scene::fault_of(wanted, kind, solver.id)) return &solver;
  return nullptr;
}

/// A material that was chosen, and the solver that comes with it if the present one does not take it.
struct Chosen {
  scene::Material material;
  scene::Solver solver{std::string(), {}};
};

/// No other: the present one takes it.
void take_along(Desk& desk, const sim::SolverInfo* other, Chosen& chosen) {
  if (other == nullptr) return;
  chosen.solver = desk.now().description.solver;
  desk.set_aside = {desk.now().pane, chosen.solver, std::string(other->id)};
  chosen.solver.type = other->id;
  chosen.solver.iterations.reset();  // each solver has its own number
}

/// If the present solver came with what `wanted` takes the place of, that which had been set aside for it comes back.
void take_back(Desk& desk, std::size_t body, const scene::Material& wanted, Chosen& chosen) {
  const scene::Description& now = desk.now().description;
  const auto& aside = desk.set_aside;
  if (!aside || aside->pane != desk.now().pane || aside->for_type != now.solver.type) return;
  for (std::size_t b = 0; b < now.bodies.size(); ++b) {
    const scene::Material& material = b == body ? wanted : now.bodies[b].material;
    if (scene::fault_of(material, sim::find_material(material.model)->kind, aside->solver.type)) return;
  }
  chosen.solver = aside->solver;
  desk.set_aside.reset();
}

/// A list's entry that stands for `wanted`. Where the solver does not take it, another one comes with it.
bool choice_of(Desk& desk, std::string_view title, std::string_view what, const scene::Material& wanted,
               sim::ElementKind kind, bool is_chosen, Chosen& chosen) {
  const scene::Solver& now = desk.now().description.solver;
  const auto fault = scene::fault_of(wanted, kind, now.type);
  const sim::SolverInfo* other = fault ? solver_for(wanted, kind) : nullptr;
  ImGui::BeginDisabled(fault && other == nullptr);
  const bool clicked = ImGui::Selectable(std::string(title).c_str(), is_chosen);
  ImGui::EndDisabled();
  std::string more;
  if (other != nullptr) {
    more = "\n\nTakes the solver " + std::string(other->title) +
           " with it: " + std::string(sim::find_solver(now.type)->title) + " does not solve it.";
  } else if (fault) {
    more = "\n\nNot now: " + fault->what + ".";
  }
  tooltip(desk, std::string(what) + more);
  if (!clicked || is_chosen) return false;
  take_along(desk, other, chosen);
  return true;
}

/// Are materials that are for whole bodies alone among the choices?
enum class Whole { no, yes };

/// The materials that this kind of body, or a part of it, can have.
bool model_row(Desk& desk, sim::ElementKind kind, const sim::MaterialInfo& now, Chosen& chosen, Whole whole) {
  row_label(desk, "Model", now.what);
  if (!begin_choice(desk, "##model", std::string(now.title), -FLT_MIN)) return false;
  bool changed = false;
  for (const sim::MaterialInfo& info : sim::materials()) {
    if (info.kind != kind || (info.is_whole && whole == Whole::no)) continue;
    scene::Material wanted = chosen.material;
    wanted.model = info.id;
    if (info.find_law(wanted.law) == nullptr) wanted.law = info.laws.front().id;
    if (!choice_of(desk, info.title, info.what, wanted, kind, info.id == now.id, chosen)) continue;
    if (info.is_whole && !now.is_whole) wanted.soft = now.id;
    chosen.material = wanted;
    changed = true;
  }
  ImGui::EndCombo();
  return changed;
}

/// One click makes a solid rigid, another what it was before.
bool form_button(Desk& desk, std::size_t body, const sim::MaterialInfo& now, Chosen& chosen) {
  if (now.kind != sim::ElementKind::tetrahedra) return false;
  const auto list = sim::materials();
  const auto whole = std::find_if(list.begin(), list.end(), [](const auto& info) { return info.is_whole; });
  scene::Material wanted = chosen.material;
  if (now.is_whole) {
    wanted.model = wanted.soft;
  } else {
    wanted.soft = now.id;
    wanted.model = whole->id;
  }
  const std::string& solver = desk.now().description.solver.type;
  const sim::SolverInfo* other = scene::fault_of(wanted, now.kind, solver) ? solver_for(wanted, now.kind) : nullptr;
  const bool clicked = ImGui::Button(now.is_whole ? "Make soft" : "Make rigid", {-FLT_MIN, 0});
  std::string tip = now.is_whole
                        ? "Back to " + std::string(sim::find_material(wanted.model)->title) + ", where it is now"
                        : "An affine body: all but rigid, where it is now, with the momentum that it has";
  if (other != nullptr) tip += ".\n\nTakes the solver " + std::string(other->title) + " with it";
  tooltip(desk, tip);
  if (!clicked) return false;
  take_along(desk, other, chosen);
  if (now.is_whole && other == nullptr) take_back(desk, body, wanted, chosen);
  chosen.material = wanted;
  return true;
}

bool law_row(Desk& desk, const sim::MaterialInfo& info, Chosen& chosen) {
  if (!info.has_choice_of_law()) return false;
  row_label(desk, "Law", info.what);
  if (!begin_choice(desk, "##law", chosen.material.law, -FLT_MIN)) return false;
  bool changed = false;
  for (const sim::MaterialLaw& law : info.laws) {
    scene::Material wanted = chosen.material;
    wanted.law = law.id;
    if (!choice_of(desk, law.id, law.what, wanted, info.kind, law.id == chosen.material.law, chosen)) continue;
    chosen.material = wanted;
    changed = true;
  }
  ImGui::EndCombo();
  return changed;
}

constexpr int kPullPoints = 31;
constexpr double kLeastStretch = 0.5, kMostStretch = 2;

struct PullCurve {
  std::string model;
  sim::MaterialValues values;
  std::array<double, kPullPoints> stretches;
  std::vector<double> stresses;  // Pa
  sim::PullLimits limits;
};

/// It takes a while, and pictures come sixty a second: the last few are kept.
const PullCurve& pull_curve_of(const sim::MaterialInfo& info, const sim::MaterialValues& values) {
  constexpr std::size_t kKept = 12;
  static std::vector<PullCurve> kept;
  for (const PullCurve& curve : kept)
    if (curve.model == info.id && curve.values == values) return curve;
  if (kept.size() >= kKept) kept.erase(kept.begin());
  PullCurve curve{std::string(info.id), values, {}, {}, sim::pull_limits(info, values)};
  for (int i = 0; i < kPullPoints; ++i)
    curve.stretches[static_cast<std::size_t>(i)] =
        kLeastStretch + (kMostStretch - kLeastStretch) * i / (kPullPoints - 1);
  curve.stresses = sim::pull_stress(info, values, curve.stretches);
  return kept.emplace_back(std::move(curve));
}

/// What becomes of a bar beyond where its curve makes sense; empty where it makes sense as far as anyone pulls.
std::string limit_text(const sim::PullLimit& limit, bool pulled) {
  if (limit.kind == sim::PullLimit::Kind::none) return {};
  char at[16];
  std::snprintf(at, sizeof at, "%.2f", limit.stretch);
  const std::string beyond = std::string(pulled ? "Pulled beyond " : "Pressed below ") + at + " of its length ";
  if (limit.kind == sim::PullLimit::Kind::no_width) return beyond + "it has no width left.";
  return beyond + (pulled ? "it pulls back no more." : "it gives way, and turns inside out.");
}

std::string limits_text(const sim::PullLimits& limits) {
  const std::string pressed = limit_text(limits.pressed, false), pulled = limit_text(limits.pulled, true);
  if (pressed.empty() && pulled.empty()) return "No limit from a twentieth of its length to ten times it.";
  return pressed + (pressed.empty() || pulled.empty() ? "" : " ") + pulled;
}

/// What a bar of the material answers to being pulled to twice its length, or pressed to half of it.
void pull_curve(const Desk& desk, const sim::MaterialInfo& info, const scene::Material& material) {
  const auto& [model, values, stretches, stresses, limits] = pull_curve_of(info, material);
  const auto ends = std::minmax_element(stresses.begin(), stresses.end());
  const double low = *ends.first, high = *ends.second, room = std::max(high - low, 1e-9);

  const float width = ImGui::GetContentRegionAvail().x, height = desk.points(64);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, height});
  tooltip(desk,
          "Force over the cross-section at rest of a bar with free sides, from half its length to twice it. The thin "
          "lines are its length at rest and no force; the straight one is Young's modulus alone. Where it is shaded, "
          "the law is no longer that of a bar.");
  const auto at = [&](double stretch, double stress) {
    return ImVec2(corner.x + width * static_cast<float>((stretch - kLeastStretch) / (kMostStretch - kLeastStretch)),
                  corner.y + height * static_cast<float>((high - stress) / room));
  };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 thin = ImGui::GetColorU32(ImGuiCol_Border), line = ImGui::GetColorU32(ImGuiCol_PlotLines);
  list.PushClipRect(corner, {corner.x + width, corner.y + height}, true);
  for (const sim::PullLimit* limit : {&limits.pressed, &limits.pulled}) {
    const bool pulled = limit == &limits.pulled;
    const double end = pulled ? kMostStretch : kLeastStretch;
    if (limit->kind == sim::PullLimit::Kind::none || (pulled ? limit->stretch >= end : limit->stretch <= end)) continue;
    const ImVec2 from = at(std::min(limit->stretch, end), high), to = at(std::max(limit->stretch, end), low);
    list.AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_FrameBg));
    list.AddLine(at(limit->stretch, low), at(limit->stretch, high), line);
  }
  list.AddLine(at(1, low), at(1, high), thin);
  list.AddLine(at(kLeastStretch, 0), at(kMostStretch, 0), thin);
  list.AddLine(at(kLeastStretch, (kLeastStretch - 1) * material.young),
               at(kMostStretch, (kMostStretch - 1) * material.young), thin);
  std::array<ImVec2, kPullPoints> curve;
  for (std::size_t i = 0; i < curve.size(); ++i) curve[i] = at(stretches[i], stresses[i]);
  list.AddPolyline(curve.data(), kPullPoints, line, 0, desk.points(1.5f));
  list.PopClipRect();
  muted_text(desk, "Pulled to twice its length: " + range_text("material.young", stresses.back()) +
                       "; pressed to half: " + range_text("material.young", stresses.front()) + ".");
  muted_text(desk, limits_text(limits));
}

/// As the material says: what differs from the body's, and what the region has said before.
void set_material(scene::MaterialRegion& region, const scene::Material& wanted, const scene::Material& body) {
  if (wanted.model != body.model || region.model) region.model = wanted.model;
  const auto set = [&](std::string_view key, double value, double of_body) {
    const auto said = region.numbers.find(key);
    if (said != region.numbers.end())
      said->second = value;
    else if (value != of_body)
      region.numbers.emplace(key, value);
  };
  for (const sim::MaterialParameter& parameter : sim::find_material(wanted.model)->parameters)
    set(parameter.key, wanted.*parameter.value, body.*parameter.value);
  set("density", wanted.density, body.density);
}

/// A region's colour, its size, and a cross that ends it.
bool region_head(Desk& desk, std::size_t body, std::size_t index) {
  const auto& series = desk.theme().series;
  const int number = static_cast<int>(index) + 1;
  const float side = ImGui::GetTextLineHeight();
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(corner, {corner.x + side, corner.y + side},
                                            to_u32(film::region_color(series[body % series.size()], number)),
                                            desk.points(3));
  ImGui::Dummy({side, side});
  ImGui::SameLine();
  std::string text = "Region " + std::to_string(number);
  if (const auto& seen = desk.now().regions; seen && body < seen->size() && index + 1 < (*seen)[body].tetrahedra.size())
    text += ": " + std::to_string((*seen)[body].tetrahedra[index + 1]) + " tetrahedra";
  ImGui::TextUnformatted(text.c_str());
  ImGui::SameLine(ImGui::GetContentRegionMax().x - desk.points(64));
  const bool removed = ImGui::SmallButton("Remove");
  note_place(desk, "Remove region " + std::to_string(number));
  tooltip(desk, "What it holds is of the body's own material again");
  return removed;
}

/// Parts of a body that are of another material.
void region_rows(Desk& desk, int index, const scene::Body& body) {
  const auto b = static_cast<std::size_t>(index);
  session::SetRegions set{index, body.regions};
  bool changed = false;
  for (std::size_t r = 0; r < set.regions.size(); ++r) {
    ImGui::PushID(static_cast<int>(r));
    const bool removed = region_head(desk, b, r);
    scene::MaterialRegion& region = set.regions[r];
    Chosen chosen{scene::material_in(region, body.material)};
    scene::Material& material = chosen.material;
    const sim::MaterialInfo* info = sim::find_material(material.model);
    bool edited = model_row(desk, info->kind, *info, chosen, Whole::no);
    if (!chosen.solver.type.empty()) desk.requests.commands.push_back(session::SetSolver{chosen.solver});
    for (const sim::MaterialParameter& parameter : sim::find_material(material.model)->parameters)
      edited |= range_field_into(desk, parameter.title.data(), parameter.range, material.*parameter.value);
    if (body.masses.empty()) edited |= range_field_into(desk, "Density", "material.density", material.density);
    ImGui::PopID();
    if (edited) set_material(region, material, body.material);
    changed |= removed || edited;
    if (!removed) continue;
    set.regions.erase(set.regions.begin() + static_cast<std::ptrdiff_t>(r));
    break;
  }
  if (changed) desk.requests.commands.push_back(std::move(set));
  if (ImGui::Button("Mark a region", {-FLT_MIN, 0})) desk.requests.actions.push_back(Action::box_region);
  note_place(desk, "Mark a region");
  tooltip(
      desk,
      "Then drag a box over the body: what it holds is made of another material, ten times as stiff to begin with (" +
          std::string(keys_of(Action::box_region)) + ")");
}

bool fields(Desk& desk, std::size_t index, const scene::Body& body, Chosen& chosen) {
  scene::Material& material = chosen.material;
  const sim::MaterialInfo* info = sim::find_material(material.model);
  if (info == nullptr) return false;
  bool changed = model_row(desk, info->kind, *info, chosen, Whole::yes);
  changed |= form_button(desk, index, *info, chosen);
  changed |= law_row(desk, *info, chosen);
  if (!info->is_whole) changed |= presets(desk, info->kind, material);
  for (const sim::MaterialParameter& parameter : info->parameters)
    changed |= range_field_into(desk, parameter.title.data(), parameter.range, material.*parameter.value);
  if (body.masses.empty()) {
    changed |= range_field_into(desk, "Density", scene::density_range(body.mesh), material.density);
  } else {
    muted_text(desk, "Masses are given by the scene, vertex by vertex.");
  }
  muted_text(desk, std::string(info->what));
  if (info->kind == sim::ElementKind::tetrahedra && !info->is_whole) pull_curve(desk, *info, material);
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
    Chosen chosen{bodies[i].material};
    if (fields(desk, i, bodies[i], chosen))
      desk.requests.commands.push_back(session::SetMaterial{static_cast<int>(i), chosen.material, chosen.solver});
    const sim::MaterialInfo* info = sim::find_material(bodies[i].material.model);
    if (info != nullptr && info->kind == sim::ElementKind::tetrahedra && !info->is_whole)
      region_rows(desk, static_cast<int>(i), bodies[i]);
    ImGui::PopID();
  }
  end_section(desk);
}

}  // namespace rebound::app
