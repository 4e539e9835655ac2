#include "sim/linear/panel_solve_kernel.hpp"

#include "sim/base/instruction_set.hpp"

namespace rebound::sim {

const PanelSolveKernel& panel_solve_kernel() {
  return widest(kPanelSolveKernelBaseline, kPanelSolveKernelAvx2, kPanelSolveKernelAvx512);
}

}  // namespace rebound::sim
