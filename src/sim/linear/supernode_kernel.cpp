#include "sim/linear/supernode_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

template <>
const SupernodeKernel<double>& supernode_kernel() {
  return widest(kSupernodeKernelBaseline, kSupernodeKernelAvx2, kSupernodeKernelAvx512);
}

template <>
const SupernodeKernel<float>& supernode_kernel() {
  return widest(kSingleSupernodeKernelBaseline, kSingleSupernodeKernelAvx2, kSingleSupernodeKernelAvx512);
}

}  // namespace rebound::sim
