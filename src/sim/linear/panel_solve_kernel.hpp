// Solving with a supernodal factor for a few right-hand sides at once: the inner loops. The arithmetic stands once, in
// panel_solve_kernel.inl; it is compiled for three instruction sets and the widest that the processor has is taken.
//
// A row of the panel holds that coordinate of every right-hand side, so whatever the supernodes look like, an entry of
// L meets whole vectors. CHOLMOD's own solve calls the BLAS for each supernode, which costs most of thin bodies, whose
// supernodes are small. Nothing is fused and every sum is in one order: all three give the same bits.
#pragma once

namespace rebound::sim {

/// The right-hand sides of a panel, whose rows lie one after the other: a multiple of the first, up to the second. Wide
/// ones read L less often, narrow ones stay in a cache.
inline constexpr int kPanelColumns = 8, kMostPanelColumns = 32;

/// L of P^T L L^T P, as CHOLMOD lays it out. Supernode s has the columns [first_column[s], first_column[s + 1]) and the
/// rows rows[rows_begin[s] ...], its own first; their values lie column by column from values_begin[s].
struct SupernodalFactor {
  int supernodes;
  const int *first_column, *rows_begin, *values_begin, *rows;
  const double* values;
};

struct PanelSolveKernel {
  const char* instruction_set;
  /// panel := (L L^T)^-1 panel, of so many columns. Whatever the others are, a column has the same bits.
  void (*solve)(const SupernodalFactor& L, double* panel, int columns);
};

extern const PanelSolveKernel kPanelSolveKernelBaseline;
extern const PanelSolveKernel kPanelSolveKernelAvx2;
extern const PanelSolveKernel kPanelSolveKernelAvx512;

/// The widest that this processor has.
const PanelSolveKernel& panel_solve_kernel();

}  // namespace rebound::sim
