#define REBOUND_HESSIAN_MULTIPLY_KERNEL kHessianMultiplyKernelAvx2
#define REBOUND_HESSIAN_MULTIPLY_KERNEL_NAME "AVX2"
#include "sim/linear/hessian_multiply_kernel.inl"
