// From derivatives by the corners of a pair of features to those by the vertices that carry these corners.
#pragma once

#include <cstdint>
#include <limits>

#include "sim/base/workers.hpp"
#include "sim/collide/feature_distance.hpp"
#include "sim/energy/attachments.hpp"

namespace rebound::sim {

/// What carries each corner; null where none does.
using Carriers = std::array<const BodyPoint*, 4>;

/// gradient (n x 3) += what a term has by its corners.
void add_by_vertices(const Carriers& carriers, const Vector12& by_corners, Points& gradient);
/// Columns of H, by vertices: one of the ranges that they are cut into.
struct ColumnRange {
  int begin = 0, end = std::numeric_limits<int>::max();
  int number = 0;
  bool has(int column) const { return begin <= column && column < end; }
};
inline constexpr int kColumnRanges = 16;
/// Which ranges of so many columns have one of the vertices: bit r for range r. Most terms are in one or two.
std::uint32_t ranges_of(const Carriers& carriers, int columns);
/// The same of second derivatives, in these columns; the places must be in H's pattern.
void add_by_vertices(const Carriers& carriers, const Matrix12& by_corners, HessianBlocks& H,
                     const ColumnRange& in = {});
/// Calls visit(range) for ranges that together are all of so many columns, on all workers: what each adds to H is in
/// nobody else's way, and in one order.
template <class Visit>
void each_range(Workers& workers, int columns, const Visit& visit) {
  const auto begin = [&](int range) { return static_cast<int>(std::int64_t{columns} * range / kColumnRanges); };
  workers.run(kColumnRanges, [&](int range) { visit(ColumnRange{begin(range), begin(range + 1), range}); });
}
/// Appends the pairs (i > j) of vertices that terms link.
///
/// Keeps from call to call what it added last: those that follow one another often have the same vertices, of bodies of
/// four vertices nearly always.
class LinkList {
 public:
  explicit LinkList(std::vector<std::pair<int, int>>& links) : links_(links), before_(links.size()) {}
  void add(const Carriers& carriers);
  /// Sorts what was added; each link is there once.
  void finish();

 private:
  std::vector<std::pair<int, int>>& links_;
  std::size_t before_;
  std::array<int, 16> last_{};
  std::size_t count_ = 0;
};

}  // namespace rebound::sim
