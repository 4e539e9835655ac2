#define REBOUND_SUPERNODE_KERNEL kSupernodeKernelAvx512
#define REBOUND_SINGLE_SUPERNODE_KERNEL kSingleSupernodeKernelAvx512
#define REBOUND_SUPERNODE_KERNEL_NAME "AVX-512"
#include "sim/linear/supernode_kernel.inl"
