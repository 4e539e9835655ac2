// Files that a scene is or names: whether they can be read, and what kind they are.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace rebound::scene {

/// What keeps a file from being read ("no such file", "is a folder, not a file", ...); nothing if it can be.
std::optional<std::string> file_problem(const std::filesystem::path& file);

/// A whole file, at most `limit` bytes. InputError naming the file and the cause otherwise.
std::string read_text(const std::filesystem::path& file, std::size_t limit);

/// ".obj", ".mesh", ...: the mesh files there are readers for.
const std::vector<std::string>& mesh_extensions();

/// Whether the name ends like a mesh file, in small or capital letters.
bool is_mesh_file(const std::filesystem::path& file);

/// Whether it is a mesh file of triangles, to be cut into tetrahedra.
bool is_surface_file(const std::filesystem::path& file);

}  // namespace rebound::scene
