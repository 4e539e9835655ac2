#define REBOUND_DENSE_KERNEL kDenseKernelBaseline
#define REBOUND_DENSE_KERNEL_NAME "baseline"
#include "sim/linear/dense_kernel.inl"
