// A batch of elements as the single-precision solver sees it: parts that never write the same place.
//
// The vertices are renumbered once into the solver's order, part after part. An element belongs to the part of its
// first vertex in that order. For vertices above its part, a part has an area of its own, where it reads their
// positions and adds to their gradient. Sums are kept a part: the same bytes come out whatever thread runs which part.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace rebound::sim {

/// Of the way to where an element would have no volume left, what a step may go; in double precision as well.
inline constexpr double kShareOfTheWay = 0.9;

/// The solver's order of the vertices, 0 ... size - 1, and the slots of positions and gradients: one a vertex, then the
/// areas.
struct Partition {
  struct Part {
    int begin = 0, end = 0;       ///< its vertices
    std::vector<int> above = {};  ///< the vertices of its area, ascending
    int area = 0;                 ///< slot of the first of them
    /// The slot that it has for a vertex of its own or of its area; -1 if it has none.
    int slot(int vertex) const;
  };
  std::vector<Part> parts;  ///< by begin
  int size = 0;             ///< number of vertices
  int slots = 0;

  int count() const { return static_cast<int>(parts.size()); }
  /// The part that a vertex is of.
  int part_of(int vertex) const;
  /// The positions of the part's area, which its elements read.
  void fill_area(int part, float* x4) const;
};

/// Positions x4 and gradients are 4 floats a slot, (x, y, z, 0) in m and N, 64-byte aligned. Positions are read at the
/// slots that the part has: its area must have been filled. Calls for different parts may run at the same time.
class FloatBatch {
 public:
  virtual ~FloatBatch() = default;

  /// What a pass over all elements reads that lasts: rest shapes and stiffnesses, not positions.
  virtual std::size_t bytes() const = 0;

  /// E(x) of the part's elements, J. The rounding of the rest shape to floats and that of each element take 6e-8 over
  /// the strain from it at most, at random: the sum is within 1e-4 at a strain of 1e-3.
  virtual double value(int part, const float* x4) const = 0;

  /// gradient4 += scale * dE(x) of the part's elements, at the slots that the part has. Returns the part's E(x), J.
  virtual double add_gradient(int part, const float* x4, float scale, float* gradient4) const = 0;

  /// Is E infinite somewhere?
  virtual bool has_barrier() const { return false; }
  /// Where the part's elements first have no volume left on the way from x4 along d4, as a factor of d4; infinity if
  /// that is beyond a whole step.
  virtual double largest_step(int, const float*, const float*) const { return std::numeric_limits<double>::infinity(); }
};

/// The elements of each part, by number, ascending by lowest vertex. vertices: `corners` an element, one element after
/// the other.
std::vector<std::vector<int>> elements_by_part(std::span<const int> vertices, int corners, const Partition& partition);

}  // namespace rebound::sim
