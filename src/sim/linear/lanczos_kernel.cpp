#include "sim/linear/lanczos_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const LanczosKernel& lanczos_kernel() {
  return widest(kLanczosKernelBaseline, kLanczosKernelAvx2, kLanczosKernelAvx512);
}

}  // namespace rebound::sim
