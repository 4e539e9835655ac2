// A FloatBatch whose elements stand in groups of kFloatLanes: all but how the groups are filled.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>

#include "sim/energy/float_batch.hpp"
#include "sim/energy/float_kernel.hpp"

namespace rebound::sim {

template <class Group>
class GroupedElements : public FloatBatch {
 public:
  std::size_t bytes() const override { return sizeof(Group) * (groups_[0].size() + groups_[1].size()); }

 protected:
  /// fill(element, group, lane) writes one element. Lanes that are left over repeat the part's last element and are
  /// then silenced.
  template <class Fill, class Silence>
  GroupedElements(const std::array<std::vector<int>, kParts>& elements, int top, const Fill& fill,
                  const Silence& silence)
      : top_(top) {
    for (int part = 0; part < kParts; ++part) {
      const std::size_t used = elements[part].size(), count = (used + kFloatLanes - 1) / kFloatLanes;
      groups_[part].resize(count);
      for (std::size_t g = 0; g < count; ++g) {
        Group& group = groups_[part][g];
        const std::size_t first = g / kDealt * kDealt, dealt = std::min(kDealt, count - first);
        for (int lane = 0; lane < kFloatLanes; ++lane) {
          const std::size_t element = first * kFloatLanes + static_cast<std::size_t>(lane) * dealt + (g - first);
          fill(elements[part][std::min(element, used - 1)], group, lane);
          if (element >= used) silence(group, lane);
        }
      }
    }
  }

  const Group* groups(int part) const { return groups_[part].data(); }
  int count(int part) const { return static_cast<int>(groups_[part].size()); }
  int first_top() const { return top_; }

 private:
  // Elements that follow one another share vertices, and additions to one vertex wait for one another: neighbours are
  // dealt out, like cards, to so many groups.
  static constexpr std::size_t kDealt = 8;

  int top_;
  std::array<std::vector<Group>, kParts> groups_;
};

/// Elements of which a line has no coefficients: what stands there is worked out anew.
template <class Group>
class LawBatch : public GroupedElements<Group> {
 public:
  double value(int part, const float* x4) const override {
    return kernel_->value(this->groups(part), this->count(part), x4);
  }

  double add_gradient(int part, const float* x4, float scale, float* gradient4, float* top4) const override {
    return kernel_->add_gradient(this->groups(part), this->count(part), x4, scale,
                                 {gradient4, top4, this->first_top()});
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
  LawBatch(const FloatLawKernel<Group>& kernel, const std::array<std::vector<int>, kParts>& elements, int top,
           const Fill& fill, const Silence& silence)
      : GroupedElements<Group>(elements, top, fill, silence), kernel_(&kernel) {}

 private:
  const FloatLawKernel<Group>* kernel_;
  const float *from4_ = nullptr, *to4_ = nullptr;
};

/// The elements of each part, of any list whose members have `vertex` in the solver's order.
template <class Element>
std::array<std::vector<int>, kParts> list_by_part(std::span<const Element> list, const Partition& partition) {
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

  double add_gradient(int part, const float* x4, float scale, float* gradient4, float* top4) const override {
    return kernel_->add_gradient(this->groups(part), this->count(part), x4, scale,
                                 {gradient4, top4, this->first_top()});
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
  GroupedBatch(const Kernel& kernel, const std::array<std::vector<int>, kParts>& elements, int top, const Fill& fill,
               const Silence& silence)
      : GroupedElements<Group>(elements, top, fill, silence), kernel_(&kernel) {}

 private:
  const Kernel* kernel_;
  std::array<std::vector<Line>, kParts> lines_;
};

}  // namespace rebound::sim
