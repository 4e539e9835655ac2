#define REBOUND_PANEL_SOLVE_KERNEL kPanelSolveKernelBaseline
#define REBOUND_PANEL_SOLVE_KERNEL_NAME "baseline"
#include "sim/linear/panel_solve_kernel.inl"
