// Wavefront OBJ: the surface in it, read strictly, and written so that it reads back the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/error.hpp"
#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"

namespace rebound::mesh {

/// What a file may hold at most; beyond it the refusal comes before the memory is taken.
struct ObjLimits {
  std::uintmax_t bytes = std::uintmax_t{1} << 30;
  int vertices = 2'000'000;
  int triangles = 4'000'000;
  int corners = 64;         ///< of one polygon
  double coordinate = 1e9;  ///< largest magnitude
};

/// The points (rows as in the file, digits exact) and faces of a file; polygons are cut into triangles; colours,
/// texture coordinates, normals, groups and materials are ignored. `notes` (if given) gains a sentence for the user
/// about what was changed. Throws MeshError "FILE:LINE:COLUMN: what is wrong; what would be right" (or "FILE: ..."),
/// and Cancelled.
Surface read_obj(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                 const Progress& progress = {}, const ObjLimits& limits = {});

/// The same for a text in memory; `name` is what messages call it.
Surface parse_obj(const std::string& name, std::string_view text, std::vector<std::string>* notes = nullptr,
                  const Progress& progress = {}, const ObjLimits& limits = {});

/// Whole or not at all; shortest digits that read back as the same numbers. `edges`: lines, of a net say. Throws
/// InputError.
void write_obj(const std::filesystem::path& path, const Surface& surface, std::span<const Edge> edges = {});

}  // namespace rebound::mesh
