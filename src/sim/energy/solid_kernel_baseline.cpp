#define REBOUND_SOLID_KERNEL kSolidKernelBaseline
#define REBOUND_SOLID_KERNEL_NAME "baseline"
#include "sim/energy/solid_kernel.inl"
