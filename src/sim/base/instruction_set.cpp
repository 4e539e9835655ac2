#include "sim/base/instruction_set.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace rebound::sim {
namespace {

#if defined(__x86_64__)
// Clang 14 does not know this one by name.
bool converts_half_precision() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_F16C);
}
#endif

InstructionSet of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && converts_half_precision()) {
    const bool wide =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return wide ? InstructionSet::avx512 : InstructionSet::avx2;
  }
#endif
  return InstructionSet::baseline;
}

}  // namespace

// Asked once: on a virtual machine the question takes microseconds, and kernels are chosen many times a step.
InstructionSet instruction_set() {
  static const InstructionSet widest = std::min(of_processor(), InstructionSet::REBOUND_WIDEST);
  return widest;
}

}  // namespace rebound::sim
