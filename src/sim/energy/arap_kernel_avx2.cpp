#define REBOUND_ARAP_KERNEL kArapKernelAvx2
#define REBOUND_ARAP_KERNEL_NAME "AVX2"
#include "sim/energy/arap_kernel.inl"
