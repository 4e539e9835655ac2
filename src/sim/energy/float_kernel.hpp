// The local step in single precision, sixteen elements a group: tetrahedra, triangles, hinges and hookean springs. The
// arithmetic stands once, in float_*.inl; it is compiled for three instruction sets and the widest that the processor
// has is taken at start. Multiply-add is rounded once where the processor can, so the three agree to rounding and not
// in every bit; one machine gives the same bits always.
//
// Positions x4 and gradients are 4 floats a vertex, (x, y, z, 0), 64-byte aligned.
#pragma once

namespace rebound::sim {

inline constexpr int kFloatLanes = 16;

/// Sixteen tetrahedra. Unused lanes repeat another tet with weight 0.
struct alignas(64) FloatTetGroup {
  int vertex[4][kFloatLanes];
  float inverse_rest[9][kFloatLanes];  ///< D_m^-1, row-major: F = D_s D_m^-1 (1/m)
  float weight[kFloatLanes];           ///< w = 2 mu V (J)
};

/// Sixteen tetrahedra of a material that is no squared distance. Unused lanes repeat another tet with mu = lambda = 0.
struct alignas(64) FloatSolidGroup {
  int vertex[4][kFloatLanes];
  float inverse_rest[9][kFloatLanes];  ///< D_m^-1, row-major (1/m)
  float mu[kFloatLanes];               ///< Lame's mu times the volume (J)
  float lambda[kFloatLanes];           ///< Lame's lambda times the volume (J)
};

/// The laws that have such a form.
enum class FloatLaw { corotated, fixed_corotated, stvk, neo_hookean, stable_neo_hookean };
inline constexpr int kFloatLaws = 5;

/// Sixteen triangles of a sheet. Unused lanes repeat another triangle with mu = lambda = 0.
struct alignas(64) FloatTriangleGroup {
  int vertex[3][kFloatLanes];
  float inverse_rest[4][kFloatLanes];  ///< D_m^-1, row-major (1/m)
  float mu[kFloatLanes];               ///< Lame's mu times the volume (J)
  float lambda[kFloatLanes];           ///< Lame's lambda under plane stress times the volume (J)
};

/// Their laws.
enum class FloatMembraneLaw { stvk, neo_hookean };
inline constexpr int kFloatMembraneLaws = 2;

/// Sixteen hinges: the edge from the first vertex to the second, and the vertices beside it. Unused lanes repeat
/// another hinge with stiffness 0.
struct alignas(64) FloatHingeGroup {
  int vertex[4][kFloatLanes];
  float rest_angle[kFloatLanes];
  float stiffness[kFloatLanes];  ///< k in k (angle - rest_angle)^2 (J)
};

/// Sixteen springs with d = x_a - x_b. Unused lanes repeat another spring with stiffness 0.
struct alignas(64) FloatSpringGroup {
  int vertex[2][kFloatLanes];
  float length[kFloatLanes];             ///< l (m), rounded
  float length_remainder[kFloatLanes];   ///< what the rounding took: the springs of a grid would all err the same way
  float stiffness[kFloatLanes];          ///< k (N/m)
  float rest_direction[3][kFloatLanes];  ///< unit; d/|d| of a spring of length zero
};

/// What there is for one kind of element. Every sum is over `count` groups, in J.
template <class Group>
struct FloatElementKernel {
  /// E(x).
  double (*value)(const Group* groups, int count, const float* x4);
  /// E(x), and scale * dE(x) added to gradient4.
  double (*add_gradient)(const Group* groups, int count, const float* x4, float scale, float* gradient4);
  /// The least t > 0 at which an element of x + t d is no longer admissible (a tetrahedron is flat, a triangle has
  /// turned by a right angle), infinity if that is above 1 or nowhere; 0 where one of x is not. Null if E does not
  /// mind.
  double (*largest_step)(const Group* groups, int count, const float* x4, const float* d4);
};

struct FloatKernel {
  const char* instruction_set;
  FloatElementKernel<FloatTetGroup> tets;
  FloatElementKernel<FloatSpringGroup> springs;
  FloatElementKernel<FloatSolidGroup> solids[kFloatLaws];                ///< by FloatLaw
  FloatElementKernel<FloatTriangleGroup> membranes[kFloatMembraneLaws];  ///< by FloatMembraneLaw
  FloatElementKernel<FloatHingeGroup> hinges;
  /// R for `count` matrices F (each 9 floats, row-major), for tests.
  void (*rotations)(const float* F, int count, float* R);
};

extern const FloatKernel kFloatKernelBaseline;
extern const FloatKernel kFloatKernelAvx2;
extern const FloatKernel kFloatKernelAvx512;

/// The widest that this processor has.
const FloatKernel& float_kernel();

}  // namespace rebound::sim
