// The kernels of all instruction sets that this processor has, narrow ones first.
#pragma once

#include <initializer_list>
#include <vector>

namespace rebound::test {

template <class Kernel>
std::vector<const Kernel*> kernels_up_to(const Kernel& widest, std::initializer_list<const Kernel*> all) {
  std::vector<const Kernel*> usable;
  for (const Kernel* kernel : all) {
    usable.push_back(kernel);
    if (kernel == &widest) break;
  }
  return usable;
}

/// widest: the kernel that is taken. name: what those of all sets begin with, such as kDenseKernel.
#if defined(__x86_64__)
#define REBOUND_USABLE_KERNELS(widest, name) kernels_up_to(widest, {&name##Baseline, &name##Avx2, &name##Avx512})
#else
#define REBOUND_USABLE_KERNELS(widest, name) kernels_up_to(widest, {&name##Baseline})
#endif

}  // namespace rebound::test
