#include "sim/solve/dense_kernel.hpp"

#include "sim/instruction_set.hpp"

namespace rebound::sim {

const DenseKernel& dense_kernel() { return widest(kDenseKernelBaseline, kDenseKernelAvx2, kDenseKernelAvx512); }

}  // namespace rebound::sim
