// The exact Hessians of materials whose P takes no rotation, eight tetrahedra at a time in double precision. The
// arithmetic stands once, in solid_hessian_kernel.inl; it is compiled for three instruction sets and the widest that the
// processor has is taken at start.
#pragma once

namespace rebound::sim {

inline constexpr int kHessianLanes = 8;

/// Eight tetrahedra.
struct alignas(64) SolidHessianInput {
  double F[9][kHessianLanes];             ///< row-major
  double inverse_rest[9][kHessianLanes];  ///< D_m^-1, row-major, 1/m
  double mu[kHessianLanes];               ///< Lame's mu times the volume, J
  double lambda[kHessianLanes];           ///< Lame's lambda times the volume, J
  double log_J[kHessianLanes];            ///< of neo-Hookean; J > 0
};

/// Writes `stride` numbers a tetrahedron, its ten blocks as HessianBlocks::element_blocks wants them, for the first
/// `count` of the eight.
struct SolidHessianKernel {
  const char* instruction_set;
  void (*stvk)(const SolidHessianInput& of, int count, double* blocks, int stride);
  void (*neo_hookean)(const SolidHessianInput& of, int count, double* blocks, int stride);
  void (*stable_neo_hookean)(const SolidHessianInput& of, int count, double* blocks, int stride);
};

extern const SolidHessianKernel kSolidHessianKernelBaseline;
extern const SolidHessianKernel kSolidHessianKernelAvx2;
extern const SolidHessianKernel kSolidHessianKernelAvx512;

/// The widest that this processor has.
const SolidHessianKernel& solid_hessian_kernel();

}  // namespace rebound::sim
