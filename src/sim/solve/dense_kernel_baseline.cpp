#define REBOUND_DENSE_KERNEL kDenseKernelBaseline
#define REBOUND_DENSE_KERNEL_NAME "baseline"
#include "sim/solve/dense_kernel.inl"
