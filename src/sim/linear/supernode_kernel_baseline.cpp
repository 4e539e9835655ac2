#define REBOUND_SUPERNODE_KERNEL kSupernodeKernelBaseline
#define REBOUND_SUPERNODE_KERNEL_NAME "baseline"
#include "sim/linear/supernode_kernel.inl"
