#define REBOUND_INVERSE_KERNEL kInverseKernelAvx512
#define REBOUND_INVERSE_KERNEL_NAME "AVX-512"
#include "sim/solve/block_inverse_kernel.inl"
