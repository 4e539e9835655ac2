#include "sim/linear/tall_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const TallKernel& tall_kernel() { return widest(kTallKernelBaseline, kTallKernelAvx2, kTallKernelAvx512); }

}  // namespace rebound::sim
