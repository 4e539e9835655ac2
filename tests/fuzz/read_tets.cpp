// Tet files of each format, whatever they are. The first byte chooses the format.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "mesh/geometry.hpp"
#include "mesh/tet_files.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rebound;
  if (size == 0) return 0;
  static const char* const kEndings[] = {".mesh", ".msh", ".vtk"};
  const auto file = std::filesystem::temp_directory_path() /
                    ("rebound_fuzz_" + std::to_string(getpid()) + kEndings[data[0] % std::size(kEndings)]);
  std::FILE* out = std::fopen(file.c_str(), "wb");
  if (out == nullptr) std::abort();
  std::fwrite(data + 1, 1, size - 1, out);
  std::fclose(out);
  try {
    const mesh::TetMesh mesh = mesh::read_tets(file);
    if (!mesh.points.allFinite()) std::abort();
    for (const auto& tet : mesh.tetrahedra)
      if (!(mesh::tet_volume(mesh.points, tet) > 0)) std::abort();
  } catch (const InputError&) {
  }
  std::filesystem::remove(file);
  return 0;
}
