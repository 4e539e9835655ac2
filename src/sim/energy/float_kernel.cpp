#include "sim/energy/float_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const FloatKernel& float_kernel() { return widest(kFloatKernelBaseline, kFloatKernelAvx2, kFloatKernelAvx512); }

}  // namespace rebound::sim
