#include "sim/solve/block_inverse_kernel.hpp"

namespace rebound::sim {

const InverseKernel& inverse_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")) {
    const bool wide =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return wide ? kInverseKernelAvx512 : kInverseKernelAvx2;
  }
#endif
  return kInverseKernelBaseline;
}

}  // namespace rebound::sim
