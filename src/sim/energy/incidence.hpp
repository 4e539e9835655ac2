// Which elements touch which vertex: forces computed an element are summed a vertex, always in the same order, so that
// any number of threads gives the same bytes and no two threads write the same vertex.
#pragma once

#include "sim/base/types.hpp"
#include "sim/base/workspace.hpp"

namespace rebound::sim {

class Incidence {
 public:
  Incidence() = default;
  /// vertex_of[s] is the vertex that slot s acts on; every slot is 3 doubles. Negative: the slot is unused.
  explicit Incidence(const std::vector<int>& vertex_of);

  /// gradient.row(v) += sum of the slots of v.
  void gather(std::span<const double> slots, Points& gradient, Workers& workers) const;

  /// As gather, for elements with two ends that pull opposite ways: even entries add slot s/2, odd ones subtract it.
  void gather_pairs(std::span<const double> slots, Points& gradient, Workers& workers) const;

 private:
  template <class Add>
  void for_each_vertex(Workers& workers, const Add& add) const;

  std::vector<int> vertices_;  ///< the touched ones, ascending
  std::vector<int> begin_;     ///< into slots_, one more than vertices_
  std::vector<int> slots_;
};

}  // namespace rebound::sim
