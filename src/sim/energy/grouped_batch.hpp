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
class GroupedElements : public FloatBatch {
 public:
  std::size_t bytes() const override { return sizeof(Group) * groups_.size(); }

 protected:
  /// fill(element, group, lane) writes one element, with vertices in the solver's order. Lanes that are left over
  /// repeat the part's last element and are then silenced.
  template <class Fill, class Silence>
  GroupedElements(const std::vector<std::vector<int>>& elements, const Partition& partition, const Fill& fill,
                  const Silence& silence)
      : first_(1, 0) {
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

  const Group* groups(int part) const { return groups_.data() + first_[static_cast<std::size_t>(part)]; }
  int count(int part) const {
    return static_cast<int>(first_[static_cast<std::size_t>(part) + 1] - first_[static_cast<std::size_t>(part)]);
  }

 private:
  // Elements that follow one another share vertices, and additions to one vertex wait for one another: neighbours are
  // dealt out, like cards, to so many groups.
  static constexpr std::size_t kDealt = 8;

  AlignedBuffer<Group> groups_;     // all parts in one piece of memory, for huge pages
  std::vector<std::size_t> first_;  // group of each part, and the end
};

/// Elements of which a line has no coefficients: what stands there is worked out anew.
template <class Group>
class LawBatch : public GroupedElements<Group> {
 public:
  double value(int part, const float* x4) const override {
    return kernel_->value(this->groups(part), this->count(part), x4);
  }

  double add_gradient(int part, const float* x4, float scale, float* gradient4) const override {
    return kernel_->add_gradient(this->groups(part), this->count(part), x4, scale, gradient4);
  }

  /// Both must stay as they are.
  void prepare_line(int, const float* from4, const float* to4) override {
    from4_ = from4;
    to4_ = to4;
  }

  double line_value(int part, double alpha) const override {
    return kernel_->line_value(this->groups(part), this->count(part), from4_, to4_, static_cast<float>(alpha));
  }

  bool has_barrier() const override { return kernel_->largest_step != nullptr; }
  double largest_step(int part, const float* x4, const float* d4) const override {
    if (!has_barrier()) return std::numeric_limits<double>::infinity();
    return kernel_->largest_step(this->groups(part), this->count(part), x4, d4);
  }

 protected:
  template <class Fill, class Silence>
  LawBatch(const FloatLawKernel<Group>& kernel, const std::vector<std::vector<int>>& elements,
           const Partition& partition, const Fill& fill, const Silence& silence)
      : GroupedElements<Group>(elements, partition, fill, silence), kernel_(&kernel) {}

 private:
  const FloatLawKernel<Group>* kernel_;
  const float *from4_ = nullptr, *to4_ = nullptr;
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

/// Elements of which a line has coefficients.
template <class Group, class Line>
class GroupedBatch : public GroupedElements<Group> {
 public:
  double value(int part, const float* x4) const override {
    return kernel_->value(this->groups(part), this->count(part), x4);
  }

  double add_gradient(int part, const float* x4, float scale, float* gradient4) const override {
    return kernel_->add_gradient(this->groups(part), this->count(part), x4, scale, gradient4);
  }

  /// The first call allocates; later ones use the same memory.
  void prepare_line(int part, const float* from4, const float* to4) override {
    lines_[part].resize(static_cast<std::size_t>(this->count(part)));
    kernel_->prepare_line(this->groups(part), this->count(part), from4, to4, lines_[part].data());
  }

  double line_value(int part, double alpha) const override {
    return kernel_->line_value(lines_[part].data(), static_cast<int>(lines_[part].size()), alpha);
  }

 protected:
  using Kernel = FloatElementKernel<Group, Line>;

  template <class Fill, class Silence>
  GroupedBatch(const Kernel& kernel, const std::vector<std::vector<int>>& elements, const Partition& partition,
               const Fill& fill, const Silence& silence)
      : GroupedElements<Group>(elements, partition, fill, silence), kernel_(&kernel), lines_(elements.size()) {}

 private:
  const Kernel* kernel_;
  std::vector<std::vector<Line>> lines_;
};

}  // namespace rebound::sim
