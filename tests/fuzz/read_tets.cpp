// Tet files of each format, whatever they are. The first byte chooses the format; of .node and .ele, a byte 0 ends the
// first file.
#include <algorithm>
#include <optional>

#include "mesh/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh/tet_files.hpp"
#include "scratch_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rebound;
  if (size == 0) return 0;
  static const char* const kEndings[] = {".mesh", ".msh", ".vtk", ".node"};
  const char* ending = kEndings[data[0] % std::size(kEndings)];
  std::span<const std::uint8_t> bytes(data + 1, size - 1);
  std::optional<fuzz::ScratchFile> elements;
  if (ending == kEndings[3]) {
    const auto cut = static_cast<std::size_t>(std::find(bytes.begin(), bytes.end(), 0) - bytes.begin());
    elements.emplace(".ele", bytes.subspan(std::min(bytes.size(), cut + 1)));
    bytes = bytes.first(cut);
  }
  const fuzz::ScratchFile file(ending, bytes);
  try {
    const mesh::TetMesh mesh = mesh::read_tets(file.path());
    if (!mesh.points.allFinite()) std::abort();
    for (const auto& tet : mesh.tetrahedra)
      if (!(mesh::tet_volume(mesh.points, tet) > 0)) std::abort();
  } catch (const InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
