// The local step of ARAP tetrahedra, eight at a time. The arithmetic stands once, in arap_kernel.inl; it is compiled
// for three instruction sets and the widest that the processor has is taken at start. All three give the same bits.
#pragma once

namespace rebound::sim {

inline constexpr int kLanes = 8;

/// Eight tetrahedra, structure of arrays.
struct alignas(64) TetGroup {
  int vertex[4][kLanes];
  double inverse_rest[9][kLanes];  ///< D_m^-1, row-major: F = D_s D_m^-1 (1/m)
  double weight[kLanes];           ///< w = 2 mu V (J); 0 in unused lanes
};

/// Sum over the groups of w/2 |F - R|_F^2 in joules. x: positions, 3 doubles a vertex.
using ArapEnergy = double (*)(const TetGroup* groups, int count, const double* x);

/// The same sum, and dE of each corner in `forces`: 8 lanes x 4 corners x 3 doubles a group.
using ArapForces = double (*)(const TetGroup* groups, int count, const double* x, double* forces);

/// R for `count` matrices F (each 9 doubles, row-major): the closed form with its way out, for tests.
using ArapRotations = void (*)(const double* F, int count, double* R);

struct ArapKernel {
  const char* instruction_set;
  ArapEnergy energy;
  ArapForces forces;
  ArapRotations rotations;
};

extern const ArapKernel kArapKernelBaseline;
extern const ArapKernel kArapKernelAvx2;
extern const ArapKernel kArapKernelAvx512;

/// The widest that this processor has.
const ArapKernel& arap_kernel();

}  // namespace rebound::sim
