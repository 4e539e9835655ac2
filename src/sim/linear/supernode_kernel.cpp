#include "sim/linear/supernode_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const SupernodeKernel& supernode_kernel() {
  return widest(kSupernodeKernelBaseline, kSupernodeKernelAvx2, kSupernodeKernelAvx512);
}

}  // namespace rebound::sim
