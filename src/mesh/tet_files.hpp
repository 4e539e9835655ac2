// Tetrahedra as other programs write them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "mesh/error.hpp"
#include "mesh/mesh.hpp"
#include "mesh/progress.hpp"

namespace rebound::mesh {

/// Reads Medit `.mesh`, Gmsh `.msh` (2.2 and 4.1), TetGen `.node` + `.ele` (either name) and legacy `.vtk` unstructured
/// grids, each as text. Tetrahedra of negative volume are turned round and unused vertices dropped, each with a
/// sentence in `notes` (if given). Throws MeshError "FILE:LINE:COLUMN: what is wrong; what would be right" (or "FILE:
/// ..."), for volumes of at most 1e-9 of the mean and elements that stand twice too (`triangles` then holds the first
/// of these); and Cancelled.
TetMesh read_tets(const std::filesystem::path& path, std::vector<std::string>* notes = nullptr,
                  const Progress& progress = {});

/// Whether `path` has one of the endings above.
bool is_tet_file(const std::filesystem::path& path);

/// The same demands on tetrahedra from elsewhere (a scene file): indices in range, volumes not zero, none twice,
/// orientation mended, unused vertices kept. `name` is what messages call them.
void check_tets(const std::string& name, TetMesh& mesh, std::vector<std::string>* notes = nullptr);

}  // namespace rebound::mesh
