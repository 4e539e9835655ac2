#define REBOUND_SOLID_HESSIAN_KERNEL kSolidHessianKernelAvx2
#define REBOUND_SOLID_HESSIAN_KERNEL_NAME "AVX2"
#include "sim/energy/solid_hessian_kernel.inl"
