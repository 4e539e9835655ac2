#define REBOUND_LANCZOS_KERNEL kLanczosKernelAvx512
#define REBOUND_LANCZOS_KERNEL_NAME "AVX-512"
#include "sim/linear/lanczos_kernel.inl"
