#define REBOUND_TALL_KERNEL kTallKernelAvx2
#define REBOUND_TALL_KERNEL_NAME "AVX2"
#include "sim/linear/tall_kernel.inl"
