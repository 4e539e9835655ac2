#include "sim/linear/block_inverse_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const InverseKernel& inverse_kernel() {
  return widest(kInverseKernelBaseline, kInverseKernelAvx2, kInverseKernelAvx512);
}

}  // namespace rebound::sim
