#include "scene/material.hpp"

#include <array>
#include <vector>

#include "mesh/error.hpp"
#include "scene/files.hpp"
#include "scene/ranges.hpp"
#include "scene/wording.hpp"
#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

using Ids = std::vector<std::string>;

/// What a solver takes of a kind.
Ids models_taken(sim::ElementKind kind, const sim::SolverInfo* solver) {
  Ids taken;
  for (const sim::MaterialInfo& info : sim::materials())
    if (info.kind == kind && (solver == nullptr || solver->takes(info.laws.front())))
      taken.push_back(in_quotes(info.id));
  return taken;
}

/// The same, or all that there is where it takes nothing of the kind.
Ids models_for(sim::ElementKind kind, const sim::SolverInfo* solver) {
  const Ids taken = models_taken(kind, solver);
  return taken.empty() ? models_taken(kind, nullptr) : taken;
}

Ids laws_of(const sim::MaterialInfo& info) {
  Ids laws;
  for (const sim::MaterialLaw& law : info.laws) laws.push_back(in_quotes(law.id));
  return laws;
}

/// What it is that the solver does not take, and what would work.
std::string refusal(const sim::MaterialInfo& info, const sim::MaterialLaw& law, const sim::SolverInfo& solver) {
  Ids able, instead;
  for (const sim::SolverInfo& other : sim::solvers())
    if (other.takes(law)) able.push_back(std::string("\"").append(other.id).append("\""));
  for (const sim::MaterialLaw& other : info.laws)
    if (solver.takes(other)) instead.push_back("law " + in_quotes(other.id));
  if (instead.empty()) instead = models_taken(info.kind, &solver);
  const std::string what = info.has_choice_of_law() ? "law " + in_quotes(law.id) : in_quotes(info.id);
  return "solver " + in_quotes(solver.id) + " does not take " + what + "; set /solver/type to " + either(able) +
         (instead.empty() ? "" : ", or use " + either(instead));
}

void check_numbers(const Body& body, const Material& material, const std::string& where) {
  const sim::MaterialInfo& info = *sim::find_material(material.model);
  const auto check = [&](const sim::MaterialParameter& parameter) {
    checked(parameter.range, material.*parameter.value, where + std::string(parameter.key));
  };
  for (const sim::MaterialParameter& parameter : info.parameters) check(parameter);
  // What it does not ask for is kept, for the day when it is another material, and written down with the rest.
  for (const sim::MaterialInfo& other : sim::materials())
    for (const sim::MaterialParameter& parameter : other.parameters)
      if (!info.asks_for(parameter.key)) check(parameter);
  checked(density_range(body.mesh), material.density, where + "density");
  for (const double length : material.restLengths) checked("material.restLength", length, where + "restLengths");
}

}  // namespace

sim::ElementKind element_kind(const Mesh& mesh) {
  using Kind = sim::ElementKind;
  if (std::holds_alternative<DiskMesh>(mesh)) return Kind::triangles;
  if (const auto* cloth = std::get_if<ClothMesh>(&mesh)) return cloth->triangles ? Kind::triangles : Kind::edges;
  if (const auto* file = std::get_if<FileMesh>(&mesh)) return file->shell ? Kind::triangles : Kind::tetrahedra;
  const auto* written = std::get_if<InlineMesh>(&mesh);
  if (written == nullptr || !written->tetrahedra.empty()) return Kind::tetrahedra;
  return written->triangles.empty() ? Kind::edges : Kind::triangles;
}

void suit(Mesh& mesh, std::string_view model) {
  const sim::MaterialInfo* info = sim::find_material(model);
  const bool triangles = info != nullptr && info->kind == sim::ElementKind::triangles;
  if (auto* cloth = std::get_if<ClothMesh>(&mesh)) cloth->triangles = triangles;
  if (auto* file = std::get_if<FileMesh>(&mesh)) file->shell = triangles && is_surface_file(file->file);
}

std::string_view plural(sim::ElementKind kind) {
  constexpr std::array<std::string_view, 3> names{"edges", "triangles", "tetrahedra"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view density_range(const Mesh& mesh) {
  if (element_kind(mesh) != sim::ElementKind::edges) return "material.density";
  return std::holds_alternative<ClothMesh>(mesh) ? "material.density.cloth" : "material.density.springs";
}

Material default_material(const Mesh& mesh) {
  Material material;
  const sim::MaterialInfo& usual = *sim::usual_material(element_kind(mesh));
  material.model = usual.id;
  if (usual.has_choice_of_law()) material.law = usual.laws.front().id;
  material.density = range(density_range(mesh)).standard;
  return material;
}

std::optional<MaterialFault> fault_of(const Material& material, sim::ElementKind kind, std::string_view solver_id) {
  const sim::SolverInfo* solver = sim::find_solver(solver_id);
  const sim::MaterialInfo* info = sim::find_material(material.model);
  if (info == nullptr)
    return MaterialFault{"model", "there is no material " + in_quotes(material.model) + " in this version; " +
                                      std::string(plural(kind)) + " may be " + either(models_for(kind, nullptr))};
  if (info->kind != kind)
    return MaterialFault{"model", in_quotes(info->id) + " is for " + std::string(plural(info->kind)) +
                                      ", and this mesh has " + std::string(plural(kind)) + "; use " +
                                      either(models_for(kind, solver))};
  const sim::MaterialLaw* law = info->find_law(material.law);
  if (law == nullptr)
    return MaterialFault{"law", "unknown law " + in_quotes(material.law) + " of " + in_quotes(info->id) + "; use " +
                                    either(laws_of(*info))};
  if (solver != nullptr && !solver->takes(*law))
    return MaterialFault{info->has_choice_of_law() ? "law" : "model", refusal(*info, *law, *solver)};
  return {};
}

void take(const MaterialPreset& preset, Material& material) {
  for (const auto& [key, value] : numbers_of(preset)) {
    if (key == "density") material.density = value;
    for (const sim::MaterialParameter& parameter : sim::find_material(material.model)->parameters)
      if (parameter.key == key) material.*parameter.value = value;
  }
}

void scale_stiffness(Description& description, double factor) {
  for (Body& body : description.bodies) {
    body.material.young *= factor;
    body.material.stiffness *= factor;
    for (MaterialRegion& region : body.regions)
      for (auto& [key, value] : region.numbers)
        if (key == "young" || key == "stiffness") value *= factor;
  }
}

Material material_in(const MaterialRegion& region, const Material& body) {
  Material material = body;
  if (region.model) material.model = *region.model;
  for (const auto& [key, value] : region.numbers) {
    if (key == "density") material.density = value;
    for (const sim::MaterialInfo& info : sim::materials())
      for (const sim::MaterialParameter& parameter : info.parameters)
        if (parameter.key == key) material.*parameter.value = value;
  }
  return material;
}

void check_material(const Body& body, std::string_view solver, std::string_view where) {
  const auto check = [&](const Material& material, const std::string& place) {
    if (const auto fault = fault_of(material, element_kind(body.mesh), solver))
      throw InputError(place + std::string(fault->key) + ": " + fault->what);
    check_numbers(body, material, place);
  };
  check(body.material, std::string(where) + "/material/");
  for (std::size_t r = 0; r < body.regions.size(); ++r)
    check(material_in(body.regions[r], body.material),
          std::string(where) + "/regions/" + std::to_string(r) + "/material/");
}

}  // namespace rebound::scene
