#define REBOUND_SOLID_KERNEL kSolidKernelAvx512
#define REBOUND_SOLID_KERNEL_NAME "AVX-512"
#include "sim/energy/solid_kernel.inl"
