#include "sim/energy/float_kernel.hpp"

#include <cassert>
#include <cmath>

#include "sim/energy/arap_kernel.hpp"

namespace rebound::sim {

const FloatKernel& float_kernel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return kFloatKernelAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kFloatKernelAvx2;
#endif
  return kFloatKernelBaseline;
}

void rotations_in_double(const float* F, int count, float* R) {
  assert(count <= kFloatLanes);
  double f[9 * kFloatLanes], r[9 * kFloatLanes];
  for (int first = 0; first < 9 * count; first += 9) {
    bool finite = true;
    for (int i = first; i < first + 9; ++i) finite = finite && std::isfinite(F[i]);
    for (int i = 0; i < 9; ++i) f[first + i] = finite ? F[first + i] : (i % 4 == 0 ? 1.0 : 0.0);
  }
  arap_kernel().rotations(f, count, r);
  for (int i = 0; i < 9 * count; ++i) R[i] = static_cast<float>(r[i]);
}

}  // namespace rebound::sim
