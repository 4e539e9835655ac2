#include "cli/paths.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "mesh/error.hpp"
#include "mesh/pending_file.hpp"
#include "scene/description.hpp"

namespace rebound::cli {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

bool same_inode(const fs::path& a, const fs::path& b) {
  struct stat of_a, of_b;
  return ::stat(a.c_str(), &of_a) == 0 && ::stat(b.c_str(), &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

/// Whatever they are called. A file that is not there yet is told by its folder and its name in it.
bool is_same_file(const fs::path& a, const fs::path& b) {
  if (same_inode(a, b)) return true;
  const fs::path at_a = behind_links(a), at_b = behind_links(b);
  return at_a.filename() == at_b.filename() && same_inode(folder_of(at_a), folder_of(at_b));
}

/// Takes anything, from as many as there are.
bool is_null_device(const fs::path& file) {
  struct stat status;
  return ::stat(file.c_str(), &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
}

[[noreturn]] void refuse(const std::string& option, const fs::path& file, const std::string& what) {
  throw InputError(option + ": " + file.string() + " is " + what + "; name another file");
}

}  // namespace

void Paths::reads(const std::string& what, const fs::path& file) {
  if (!file.empty()) all_.push_back({what + ", which is read", file});
}

void Paths::reads(const scene::Description& scene) {
  reads("the scene", scene.file);
  for (const scene::Body& body : scene.bodies) {
    const auto* mesh = std::get_if<scene::FileMesh>(&body.mesh);
    if (mesh == nullptr) continue;
    const std::string what = "the mesh of body '" + body.name + "'";
    reads(what, mesh->file);
    // The two belong together, and either name stands for both.
    const std::string ending = mesh->file.extension().string();
    if (ending == ".node" || ending == ".ele")
      reads(what, fs::path(mesh->file).replace_extension(ending == ".node" ? ".ele" : ".node"));
  }
  for (const scene::Obstacle& obstacle : scene.obstacles)
    if (const auto* mesh = std::get_if<scene::MeshShape>(&obstacle.shape))
      reads("the mesh of obstacle '" + obstacle.name + "'", mesh->file);
}

void Paths::writes(const std::string& option, const fs::path& file) {
  if (file.empty() || is_null_device(file)) return;
  if (file == "-")
    throw InputError(option + ": '-' would be a file of that name; write /dev/stdout for the terminal or a pipe");
  for (const Named& other : all_)
    if (is_same_file(file, other.file)) refuse(option, file, other.what);
  all_.push_back({"what " + option + " writes as well", file});
}

void Paths::writes_into(const std::string& option, const fs::path& folder,
                        const std::function<bool(const std::string& name)>& makes) {
  if (folder.empty()) return;
  for (const Named& other : all_) {
    const fs::path file = behind_links(other.file);
    if (makes(file.filename().string()) && same_inode(folder, folder_of(file)))
      refuse(option, other.file, other.what + ", and a file of that name would be written");
  }
}

}  // namespace rebound::cli
