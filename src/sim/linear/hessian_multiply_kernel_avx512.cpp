#define REBOUND_HESSIAN_MULTIPLY_KERNEL kHessianMultiplyKernelAvx512
#define REBOUND_HESSIAN_MULTIPLY_KERNEL_NAME "AVX-512"
#include "sim/linear/hessian_multiply_kernel.inl"
