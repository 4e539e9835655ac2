#include "sim/energy/curvature_filter.hpp"

namespace rebound::sim {

SmallMatrix counted(const SmallMatrix& A, Curvature curvature) {
  if (curvature == Curvature::exact) return A;
  const SmallPairs pairs = symmetric_pairs(A);
  if (!(pairs.values[0] < 0)) return A;
  SmallMatrix scaled = pairs.vectors;
  for (Eigen::Index k = 0; k < scaled.cols(); ++k) scaled.col(k) *= counted(pairs.values[k], curvature);
  return scaled.lazyProduct(pairs.vectors.transpose());
}

}  // namespace rebound::sim
