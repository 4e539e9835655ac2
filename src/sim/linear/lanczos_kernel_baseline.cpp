#define REBOUND_LANCZOS_KERNEL kLanczosKernelBaseline
#define REBOUND_LANCZOS_KERNEL_NAME "baseline"
#include "sim/linear/lanczos_kernel.inl"
