// The energies of a sheet: that of its triangles, and that of the hinges between them where it resists bending.
#pragma once

#include "sim/energy/materials.hpp"

namespace rebound::sim {

Energies make_stvk_membrane(const MaterialElements& body);
Energies make_neo_hookean_membrane(const MaterialElements& body);

}  // namespace rebound::sim
