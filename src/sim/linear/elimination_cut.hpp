// Cutting an elimination tree into the parts of a PartTree.
#pragma once

#include <vector>

namespace rebound::sim {

/// A forest of supernodes; parents come after their children.
struct EliminationTree {
  std::vector<int> parent;   ///< -1 for a root
  std::vector<int> width;    ///< columns
  std::vector<double> cost;  ///< of one solve, in entries of the factor read
};

/// A supernode: 0 or 1 for the side that takes it, 2 for what is above both. What is above has its ancestors above;
/// what is on a side has its ancestors on the same side or above. What is above is solved by a dense inverse that the
/// threads share; it is what makes the estimated time of two threads shortest.
std::vector<int> cut_for_two(const EliminationTree& tree);

/// Parts in the order of elimination, the top last, which may be empty.
struct TreeCut {
  std::vector<int> part;   ///< of each supernode
  std::vector<int> above;  ///< of each part: what it hangs from, -1 for the top
};

/// Cuts in two again and again, until no leaf costs more than `leaf_cost`, or cannot be cut. A number of the body alone:
/// the same on every machine.
TreeCut cut_into_parts(const EliminationTree& tree, double leaf_cost);

}  // namespace rebound::sim
