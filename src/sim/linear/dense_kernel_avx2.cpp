#define REBOUND_DENSE_KERNEL kDenseKernelAvx2
#define REBOUND_DENSE_KERNEL_NAME "AVX2"
#include "sim/linear/dense_kernel.inl"
