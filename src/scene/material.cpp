#include "scene/material.hpp"

#include <array>
#include <vector>

#include "mesh/error.hpp"
#include "scene/ranges.hpp"
#include "scene/wording.hpp"
#include "sim/registry.hpp"

namespace rebound::scene {
namespace {

using Ids = std::vector<std::string>;

/// What a solver takes, or all that there is where it takes nothing of the kind.
Ids models_for(sim::ElementKind kind, const sim::SolverInfo* solver) {
  Ids all, taken;
  for (const sim::MaterialInfo& info : sim::materials()) {
    if (info.kind != kind) continue;
    all.push_back(in_quotes(info.id));
    if (solver == nullptr || solver->takes(info.laws.front())) taken.push_back(all.back());
  }
  return taken.empty() ? all : taken;
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
  if (instead.empty()) instead = models_for(info.kind, &solver);
  const std::string what = info.has_choice_of_law() ? "law " + in_quotes(law.id) : in_quotes(info.id);
  return "solver " + in_quotes(solver.id) + " does not take " + what + "; set /solver/type to " + either(able) +
         ", or use " + either(instead);
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
  if (std::holds_alternative<ClothMesh>(mesh)) return sim::ElementKind::edges;
  const auto* written = std::get_if<InlineMesh>(&mesh);
  return written != nullptr && written->tetrahedra.empty() ? sim::ElementKind::edges : sim::ElementKind::tetrahedra;
}

std::string_view plural(sim::ElementKind kind) {
  constexpr std::array<std::string_view, 3> names{"edges", "triangles", "tetrahedra"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view density_range(const Mesh& mesh) {
  if (element_kind(mesh) == sim::ElementKind::tetrahedra) return "material.density";
  return std::holds_alternative<ClothMesh>(mesh) ? "material.density.cloth" : "material.density.springs";
}

Material default_material(const Mesh& mesh) {
  Material material;
  material.model = sim::usual_material(element_kind(mesh))->id;
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
