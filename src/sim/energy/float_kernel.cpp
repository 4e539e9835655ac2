#include "sim/energy/float_kernel.hpp"

namespace rebound::sim {

const FloatKernel& float_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return kFloatKernelAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kFloatKernelAvx2;
#endif
  return kFloatKernelBaseline;
}

}  // namespace rebound::sim
