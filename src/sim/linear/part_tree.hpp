// How the vertices of a pattern, in their order of elimination, are shared out: parts that hang from one another as a
// tree, down from the top.
//
// No entry of the pattern, and none of the factor, connects two parts of which neither is above the other. So the leaves
// can be worked on at the same time, by as many threads as there are, and one leaf after the other while its numbers are
// in a cache. What a part needs of the vertices above it, and what it adds to them, is in copies of its own, its halo:
// no two parts write to the same place, and the copies are summed in the order of the parts. The same bytes come out
// whatever thread does which part.
//
// A vector has 4 floats a slot (x, y, z, unused). Slot i < vertices() is the i-th vertex that is eliminated; behind them
// stand the halos, one part after the other.
#pragma once

#include <span>
#include <vector>

#include "sim/base/workers.hpp"

namespace rebound::sim {

class PartTree {
 public:
  struct Part {
    int begin = 0;          ///< its own vertices are [begin, end)
    int end = 0;
    int above = -1;         ///< the part that it hangs from; -1: none, which is the top's alone
    std::vector<int> halo;  ///< the vertices above that it touches, ascending
    int halo_slot = 0;      ///< where the copy of halo[0] is, the others behind it; filled in by the tree

    int size() const { return end - begin; }
  };

  PartTree() = default;
  /// Parts in the order of elimination: each stands before the one that it hangs from, the top last. Every part but the
  /// top hangs from another one.
  explicit PartTree(std::vector<Part> parts);

  int count() const { return static_cast<int>(parts_.size()); }
  const Part& part(int index) const { return parts_[static_cast<std::size_t>(index)]; }
  const Part& top() const { return parts_.back(); }
  int top_index() const { return count() - 1; }
  /// Those from which nothing hangs, the top apart.
  std::span<const int> leaves() const { return leaves_; }
  /// Those between leaves and top, by how far below the top they are.
  std::span<const std::vector<int>> between() const { return between_; }

  int vertices() const { return parts_.empty() ? 0 : top().end; }
  int slots() const { return slots_; }
  /// The part that owns a vertex.
  int owner(int vertex) const;
  /// Is a vertex a part's own, or of its halo?
  bool sees(int part, int vertex) const;
  /// Where a part has a vertex that it sees.
  int slot(int part, int vertex) const;

  /// The vertex that a part has there.
  int vertex(int part, int slot) const {
    return slot < vertices() ? slot : this->part(part).halo[static_cast<std::size_t>(slot - this->part(part).halo_slot)];
  }

  /// The part's own slots += what the parts below it have in their halos, in order.
  void collect(int part, float* vector) const;
  /// The part's halo := what the parts above have for their own.
  void take(int part, float* vector) const;
  void clear_halo(int part, float* vector) const;

  /// All parts but the top, those below before those above; parts on one level at the same time.
  template <class Up>
  void upward(Workers& workers, const Up& up) const {
    run(workers, leaves_, up);
    for (auto level = between_.rbegin(); level != between_.rend(); ++level) run(workers, *level, up);
  }
  /// All but the top, those above before those below.
  template <class Down>
  void downward(Workers& workers, const Down& down) const {
    for (const auto& level : between_) run(workers, level, down);
    run(workers, leaves_, down);
  }
  /// Down and up again, each leaf in one go.
  template <class Down, class Up>
  void down_and_up(Workers& workers, const Down& down, const Up& up) const {
    for (const auto& level : between_) run(workers, level, down);
    run(workers, leaves_, [&](int leaf) {
      down(leaf);
      up(leaf);
    });
    for (auto level = between_.rbegin(); level != between_.rend(); ++level) run(workers, *level, up);
  }

 private:
  /// Of a part's halo, `count` from the first on are copies of another part's own vertices.
  struct Copies {
    int part = 0;  ///< whose halo it is
    int first = 0;
    int count = 0;
  };
  template <class Visit>
  static void run(Workers& workers, const std::vector<int>& parts, const Visit& visit) {
    workers.run(static_cast<int>(parts.size()), [&](int i) { visit(parts[static_cast<std::size_t>(i)]); });
  }

  std::vector<Part> parts_;
  std::vector<int> leaves_;
  std::vector<std::vector<int>> between_;
  std::vector<std::vector<Copies>> copies_;  ///< of each part's own vertices, by part
  int slots_ = 0;
};

}  // namespace rebound::sim
