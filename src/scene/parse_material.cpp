// "material": { "model": ..., ... }
#include "scene/material.hpp"
#include "scene/parse_body.hpp"
#include "scene/ranges.hpp"
#include "scene/wording.hpp"
#include "sim/energy/materials.hpp"

namespace rebound::scene {
namespace {

void parse_rest_lengths(const Value& value, const MeshFacts& facts, Material& material) {
  const Range& permitted = range("material.restLength");
  value.each([&](const Value& length) { material.restLengths.push_back(length.number(permitted)); });
  const auto given = static_cast<std::int64_t>(material.restLengths.size());
  if (facts.edges && given != *facts.edges) {
    value.fail("has " + std::to_string(given) + " lengths for " + std::to_string(*facts.edges) +
               " edges; give one an edge");
  }
}

/// "'young' (Pa) and 'poisson'".
std::string numbers_of(const sim::MaterialInfo& info) {
  std::string text;
  for (std::size_t i = 0; i < info.parameters.size(); ++i) {
    if (i > 0) text += i + 1 == info.parameters.size() ? " and " : ", ";
    text += in_quotes(info.parameters[i].key);
    const std::string_view unit = range(info.parameters[i].range).unit;
    if (!unit.empty()) text.append(" (").append(unit).append(")");
  }
  return text;
}

/// Keys that other materials have get an error that says what this one has instead.
void refuse_foreign_keys(const Value& value, const sim::MaterialInfo& info) {
  const auto refuse = [&](std::string_view key) {
    if (const auto found = value.find(key)) found->fail(in_quotes(info.id) + " has " + numbers_of(info) + " instead");
  };
  for (const sim::MaterialInfo& other : sim::materials())
    for (const sim::MaterialParameter& parameter : other.parameters)
      if (!info.asks_for(parameter.key)) refuse(parameter.key);
  if (!info.has_choice_of_law()) refuse("law");
  if (info.kind != sim::ElementKind::edges) refuse("restLengths");
}

/// Of what a scene names in the place of numbers. Null if it names nothing.
const MaterialPreset* parse_preset(Reader& reader, const sim::MaterialInfo& info) {
  const auto value = reader.find("preset");
  if (!value) return nullptr;
  if (info.is_whole) value->fail(in_quotes(info.id) + " has no presets; give its " + numbers_of(info));
  const std::vector<std::string> all = preset_ids(info.kind);
  return find_preset(info.kind, identifier(*value, "preset of " + std::string(plural(info.kind)), all, all));
}

/// Numbers that are written, by their keys.
void parse_numbers(Reader& reader, const sim::MaterialInfo& info, MaterialRegion& region) {
  const auto take = [&](std::string_view key, std::string_view range_key) {
    std::optional<double> value;
    if (!region.numbers.contains(key)) reader.number(key, range_key, value);
    if (value) region.numbers.emplace(key, *value);
  };
  for (const sim::MaterialParameter& parameter : info.parameters) take(parameter.key, parameter.range);
  take("density", "material.density");
}

decltype(MaterialRegion::elements) parse_place(const Value& value, Reader& reader) {
  const auto box = reader.find("box"), shell = reader.find("shell"), elements = reader.find("elements"),
             label = reader.find("label");
  if (box.has_value() + shell.has_value() + elements.has_value() + label.has_value() != 1)
    value.fail(
        "needs either 'box', two corners [[min], [max]], 'shell', how deep below the surface, 'elements', the numbers "
        "of tetrahedra, or 'label', a number that the mesh's file gives them");
  if (box) return parse_box(*box);
  if (shell) return ShellRegion{shell->number(range("region.shell"))};
  if (label) return MeshLabel{static_cast<int>(label->integer(range("region.label")))};
  std::vector<int> numbers;
  numbers.reserve(elements->size());
  elements->each(
      [&](const Value& element) { numbers.push_back(static_cast<int>(element.integer(range("region.element")))); });
  return numbers;
}

constexpr const char* kWhatARegionNeeds = "what the region is made of, such as { \"young\": 1e7 }";

}  // namespace

std::vector<MaterialRegion> parse_regions(const Value& regions) {
  std::vector<MaterialRegion> all;
  regions.each([&](const Value& value) {
    MaterialRegion& region = all.emplace_back();
    value.object([&](Reader& reader) {
      region.elements = parse_place(value, reader);
      reader.required("material", kWhatARegionNeeds).object([&](Reader& part) {
        if (const auto model = part.find("model"))
          region.model = identifier(*model, "material", built().materials, named().materials);
        for (const sim::MaterialInfo& info : sim::materials())
          if (info.kind == sim::ElementKind::tetrahedra) parse_numbers(part, info, region);
      });
    });
  });
  return all;
}

MaterialRegion parse_material_region(const Value& value, const Mesh& mesh, const Material& body, const Solver& solver,
                                     const Known& known) {
  if (element_kind(mesh) != sim::ElementKind::tetrahedra)
    value.fail("only bodies of tetrahedra have regions; this mesh has " + std::string(plural(element_kind(mesh))));
  MaterialRegion region;
  value.object([&](Reader& reader) {
    region.elements = parse_place(value, reader);
    reader.required("material", kWhatARegionNeeds).object([&](Reader& part) {
      if (const auto model = part.find("model")) {
        region.model = identifier(*model, "material", known.materials, named().materials);
        const sim::MaterialInfo* chosen = sim::find_material(*region.model);
        if (chosen != nullptr && chosen->is_whole)
          model->fail(in_quotes(chosen->id) + " is for whole bodies, not for regions; make it a body of its own");
        if (const auto fault = fault_of(material_in(region, body), element_kind(mesh), solver.type))
          model->fail(fault->what);
      }
      const sim::MaterialInfo& info = *sim::find_material(material_in(region, body).model);
      refuse_foreign_keys(part.value(), info);
      parse_numbers(part, info, region);
      if (const MaterialPreset* preset = parse_preset(part, info))
        for (const auto& [key, number] : numbers_of(*preset)) region.numbers.emplace(key, number);
    });
  });
  return region;
}

Material parse_material(Reader& reader, const Mesh& mesh, const MeshFacts& facts, const Solver& solver,
                        const Known& known) {
  Material material = default_material(mesh);
  const auto check = [&](const Value& place) {
    if (const auto fault = fault_of(material, element_kind(mesh), solver.type)) place.fail(fault->what);
  };
  if (const auto model = reader.find("model")) {
    material.model = identifier(*model, "material", known.materials, named().materials);
    check(*model);
  }
  const sim::MaterialInfo& info = *sim::find_material(material.model);
  if (info.has_choice_of_law() && info.find_law(material.law) == nullptr) material.law = info.laws.front().id;
  refuse_foreign_keys(reader.value(), info);
  if (const MaterialPreset* preset = parse_preset(reader, info)) take(*preset, material);
  reader.number("density", density_range(mesh), material.density);
  if (const auto law = reader.find("law")) {
    material.law = identifier(*law, "law", known.laws, named().laws);
    check(*law);
  }
  for (const sim::MaterialParameter& parameter : info.parameters)
    reader.number(parameter.key, parameter.range, material.*parameter.value);
  if (const auto lengths = reader.find("restLengths")) parse_rest_lengths(*lengths, facts, material);
  return material;
}

}  // namespace rebound::scene
