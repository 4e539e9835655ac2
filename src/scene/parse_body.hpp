// The parts of a scene file that have a file of their own; used by parse.cpp alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scene/description.hpp"
#include "scene/identifiers.hpp"
#include "scene/json_reader.hpp"

namespace rebound::scene {

inline constexpr std::size_t kMostBodies = 10'000;

/// What the reading of a body needs to know of its mesh.
struct MeshFacts {
  std::optional<std::int64_t> vertices;  ///< their number, where the scene alone tells it
  std::optional<std::int64_t> edges;     ///< likewise, of the springs
  bool loose = false;                    ///< some vertex belongs to no element
  std::vector<bool> in_element;          ///< one per vertex, of a mesh written in the scene
};

/// One, or those that it is repeated as.
std::vector<Body> parse_body(const Value& value, const Solver& solver, const Known& known);
HardConstraint parse_constraint(const Value& value, const MeshFacts& facts);
/// [0, 1, ...], { "box": [[min], [max]] } or "border"
Selection parse_selection(const Value& value, const MeshFacts& facts);
Transform parse_transform(Reader& reader);
/// [[min], [max]]
BoxRegion parse_box(const Value& value);
/// The one of `shapes` that an object has; fails unless there is exactly one.
std::string only_shape(Reader& reader, const std::vector<std::string>& shapes);
/// A mesh file that is there, by its name relative to the scene.
std::filesystem::path parse_mesh_file(const Value& value);
Mesh parse_mesh(const Value& value, MeshFacts& facts);
Material parse_material(Reader& reader, const Mesh& mesh, const MeshFacts& facts, const Solver& solver,
                        const Known& known);

MaterialRegion parse_material_region(const Value& value, const Mesh& mesh, const Material& body, const Solver& solver,
                                     const Known& known);

/// One of the names built; the error for others tells those not built yet from those that mean nothing.
std::string identifier(const Value& value, const std::string& kind, const std::vector<std::string>& built_ones,
                       const std::vector<std::string>& named_ones);

}  // namespace rebound::scene
