#define REBOUND_FLOAT_KERNEL kFloatKernelAvx2
#define REBOUND_FLOAT_KERNEL_NAME "AVX2"
#include "sim/energy/float_kernel.inl"
