// What the makers of shapes demand of their numbers.
#pragma once

namespace rebound::mesh {

/// Each throws MeshError naming `what`.
void require_size(double size, const char* what);
void require_divisions(int divisions, int least, const char* what);
void require_cells(double cells);

}  // namespace rebound::mesh
