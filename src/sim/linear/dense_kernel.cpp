#include "sim/linear/dense_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const DenseKernel& dense_kernel() { return widest(kDenseKernelBaseline, kDenseKernelAvx2, kDenseKernelAvx512); }

}  // namespace rebound::sim
