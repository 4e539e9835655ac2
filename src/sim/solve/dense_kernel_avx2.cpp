#define REBOUND_DENSE_KERNEL kDenseKernelAvx2
#define REBOUND_DENSE_KERNEL_NAME "AVX2"
#include "sim/solve/dense_kernel.inl"
