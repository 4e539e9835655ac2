#define REBOUND_TALL_KERNEL kTallKernelBaseline
#define REBOUND_TALL_KERNEL_NAME "baseline"
#include "sim/linear/tall_kernel.inl"
