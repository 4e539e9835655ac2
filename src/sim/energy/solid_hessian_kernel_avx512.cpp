#define REBOUND_SOLID_HESSIAN_KERNEL kSolidHessianKernelAvx512
#define REBOUND_SOLID_HESSIAN_KERNEL_NAME "AVX-512"
#include "sim/energy/solid_hessian_kernel.inl"
