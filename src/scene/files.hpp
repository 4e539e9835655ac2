// Files that a scene is or names: whether they can be read, and what kind they are.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
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

/// A name as a person can read it and JSON can hold it: what is not UTF-8 becomes U+FFFD.
std::string readable(std::string_view name);

/// Are scenes and runs confined to meshes below their own folders ($REBOUND_CONFINED, which is what --confined sets)?
/// Built-in scenes are to the assets.
bool is_confined();
/// Whether a file lies in a folder or in one below it, links followed; of a folder of the assets, in the assets.
bool lies_below(const std::filesystem::path& file, const std::filesystem::path& folder);

/// A file's name as text, to be given to file_of(): each byte that is not UTF-8 becomes one of U+F080 to U+F0FF, which
/// are for private use.
std::string text_of_file(const std::filesystem::path& file);

/// The file of that name in `folder`; where there is none, that whose name text_of_file() has written so.
std::filesystem::path file_of(std::string_view text, const std::filesystem::path& folder);

}  // namespace rebound::scene
