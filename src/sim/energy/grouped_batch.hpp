// A FloatBatch whose elements stand in groups of kFloatLanes: all but how the groups are filled.
#pragma once

#include <algorithm>
#include <tuple>

#include "sim/energy/float_batch.hpp"
#include "sim/energy/float_kernel.hpp"

namespace rebound::sim {

template <class Group>
class GroupedElements : public FloatBatch {
 public:
  std::size_t bytes() const override {
    std::size_t sum = 0;
    for (int part = 0; part < static_cast<int>(groups_.size()); ++part) sum += bytes(part);
    return sum;
  }
  std::size_t bytes(int part) const override { return sizeof(Group) * static_cast<std::size_t>(count(part)); }

 protected:
  /// fill(element, group, lane) writes one element, its vertices in the solver's order. Lanes that are left over repeat
  /// the part's last element and are then silenced.
  template <class Fill, class Silence>
  GroupedElements(const PartLists& elements, const PartTree& tree, const Fill& fill, const Silence& silence)
      : groups_(elements.size()) {
    for (std::size_t part = 0; part < elements.size(); ++part) {
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
        for (auto& corner : group.vertex)
          for (int& vertex : corner) vertex = tree.slot(static_cast<int>(part), vertex);
      }
    }
  }

  const Group* groups(int part) const { return groups_[static_cast<std::size_t>(part)].data(); }
  int count(int part) const { return static_cast<int>(groups_[static_cast<std::size_t>(part)].size()); }

 private:
  // Elements that follow one another share vertices, and additions to one vertex wait for one another: neighbours are
  // dealt out, like cards, to so many groups.
  static constexpr std::size_t kDealt = 8;

  std::vector<std::vector<Group>> groups_;  ///< a part
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
  LawBatch(const FloatLawKernel<Group>& kernel, const PartLists& elements, const PartTree& tree, const Fill& fill,
           const Silence& silence)
      : GroupedElements<Group>(elements, tree, fill, silence), kernel_(&kernel) {}

 private:
  const FloatLawKernel<Group>* kernel_;
  const float *from4_ = nullptr, *to4_ = nullptr;
};

/// The elements of each part, of any list whose members have `vertex` in the solver's order.
template <class Element>
PartLists list_by_part(std::span<const Element> list, const PartTree& tree) {
  constexpr int kCorners = static_cast<int>(std::tuple_size_v<decltype(Element::vertex)>);
  std::vector<int> vertices;
  vertices.reserve(kCorners * list.size());
  for (const Element& element : list) vertices.insert(vertices.end(), element.vertex.begin(), element.vertex.end());
  return elements_by_part(vertices, kCorners, tree);
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
    auto& lines = lines_[static_cast<std::size_t>(part)];
    lines.resize(static_cast<std::size_t>(this->count(part)));
    kernel_->prepare_line(this->groups(part), this->count(part), from4, to4, lines.data());
  }

  double line_value(int part, double alpha) const override {
    const auto& lines = lines_[static_cast<std::size_t>(part)];
    return kernel_->line_value(lines.data(), static_cast<int>(lines.size()), alpha);
  }

 protected:
  using Kernel = FloatElementKernel<Group, Line>;

  template <class Fill, class Silence>
  GroupedBatch(const Kernel& kernel, const PartLists& elements, const PartTree& tree, const Fill& fill,
               const Silence& silence)
      : GroupedElements<Group>(elements, tree, fill, silence), kernel_(&kernel), lines_(elements.size()) {}

 private:
  const Kernel* kernel_;
  std::vector<std::vector<Line>> lines_;  ///< a part
};

}  // namespace rebound::sim
