#define REBOUND_SOLID_HESSIAN_KERNEL kSolidHessianKernelBaseline
#define REBOUND_SOLID_HESSIAN_KERNEL_NAME "baseline"
#include "sim/energy/solid_hessian_kernel.inl"
