#include "sim/energy/solid_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const SolidKernel& solid_kernel() { return widest(kSolidKernelBaseline, kSolidKernelAvx2, kSolidKernelAvx512); }

}  // namespace rebound::sim
