#include "sim/linear/hessian_multiply_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const HessianMultiplyKernel& hessian_multiply_kernel() {
  return widest(kHessianMultiplyKernelBaseline, kHessianMultiplyKernelAvx2, kHessianMultiplyKernelAvx512);
}

}  // namespace rebound::sim
