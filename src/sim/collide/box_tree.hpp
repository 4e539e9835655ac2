// A tree of boxes over things that move: cut once, where they rest, and fitted anew to where they are. Boxes are in
// single precision, rounded outwards.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/base/float_quads.hpp"
#include "sim/base/types.hpp"
#include "sim/base/workers.hpp"

namespace rebound::sim {

/// Low and high x, y, z; the fourth numbers play no part.
struct TreeBox {
  Quad low = Quad{} + std::numeric_limits<float>::infinity();
  Quad high = Quad{} - std::numeric_limits<float>::infinity();

  static TreeBox around(const Vec3& p);
  void extend(const TreeBox& other) {
    low = other.low < low ? other.low : low;
    high = other.high > high ? other.high : high;
  }
  void widen(float by) {
    low -= by;
    high += by;
  }
  bool meets(const TreeBox& other) const {
    const auto apart = (low > other.high) | (other.low > high);
    return !(apart[0] | apart[1] | apart[2]);
  }
  /// Of a point outside, a lower bound.
  double squared_distance(const Vec3& p) const {
    double sum = 0;
    for (int c = 0; c < 3; ++c) {
      const double off = std::max({low[c] - p[c], p[c] - high[c], 0.0});
      sum += off * off;
    }
    return sum;
  }
};

class BoxTree {
 public:
  BoxTree() = default;
  /// Halves the items at the median along the longest side of their boxes.
  explicit BoxTree(const std::vector<TreeBox>& items);

  /// box_of(item): where an item is now. May be called from all threads at once.
  template <class BoxOf>
  void fit(Workers& workers, const BoxOf& box_of) {
    workers.run(pieces(), [&](int piece) { fit_piece(piece, box_of); });
    fit_nodes();
  }
  /// The same for callers with many trees: all pieces, each once and at any time, and then the nodes.
  int pieces() const { return (static_cast<int>(order_.size()) + kItemsAPiece - 1) / kItemsAPiece; }
  template <class BoxOf>
  void fit_piece(int piece, const BoxOf& box_of) {
    const int end = std::min(static_cast<int>(order_.size()), (piece + 1) * kItemsAPiece);
    for (int i = piece * kItemsAPiece; i < end; ++i)
      boxes_[static_cast<std::size_t>(i)] = box_of(order_[static_cast<std::size_t>(i)]);
  }
  void fit_nodes();

  /// Around all; nothing meets it if there is none.
  TreeBox box() const { return nodes_.empty() ? TreeBox() : nodes_.front().box; }
  /// Calls visit(item) for each item whose box meets `box`.
  template <class Visit>
  void visit(const TreeBox& box, const Visit& visit) const {
    if (!nodes_.empty()) visit_node(0, box, visit);
  }
  /// Is one of the items whose box meets `box` wanted? Looks no further than the first. is_wanted(item, its box).
  template <class IsWanted>
  bool any(const TreeBox& box, const IsWanted& is_wanted) const {
    return !nodes_.empty() && any_of_node(0, box, is_wanted);
  }
  /// The item for which squared_of(item, bound), m^2, is least; -1 if none is below `bound`. The function may return
  /// anything above `bound` for what is not below it.
  template <class SquaredOf>
  int nearest(const Vec3& p, double bound, const SquaredOf& squared_of) const {
    int best = -1;
    if (!nodes_.empty()) approach_node(0, p, bound, best, squared_of);
    return best;
  }

 private:
  static constexpr int kItemsAPiece = 512;
  static constexpr int kItemsALeaf = 4;
  struct Node {
    TreeBox box;
    int begin = 0, end = 0;  ///< of a leaf, in the order of the leaves
    int right = 0;           ///< the second child; the first is the next node. 0: a leaf
  };

  void build(int begin, int end, const std::vector<TreeBox>& items);

  template <class Visit>
  void visit_node(int index, const TreeBox& box, const Visit& visit) const {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (!node.box.meets(box)) return;
    if (node.right == 0) {
      for (auto i = static_cast<std::size_t>(node.begin); i < static_cast<std::size_t>(node.end); ++i)
        if (boxes_[i].meets(box)) visit(order_[i]);
      return;
    }
    visit_node(index + 1, box, visit);
    visit_node(node.right, box, visit);
  }

  template <class IsWanted>
  bool any_of_node(int index, const TreeBox& box, const IsWanted& is_wanted) const {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (!node.box.meets(box)) return false;
    if (node.right != 0) return any_of_node(index + 1, box, is_wanted) || any_of_node(node.right, box, is_wanted);
    for (auto i = static_cast<std::size_t>(node.begin); i < static_cast<std::size_t>(node.end); ++i)
      if (boxes_[i].meets(box) && is_wanted(order_[i], boxes_[i])) return true;
    return false;
  }

  template <class SquaredOf>
  void approach_node(int index, const Vec3& p, double& bound, int& best, const SquaredOf& squared_of) const {
    const Node& node = nodes_[static_cast<std::size_t>(index)];
    if (node.right == 0) {
      for (int i = node.begin; i < node.end; ++i) {
        const int item = order_[static_cast<std::size_t>(i)];
        const double squared = squared_of(item, bound);
        if (!(squared < bound)) continue;
        bound = squared;
        best = item;
      }
      return;
    }
    std::pair<double, int> near{nodes_[static_cast<std::size_t>(index + 1)].box.squared_distance(p), index + 1};
    std::pair<double, int> far{nodes_[static_cast<std::size_t>(node.right)].box.squared_distance(p), node.right};
    if (far < near) std::swap(near, far);
    for (const auto& [squared, child] : {near, far})
      if (squared < bound) approach_node(child, p, bound, best, squared_of);
  }

  std::vector<int> order_;      ///< items, a leaf after the other
  std::vector<TreeBox> boxes_;  ///< in that order
  std::vector<Node> nodes_;     ///< parents before children
};

}  // namespace rebound::sim
