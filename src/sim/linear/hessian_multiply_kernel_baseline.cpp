#define REBOUND_HESSIAN_MULTIPLY_KERNEL kHessianMultiplyKernelBaseline
#define REBOUND_HESSIAN_MULTIPLY_KERNEL_NAME "baseline"
#include "sim/linear/hessian_multiply_kernel.inl"
