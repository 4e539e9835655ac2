#define REBOUND_SUPERNODE_KERNEL kSupernodeKernelAvx2
#define REBOUND_SINGLE_SUPERNODE_KERNEL kSingleSupernodeKernelAvx2
#define REBOUND_SUPERNODE_KERNEL_NAME "AVX2"
#include "sim/linear/supernode_kernel.inl"
