#include "sim/base/instruction_set.hpp"

#include <algorithm>

namespace rebound::sim {
namespace {

InstructionSet of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")) {
    const bool wide =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return wide ? InstructionSet::avx512 : InstructionSet::avx2;
  }
#endif
  return InstructionSet::baseline;
}

}  // namespace

InstructionSet instruction_set() { return std::min(of_processor(), InstructionSet::REBOUND_WIDEST); }

}  // namespace rebound::sim
