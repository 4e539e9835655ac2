// Forces and exact Hessians of materials whose P takes no rotation, eight tetrahedra at a time in double precision. The
// arithmetic stands once, in solid_kernel.inl; it is compiled for three instruction sets and the widest that the
// processor has is taken at start. Nothing is fused: all three give the same bits.
#pragma once

namespace rebound::sim {

inline constexpr int kSolidLanes = 8;

/// Eight tetrahedra.
struct alignas(64) SolidInput {
  double F[9][kSolidLanes];             ///< row-major: D_s, m, until deform() makes it F
  double inverse_rest[9][kSolidLanes];  ///< D_m^-1, row-major, 1/m
  double mu[kSolidLanes];               ///< Lame's mu times the volume, J
  double lambda[kSolidLanes];           ///< Lame's lambda times the volume, J
  double J[kSolidLanes];                ///< det F, of deform()
  double log_J[kSolidLanes];            ///< of neo-Hookean; J > 0
};

/// Of a material, for the first `count` of the eight.
struct SolidLaw {
  /// V W, J, of each; and twelve numbers each, V P b_k of its four corners, N.
  void (*gradient)(const SolidInput& of, int count, double* energies, double* forces);
  /// `stride` numbers each, its ten blocks as HessianBlocks::element_blocks wants them.
  void (*hessian)(const SolidInput& of, int count, double* blocks, int stride);
};

struct SolidKernel {
  const char* instruction_set;
  /// D_s becomes F = D_s D_m^-1, and J its determinant.
  void (*deform)(SolidInput& of);
  /// det(F + t dF) by its powers of t, whatever F and dF are: J is not read.
  void (*determinant)(const SolidInput& F, const SolidInput& dF, double (*powers)[kSolidLanes]);
  SolidLaw stvk, neo_hookean, stable_neo_hookean;
};

extern const SolidKernel kSolidKernelBaseline;
extern const SolidKernel kSolidKernelAvx2;
extern const SolidKernel kSolidKernelAvx512;

/// The widest that this processor has.
const SolidKernel& solid_kernel();

}  // namespace rebound::sim
