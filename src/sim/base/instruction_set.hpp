// The widest instructions that kernels may use: of the processor, and of REBOUND_WIDEST, which a build can set lower.
#pragma once

namespace rebound::sim {

enum class InstructionSet { baseline, avx2, avx512 };

/// avx2 has FMA and F16C with it, avx512 the parts F, DQ and VL.
InstructionSet instruction_set();

/// The kernel for it.
template <class Kernel>
const Kernel& widest(const Kernel& baseline, const Kernel& avx2, const Kernel& avx512) {
  switch (instruction_set()) {
    case InstructionSet::avx512:
      return avx512;
    case InstructionSet::avx2:
      return avx2;
    case InstructionSet::baseline:
      break;
  }
  return baseline;
}

}  // namespace rebound::sim
