// Cutting an elimination tree into parts for several threads.
#pragma once

#include <vector>

namespace rebound::sim {

/// A forest of supernodes; parents come after their children.
struct EliminationTree {
  std::vector<int> parent;   ///< -1 for a root
  std::vector<int> width;    ///< columns
  std::vector<double> cost;  ///< of one solve, in entries of the factor read
};

/// Supernodes that one thread goes through one after the other. Parts of one stage touch none of each other's columns.
struct CutPart {
  int parent = -1;  ///< the part above it; -1: the top
  int stage = 0;    ///< 0 where nothing lies below it, else one more than the largest below
};

/// Ancestors of a supernode are in its own part, in the parts above that one, or in the top. The top is solved by a
/// dense inverse that all threads share.
struct EliminationCut {
  std::vector<CutPart> parts;  ///< by stage, the costly ones of a stage first
  std::vector<int> owner;      ///< a supernode: its part; parts.size() for the top
};

/// At most so many parts.
inline constexpr int kMostParts = 31;

/// A function of the tree alone: the numbers of threads and of their caches do not matter.
EliminationCut cut(const EliminationTree& tree);

/// The longest way through a solve on so many threads, in entries read, if each part goes to the thread that is free
/// first. 1 thread: all of them.
double critical_path(const EliminationTree& tree, const EliminationCut& cut, int threads);

}  // namespace rebound::sim
