// OBJ text, whatever it is: a surface or a MeshError, never a crash; and what a surface says of itself is right.
#include <cstdlib>
#include <string_view>

#include "mesh/error.hpp"
#include "mesh/obj.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rebound;
  try {
    const mesh::Surface s = mesh::parse_obj("fuzz.obj", {reinterpret_cast<const char*>(data), size});
    if (!s.points.allFinite()) std::abort();
    for (const auto& triangle : s.triangles)
      for (const int v : triangle)
        if (v < 0 || v >= s.points.rows()) std::abort();
  } catch (const InputError& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
