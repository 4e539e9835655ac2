// Cutting an elimination tree for two threads.
#pragma once

#include <vector>

namespace rebound::sim {

/// A forest of supernodes; parents come after their children.
struct EliminationTree {
  std::vector<int> parent;   ///< -1 for a root
  std::vector<int> width;    ///< columns
  std::vector<double> cost;  ///< of one solve, in entries of the factor read
};

/// A supernode: 0 or 1 for the part that takes it, 2 for the top. What is in the top has its ancestors in the top; what
/// is in a part has its ancestors in the same part or the top. The top is solved by a dense inverse that the threads
/// share; it takes what makes the estimated time of two threads shortest.
std::vector<int> cut_for_two(const EliminationTree& tree);

}  // namespace rebound::sim
