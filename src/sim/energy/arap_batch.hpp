// The tetrahedra of ArapTets in single precision. Their rest shape is rounded to floats. Where the entries of D_m^-1
// are large (a sliver), F = D_s D_m^-1 magnifies the rounding of the positions by as much: near 1 m and with 1e6 / m by
// 6e-8 * 1e6 = 0.06, which such a tetrahedron feels as a strain. Edges are taken before anything is multiplied, and the
// difference of two floats near one another is exact: F is as good as the positions are.
#pragma once

#include "sim/energy/arap_tets.hpp"
#include "sim/energy/grouped_batch.hpp"

namespace rebound::sim {

class ArapBatch final : public GroupedBatch<FloatTetGroup> {
 public:
  /// place[v]: where vertex v of `tets` stands in the solver's order.
  ArapBatch(const ArapTets& tets, std::span<const int> place, const Partition& partition,
            const FloatKernel& kernel = float_kernel());
};

}  // namespace rebound::sim
