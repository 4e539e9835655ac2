#include "sim/energy/arap_kernel.hpp"

namespace rebound::sim {

const ArapKernel& arap_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return kArapKernelAvx512;
  if (__builtin_cpu_supports("avx2")) return kArapKernelAvx2;
#endif
  return kArapKernelBaseline;
}

}  // namespace rebound::sim
