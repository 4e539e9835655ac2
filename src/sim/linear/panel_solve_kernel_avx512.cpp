#define REBOUND_PANEL_SOLVE_KERNEL kPanelSolveKernelAvx512
#define REBOUND_PANEL_SOLVE_KERNEL_NAME "AVX-512"
#include "sim/linear/panel_solve_kernel.inl"
