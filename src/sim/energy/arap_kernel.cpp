#include "sim/energy/arap_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const ArapKernel& arap_kernel() { return widest(kArapKernelBaseline, kArapKernelAvx2, kArapKernelAvx512); }

}  // namespace rebound::sim
