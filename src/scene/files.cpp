#include "scene/files.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include "mesh/error.hpp"
#include "scene/library.hpp"
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

// U+F080 stands for the byte 0x80, and so on.
constexpr int kPrivate = 0xf000;

// The bytes of the UTF-8 character with which the text begins; 0 if it begins with none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xc2 && first < 0xe0   ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  // Written longer than need be, halves of pairs, and what lies beyond the last one.
  const bool unfit = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0) ||
                     (first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90);
  return unfit ? 0 : length;
}

void append_character(std::string& text, int code) {
  text += static_cast<char>(0xe0 | code >> 12);
  text += static_cast<char>(0x80 | (code >> 6 & 0x3f));
  text += static_cast<char>(0x80 | (code & 0x3f));
}

// Code: of a byte that is no part of a character, the one that stands for it.
template <class Code>
std::string with_valid_characters(std::string_view text, const Code& code) {
  std::string valid;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0)
      append_character(valid, code(static_cast<unsigned char>(text.front())));
    else
      valid.append(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return valid;
}

std::string with_private_bytes(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    std::string stands_for;
    if (text.size() >= 3 && text.front() == static_cast<char>(0xef)) {
      const int code = 0xf000 | (text[1] & 0x3f) << 6 | (text[2] & 0x3f);
      if (code >= kPrivate + 0x80 && code <= kPrivate + 0xff) stands_for = static_cast<char>(code & 0xff);
    }
    bytes += stands_for.empty() ? std::string(1, text.front()) : stands_for;
    text.remove_prefix(stands_for.empty() ? 1 : 3);
  }
  return bytes;
}

}  // namespace

std::string readable(std::string_view name) {
  return with_valid_characters(name, [](int) { return 0xfffd; });
}

std::string text_of_file(const fs::path& file) {
  return with_valid_characters(file.native(), [](int byte) { return kPrivate + byte; });
}

fs::path file_of(std::string_view text, const fs::path& folder) {
  // Joining keeps an absolute name as it is.
  const fs::path file = (folder / text).lexically_normal();
  std::error_code ignored;
  if (fs::exists(file, ignored)) return file;
  const fs::path other = (folder / with_private_bytes(text)).lexically_normal();
  return fs::exists(other, ignored) ? other : file;
}

bool is_confined() {
  const char* value = std::getenv("REBOUND_CONFINED");
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

bool lies_below(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const auto is_in = [&](const fs::path& what, const fs::path& where) {
    const fs::path relative = fs::weakly_canonical(what, error).lexically_relative(fs::weakly_canonical(where, error));
    return !error && !relative.empty() && *relative.begin() != "..";
  };
  const fs::path own = fs::absolute(folder.empty() ? "." : folder, error);
  if (error) return false;
  if (const auto assets = assets_folder(); assets && is_in(own, *assets)) return is_in(file, *assets);
  return is_in(file, own);
}

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
