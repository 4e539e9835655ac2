#define REBOUND_SUPERNODE_KERNEL kSupernodeKernelAvx512
#define REBOUND_SUPERNODE_KERNEL_NAME "AVX-512"
#include "sim/linear/supernode_kernel.inl"
