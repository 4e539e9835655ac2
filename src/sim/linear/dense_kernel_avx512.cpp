#define REBOUND_DENSE_KERNEL kDenseKernelAvx512
#define REBOUND_DENSE_KERNEL_NAME "AVX-512"
#include "sim/linear/dense_kernel.inl"
