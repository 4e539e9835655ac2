#define REBOUND_LANCZOS_KERNEL kLanczosKernelAvx2
#define REBOUND_LANCZOS_KERNEL_NAME "AVX2"
#include "sim/linear/lanczos_kernel.inl"
