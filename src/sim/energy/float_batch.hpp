// A batch of elements as the single-precision solver sees it: by the parts of a PartTree, which never write the same
// place.
//
// An element belongs to the lowest part that has one of its vertices, and sees the others there: they are vertices above
// it, of which the part has copies. Sums are kept a part: the same bytes come out whatever thread does which part.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "sim/linear/part_tree.hpp"

namespace rebound::sim {

/// Of the way to where an element would have no volume left, what a step may go; in double precision as well.
inline constexpr double kShareOfTheWay = 0.9;

/// Positions x4 and gradients are 4 floats a slot of the tree, (x, y, z, 0) in m and N, 64-byte aligned. Calls for
/// different parts may run at the same time.
class FloatBatch {
 public:
  virtual ~FloatBatch() = default;

  /// What a pass over all elements reads that lasts: rest shapes and stiffnesses, not positions.
  virtual std::size_t bytes() const = 0;

  /// The same of one part.
  virtual std::size_t bytes(int part) const = 0;

  /// E(x) of the part's elements, J.
  virtual double value(int part, const float* x4) const = 0;

  /// gradient4 += scale * dE(x) of the part's elements, at the slots that the part has. Returns the part's E(x), J.
  virtual double add_gradient(int part, const float* x4, float scale, float* gradient4) const = 0;

  /// Stores what line_value needs of the line x(alpha) = (1 - alpha) from + alpha to.
  virtual void prepare_line(int part, const float* from4, const float* to4) = 0;

  /// E(x(alpha)) of the part's elements, J, for 0 <= alpha <= 1: no vertex is read and no rotation fitted. Evaluating
  /// takes about 1e-6 of an element's own energy, however small the strain, as only terms of the energy's own size are
  /// added. On top comes what the rounding of the rest shape to floats does, 6e-8 over the strain at most (so the sum
  /// is within 1e-4 at a strain of 1e-3), which value and add_gradient share; these two lose as much again, at random,
  /// to the rounding of each element. Where tetrahedra are inverted so that the nearest rotation is all but ambiguous:
  /// 1e-3 of their energy, and 2e-2 where they are mirrored without strain or shrunk to nothing.
  virtual double line_value(int part, double alpha) const = 0;

  /// Is E infinite somewhere?
  virtual bool has_barrier() const { return false; }
  /// Where the part's elements first have no volume left on the way from x4 along d4, as a factor of d4; infinity if
  /// that is beyond a whole step.
  virtual double largest_step(int, const float*, const float*) const { return std::numeric_limits<double>::infinity(); }
};

/// A list for each part, top included.
using PartLists = std::vector<std::vector<int>>;

/// The elements of each part, by number, ascending by lowest vertex. vertices: `corners` an element, one element after
/// the other.
PartLists elements_by_part(std::span<const int> vertices, int corners, const PartTree& tree);

}  // namespace rebound::sim
