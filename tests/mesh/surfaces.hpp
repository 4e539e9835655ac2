// Surfaces to test with: good ones with closed forms, and the odd ones that users have.
#pragma once

#include <unistd.h>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "mesh/mesh.hpp"

namespace rebound::mesh {

/// Whether times mean anything: not without optimisation, nor under a sanitizer.
#if defined(NDEBUG) && !defined(REBOUND_SANITIZED)
constexpr bool kTimed = true;
#else
constexpr bool kTimed = false;
#endif

/// Twelve triangles facing outwards, from `low` to `low` + `size` along each axis.
Surface cube_surface(double size = 1, const Eigen::RowVector3d& low = Eigen::RowVector3d::Zero());

/// 20 * 4^levels triangles on a sphere about the origin.
Surface icosphere(double radius, int levels);

/// A flat net of 2 n^2 triangles in the xy plane, `size` wide, facing +z.
Surface grid_surface(double size, int n);

/// Both, one after the other.
Surface together(const Surface& a, const Surface& b);

void turn_all(Surface& surface);

/// Of an icosphere less its triangles above `height` (a share of the radius).
Surface cut_sphere(double radius, int levels, double height);

/// The kinds of odd surfaces, and one of each for every seed.
constexpr int kOddKinds = 24;
std::string odd_name(int kind);
Surface odd_surface(int kind, std::uint64_t seed);

/// A folder of its own, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "rebound-mesh-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// What `work` throws; empty when nothing.
template <typename Error, typename Work>
std::string message_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace rebound::mesh
