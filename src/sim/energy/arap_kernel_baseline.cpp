#define REBOUND_ARAP_KERNEL kArapKernelBaseline
#define REBOUND_ARAP_KERNEL_NAME "baseline"
#include "sim/energy/arap_kernel.inl"
