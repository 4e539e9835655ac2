#define REBOUND_INVERSE_KERNEL kInverseKernelAvx2
#define REBOUND_INVERSE_KERNEL_NAME "AVX2"
#include "sim/linear/block_inverse_kernel.inl"
