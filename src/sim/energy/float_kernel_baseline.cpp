#define REBOUND_FLOAT_KERNEL kFloatKernelBaseline
#define REBOUND_FLOAT_KERNEL_NAME "baseline"
#include "sim/energy/float_kernel.inl"
