#include "sim/collide/box_tree.hpp"

#include <cmath>
#include <numeric>

namespace rebound::sim {

TreeBox TreeBox::around(const Vec3& p) {
  TreeBox box;
  for (int c = 0; c < 3; ++c) {
    // Rounding to the nearest float is off by half a digit at most.
    const auto at = static_cast<float>(p[c]);
    const float digit = std::numeric_limits<float>::epsilon() * std::abs(at) + std::numeric_limits<float>::min();
    box.low[c] = at - digit;
    box.high[c] = at + digit;
  }
  box.low[3] = box.high[3] = 0;
  return box;
}

BoxTree::BoxTree(const std::vector<TreeBox>& items) : order_(items.size()), boxes_(items.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  if (items.empty()) return;
  build(0, static_cast<int>(items.size()), items);
  for (std::size_t i = 0; i < items.size(); ++i) boxes_[i] = items[static_cast<std::size_t>(order_[i])];
  fit_nodes();
}

void BoxTree::build(int begin, int end, const std::vector<TreeBox>& items) {
  const auto index = nodes_.size();
  nodes_.push_back({{}, begin, end, 0});
  if (end - begin <= kItemsALeaf) return;
  TreeBox spread;
  for (int i = begin; i < end; ++i) spread.extend(items[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])]);
  const Quad sizes = spread.high - spread.low;
  int axis = 0;
  for (int c = 1; c < 3; ++c)
    if (sizes[c] > sizes[axis]) axis = c;
  const auto middle = [&](int item) {
    const TreeBox& box = items[static_cast<std::size_t>(item)];
    return box.low[axis] + box.high[axis];
  };
  const int half = begin + (end - begin) / 2;
  // Ties fall to the number, so that the tree is the same everywhere.
  std::nth_element(order_.begin() + begin, order_.begin() + half, order_.begin() + end, [&](int a, int b) {
    const float at_a = middle(a), at_b = middle(b);
    return at_a != at_b ? at_a < at_b : a < b;
  });
  build(begin, half, items);
  nodes_[index].right = static_cast<int>(nodes_.size());
  build(half, end, items);
}

void BoxTree::fit_nodes() {
  for (std::size_t index = nodes_.size(); index-- > 0;) {
    Node& node = nodes_[index];
    node.box = {};
    if (node.right == 0) {
      for (int i = node.begin; i < node.end; ++i) node.box.extend(boxes_[static_cast<std::size_t>(i)]);
    } else {
      node.box.extend(nodes_[index + 1].box);
      node.box.extend(nodes_[static_cast<std::size_t>(node.right)].box);
    }
  }
}

}  // namespace rebound::sim
