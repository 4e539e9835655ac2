// The single-precision kernels that this machine can run.
#pragma once

#include <vector>

#include "sim/energy/float_kernel.hpp"

namespace rebound::test {

inline std::vector<const sim::FloatKernel*> float_kernels() {
  std::vector<const sim::FloatKernel*> list{&sim::kFloatKernelBaseline};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) list.push_back(&sim::kFloatKernelAvx2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) list.push_back(&sim::kFloatKernelAvx512);
#endif
  return list;
}

}  // namespace rebound::test
