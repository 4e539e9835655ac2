#define REBOUND_PANEL_SOLVE_KERNEL kPanelSolveKernelAvx2
#define REBOUND_PANEL_SOLVE_KERNEL_NAME "AVX2"
#include "sim/linear/panel_solve_kernel.inl"
