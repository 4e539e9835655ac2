// A FloatBatch whose elements stand in groups of kFloatLanes: all but how the groups are filled.
#pragma once

#include "sim/energy/float_batch.hpp"
#include "sim/energy/float_kernel.hpp"

namespace rebound::sim {

template <class Group, class Line>
class GroupedBatch : public FloatBatch {
 public:
  double value(int part, const float* x4) const override {
    return kernel_->value(groups_[part].data(), count(part), x4);
  }

  double add_gradient(int part, const float* x4, float scale, float* gradient4, float* top4) const override {
    return kernel_->add_gradient(groups_[part].data(), count(part), x4, scale, {gradient4, top4, top_});
  }

  /// The first call allocates; later ones use the same memory.
  void prepare_line(int part, const float* from4, const float* to4) override {
    lines_[part].resize(groups_[part].size());
    kernel_->prepare_line(groups_[part].data(), count(part), from4, to4, lines_[part].data());
  }

  double line_value(int part, double alpha) const override {
    return kernel_->line_value(lines_[part].data(), static_cast<int>(lines_[part].size()), alpha);
  }

 protected:
  using Kernel = FloatElementKernel<Group, Line>;

  /// fill(element, group, lane) writes one element. The lanes that are left over in a part's last group are filled with
  /// its last element and then silenced.
  template <class Fill, class Silence>
  GroupedBatch(const Kernel& kernel, const std::array<std::vector<int>, kParts>& elements, int top, const Fill& fill,
               const Silence& silence)
      : kernel_(&kernel), top_(top) {
    for (int part = 0; part < kParts; ++part) {
      const std::size_t used = elements[part].size();
      groups_[part].resize((used + kFloatLanes - 1) / kFloatLanes);
      for (std::size_t slot = 0; slot < groups_[part].size() * kFloatLanes; ++slot) {
        Group& group = groups_[part][slot / kFloatLanes];
        const int lane = static_cast<int>(slot % kFloatLanes);
        fill(elements[part][slot < used ? slot : used - 1], group, lane);
        if (slot >= used) silence(group, lane);
      }
    }
  }

 private:
  int count(int part) const { return static_cast<int>(groups_[part].size()); }

  const Kernel* kernel_;
  int top_;
  std::array<std::vector<Group>, kParts> groups_;
  std::array<std::vector<Line>, kParts> lines_;
};

}  // namespace rebound::sim
