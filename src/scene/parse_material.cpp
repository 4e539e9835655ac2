// "material": { "model": ..., ... }
#include "scene/parse_body.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {
namespace {

/// The mesh in the words of a message.
std::string made_of(const MeshFacts& facts) {
  return facts.springs ? "this mesh has edges, not tetrahedra" : "this mesh has tetrahedra, not edges";
}

void check_fits_mesh(const Value& model, const std::string& name, const MeshFacts& facts) {
  if ((name == "springs") == facts.springs) return;
  if (facts.springs) model.fail(in_quotes(name) + " needs tetrahedra, but " + made_of(facts) + "; use 'springs'");
  model.fail("'springs' need edges, but " + made_of(facts) + "; use 'arap', or a mesh of 'cloth' or 'edges'");
}

void check_solver(const Value& place, const Material& material, const Solver& solver, const Known& known) {
  if (!needs_newton(material.model, material.law) || solver.type == "newton") return;
  const bool springs = material.model == "springs";
  const std::string what = springs ? "'squared' springs need" : in_quotes(material.model) + " needs";
  const std::string instead = springs ? "law 'hookean'" : "'arap'";
  bool have_newton = false;
  for (const std::string& name : known.solvers) have_newton = have_newton || name == "newton";
  place.fail(what + " the newton solver, " +
             (have_newton
                  ? "and the scene's is '" + solver.type + "'; set /solver/type to \"newton\", or use " + instead
                  : "which this version does not have; use " + instead));
}

void parse_law(Reader& reader, Material& material, const Solver& solver, const Known& known) {
  const auto law = reader.find("law");
  if (!law) return;
  material.law = law->choice(named().springLaws);
  check_solver(*law, material, solver, known);
  identifier(*law, "law", known.springLaws, named().springLaws);
}

void parse_rest_lengths(const Value& value, const MeshFacts& facts, Material& material) {
  const Range& permitted = range("material.restLength");
  value.each([&](const Value& length) { material.restLengths.push_back(length.number(permitted)); });
  const auto given = static_cast<std::int64_t>(material.restLengths.size());
  if (facts.edges && given != *facts.edges) {
    value.fail("has " + std::to_string(given) + " lengths for " + std::to_string(*facts.edges) +
               " edges; give one an edge");
  }
}

/// Keys of the other kind of material get an error that says what this kind has instead.
void refuse_foreign_keys(const Value& value, const Material& material) {
  const bool springs = material.model == "springs";
  const auto refuse = [&](std::string_view key, const std::string& what) {
    if (const auto found = value.find(key)) found->fail(what);
  };
  if (springs) {
    for (const char* key : {"young", "poisson"}) refuse(key, "springs have a 'stiffness' (N/m) instead");
  } else {
    const std::string what = "is of springs; '" + material.model + "' has 'young' and 'poisson' instead";
    for (const char* key : {"law", "stiffness", "restLengths"}) refuse(key, what);
  }
}

/// Density means a mass a volume, an area or a length.
std::string density_range(const Mesh& mesh, const MeshFacts& facts) {
  if (!facts.springs) return "material.density";
  return std::holds_alternative<ClothMesh>(mesh) ? "material.density.cloth" : "material.density.springs";
}

}  // namespace

Material default_material(const Mesh& mesh, const MeshFacts& facts) {
  Material material;
  material.model = facts.springs ? "springs" : "arap";
  material.density = range(density_range(mesh, facts)).standard;
  return material;
}

Material parse_material(Reader& reader, const Mesh& mesh, const MeshFacts& facts, const Solver& solver,
                        const Known& known) {
  Material material = default_material(mesh, facts);
  if (const auto model = reader.find("model")) {
    material.model = identifier(*model, "material", named().materials, named().materials);
    check_fits_mesh(*model, material.model, facts);
    check_solver(*model, material, solver, known);
    identifier(*model, "material", known.materials, named().materials);
  }
  refuse_foreign_keys(reader.value(), material);
  reader.number("density", density_range(mesh, facts), material.density);
  if (material.model == "springs") {
    parse_law(reader, material, solver, known);
    reader.number("stiffness", "material.stiffness", material.stiffness);
    if (const auto lengths = reader.find("restLengths")) parse_rest_lengths(*lengths, facts, material);
  } else {
    reader.number("young", "material.young", material.young);
    reader.number("poisson", "material.poisson", material.poisson);
  }
  return material;
}

}  // namespace rebound::scene
