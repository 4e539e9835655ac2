#include "scene/files.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "mesh/error.hpp"
#include "scene/wording.hpp"

namespace rebound::scene {
namespace fs = std::filesystem;

std::optional<std::string> file_problem(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (error == std::errc::not_a_directory) return "no such file: part of its path is a file, not a folder";
  if (error == std::errc::permission_denied) return "cannot be read: no permission for its folder";
  if (status.type() == fs::file_type::not_found) {
    std::error_code ignored;
    if (fs::is_symlink(file, ignored)) return "is a link to a file that does not exist";
    const fs::path folder = file.parent_path();
    if (!folder.empty() && !fs::exists(folder, ignored)) return "no such file: its folder does not exist either";
    return "no such file";
  }
  if (error) return "cannot be read: " + error.message();
  if (status.type() == fs::file_type::directory) return "is a folder, not a file";
  // A pipe or device could block or never end.
  if (status.type() != fs::file_type::regular) return "is no regular file";
  errno = 0;
  if (!std::ifstream(file, std::ios::binary)) {
    if (errno == EACCES) return "cannot be read: no permission";
    return std::string("cannot be read: ") + (errno != 0 ? std::strerror(errno) : "it does not open");
  }
  const auto size = fs::file_size(file, error);
  if (!error && size == 0) return "is empty";
  return std::nullopt;
}

std::string read_text(const fs::path& file, std::size_t limit) {
  const std::string name = one_line(file.string());
  if (const auto problem = file_problem(file)) throw InputError(name + ": " + *problem);
  const std::string too_large = name + ": larger than " + std::to_string(limit >> 20) +
                                " MiB, the most it may be; put large meshes into files of their own";
  std::error_code error;
  if (const auto size = fs::file_size(file, error); !error && size > limit) throw InputError(too_large);
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  std::string block(std::size_t{1} << 16, '\0');
  // Block by block, as the file may grow while it is read.
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) || stream.gcount() > 0) {
    text.append(block, 0, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > limit) throw InputError(too_large);
  }
  if (stream.bad()) throw InputError(name + ": cannot be read to its end");
  return text;
}

namespace {

std::string extension(const fs::path& file) {
  std::string text = file.extension().string();
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

const std::vector<std::string>& mesh_extensions() {
  static const std::vector<std::string> extensions{".obj", ".mesh", ".msh", ".node", ".ele", ".vtk"};
  return extensions;
}

bool is_mesh_file(const fs::path& file) {
  const auto& known = mesh_extensions();
  return std::find(known.begin(), known.end(), extension(file)) != known.end();
}

bool is_surface_file(const fs::path& file) { return extension(file) == ".obj"; }

}  // namespace rebound::scene
