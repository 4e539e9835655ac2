// What a body may be made of, by the table of materials: one place for scene files, commands and the window.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scene/description.hpp"
#include "scene/presets.hpp"
#include "sim/base/elements.hpp"

namespace rebound::scene {

/// What a mesh is made of.
sim::ElementKind element_kind(const Mesh& mesh);
/// Of meshes that may be of several kinds (a cloth, a surface file), the kind that the model is for.
void suit(Mesh& mesh, std::string_view model);
/// "edges", "triangles" or "tetrahedra".
std::string_view plural(sim::ElementKind kind);

/// The row of ranges() of a body's density: a mass a volume, of a cloth of springs an area, of loose springs a length.
std::string_view density_range(const Mesh& mesh);

/// The material of a body that names none.
Material default_material(const Mesh& mesh);

/// Makes it of what the preset is of: numbers alone, whatever the law.
void take(const MaterialPreset& preset, Material& material);

/// All bodies and their regions so many times as stiff.
void scale_stiffness(Description& description, double factor);

/// What a region of a body is made of.
Material material_in(const MaterialRegion& region, const Material& body);

/// What is wrong with a material, and what would be right.
struct MaterialFault {
  std::string_view key;  ///< which of its keys in a scene says so
  std::string what;
};

/// Is there such a material for these elements, and does the solver take it? Its numbers are not looked at.
std::optional<MaterialFault> fault_of(const Material& material, sim::ElementKind kind, std::string_view solver);

/// Throws InputError, one line that begins with `where`, if a body or a region of it cannot be of its material: there
/// is none such for its elements, the solver does not take it, or one of its numbers is out of range.
void check_material(const Body& body, std::string_view solver, std::string_view where);

}  // namespace rebound::scene
