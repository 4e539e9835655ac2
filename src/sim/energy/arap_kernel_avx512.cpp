#define REBOUND_ARAP_KERNEL kArapKernelAvx512
#define REBOUND_ARAP_KERNEL_NAME "AVX-512"
#include "sim/energy/arap_kernel.inl"
