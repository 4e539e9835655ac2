#include "sim/energy/solid_hessian_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const SolidHessianKernel& solid_hessian_kernel() {
  return widest(kSolidHessianKernelBaseline, kSolidHessianKernelAvx2, kSolidHessianKernelAvx512);
}

}  // namespace rebound::sim
