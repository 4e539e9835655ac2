#define REBOUND_INVERSE_KERNEL kInverseKernelBaseline
#define REBOUND_INVERSE_KERNEL_NAME "baseline"
#include "sim/linear/block_inverse_kernel.inl"
