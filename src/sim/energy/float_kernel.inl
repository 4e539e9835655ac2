// Included once by each of float_kernel_{baseline,avx2,avx512}.cpp, with REBOUND_FLOAT_KERNEL and its name defined. As
// in arap_kernel.inl, no library header is included: an inline function compiled here for a wide instruction set could
// otherwise be the copy that the linker keeps for the whole program.

#include "sim/base/first_root.hpp"
#include "sim/energy/float_kernel.hpp"
#include "sim/energy/float_lanes.inl"
#include "sim/energy/float_rotation.inl"
#include "sim/energy/float_springs.inl"
#include "sim/energy/float_tets.inl"
#include "sim/energy/float_solids.inl"
#include "sim/energy/float_triangles.inl"
#include "sim/energy/float_hinges.inl"

namespace rebound::sim {

extern const FloatKernel REBOUND_FLOAT_KERNEL;
const FloatKernel REBOUND_FLOAT_KERNEL = {
    REBOUND_FLOAT_KERNEL_NAME,
    {tets_value, add_tets_gradient, nullptr},
    {springs_value, add_springs_gradient, nullptr},
    {kSolids<CorotatedLaw>, kSolids<FixedCorotatedLaw>, kSolids<StVKLaw>, kSolids<NeoHookeanLaw>,
     kSolids<StableNeoHookeanLaw>},
    {kMembranes<MembraneStVKLaw>, kMembranes<MembraneNeoHookeanLaw>},
    {hinges_value, add_hinges_gradient, nullptr},
    rotations};

}  // namespace rebound::sim
