// A FloatBatch whose elements stand in groups of kFloatLanes: all but how the groups are filled.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>

#include "sim/base/aligned_buffer.hpp"
#include "sim/energy/float_batch.hpp"
#include "sim/energy/float_kernel.hpp"

namespace rebound::sim {

template <class Group>
class GroupedBatch : public FloatBatch {
 public:
  std::size_t bytes() const override { return sizeof(Group) * groups_.size(); }

  double value(int part, const float* x4) const override { return kernel_->value(groups(part), count(part), x4); }

  double add_gradient(int part, const float* x4, float scale, float* gradient4) const override {
    return kernel_->add_gradient(groups(part), count(part), x4, scale, gradient4);
  }

  bool has_barrier() const override { return kernel_->largest_step != nullptr; }
  double largest_step(int part, const float* x4, const float* d4) const override {
    if (!has_barrier()) return std::numeric_limits<double>::infinity();
    return kernel_->largest_step(groups(part), count(part), x4, d4);
  }

 protected:
  /// fill(element, group, lane) writes one element, with vertices in the solver's order. Lanes that are left over
  /// repeat the part's last element and are then silenced.
  template <class Fill, class Silence>
  GroupedBatch(const FloatElementKernel<Group>& kernel, const std::vector<std::vector<int>>& elements,
               const Partition& partition, const Fill& fill, const Silence& silence)
      : kernel_(&kernel), first_(1, 0) {
    for (const auto& of : elements) first_.push_back(first_.back() + (of.size() + kFloatLanes - 1) / kFloatLanes);
    groups_ = AlignedBuffer<Group>(first_.back());
    for (std::size_t p = 0; p < elements.size(); ++p) {
      const std::size_t used = elements[p].size(), count = first_[p + 1] - first_[p];
      for (std::size_t g = 0; g < count; ++g) {
        Group& group = groups_[first_[p] + g];
        const std::size_t first = g / kDealt * kDealt, dealt = std::min(kDealt, count - first);
        for (int lane = 0; lane < kFloatLanes; ++lane) {
          const std::size_t element = first * kFloatLanes + static_cast<std::size_t>(lane) * dealt + (g - first);
          fill(elements[p][std::min(element, used - 1)], group, lane);
          for (auto& corner : group.vertex) corner[lane] = partition.parts[p].slot(corner[lane]);
          if (element >= used) silence(group, lane);
        }
      }
    }
  }

 private:
  const Group* groups(int part) const { return groups_.data() + first_[static_cast<std::size_t>(part)]; }
  int count(int part) const {
    return static_cast<int>(first_[static_cast<std::size_t>(part) + 1] - first_[static_cast<std::size_t>(part)]);
  }

  // Elements that follow one another share vertices, and additions to one vertex wait for one another: neighbours are
  // dealt out, like cards, to so many groups.
  static constexpr std::size_t kDealt = 8;

  const FloatElementKernel<Group>* kernel_;
  AlignedBuffer<Group> groups_;     // all parts in one piece of memory, for huge pages
  std::vector<std::size_t> first_;  // group of each part, and the end
};

/// The elements of each part, of any list whose members have `vertex` in the solver's order.
template <class Element>
std::vector<std::vector<int>> list_by_part(std::span<const Element> list, const Partition& partition) {
  constexpr int kCorners = static_cast<int>(std::tuple_size_v<decltype(Element::vertex)>);
  std::vector<int> vertices;
  vertices.reserve(kCorners * list.size());
  for (const Element& element : list) vertices.insert(vertices.end(), element.vertex.begin(), element.vertex.end());
  return elements_by_part(vertices, kCorners, partition);
}

}  // namespace rebound::sim
