// The strict look at an OBJ text that tinyobjloader does not take: it reads "nan", "abc" and "1,5" as numbers.
#pragma once

#include <string>
#include <string_view>

#include "mesh/obj.hpp"

namespace rebound::mesh {

struct ObjScan {
  Points points;              ///< every `v` line, correctly rounded
  std::int64_t faces = 0;     ///< `f` lines
  std::int64_t polygons = 0;  ///< of these, with more than three corners
};

/// Throws MeshError at the first `v` or `f` line that is not as it should be, and when there are no faces.
ObjScan scan_obj(const std::string& name, std::string_view text, const Progress& progress, const ObjLimits& limits);

}  // namespace rebound::mesh
