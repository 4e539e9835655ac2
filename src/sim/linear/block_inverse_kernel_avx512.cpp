#define REBOUND_INVERSE_KERNEL kInverseKernelAvx512
#define REBOUND_INVERSE_KERNEL_NAME "AVX-512"
#include "sim/linear/block_inverse_kernel.inl"
