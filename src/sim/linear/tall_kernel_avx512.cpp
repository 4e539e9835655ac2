#define REBOUND_TALL_KERNEL kTallKernelAvx512
#define REBOUND_TALL_KERNEL_NAME "AVX-512"
#include "sim/linear/tall_kernel.inl"
