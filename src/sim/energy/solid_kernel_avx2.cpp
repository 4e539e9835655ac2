#define REBOUND_SOLID_KERNEL kSolidKernelAvx2
#define REBOUND_SOLID_KERNEL_NAME "AVX2"
#include "sim/energy/solid_kernel.inl"
