#define REBOUND_FLOAT_KERNEL kFloatKernelAvx512
#define REBOUND_FLOAT_KERNEL_NAME "AVX-512"
#include "sim/energy/float_kernel.inl"
