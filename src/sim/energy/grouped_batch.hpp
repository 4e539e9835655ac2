// A FloatBatch whose elements stand in groups of kFloatLanes: all but how the groups are filled.
#pragma once

#include <algorithm>

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

  /// fill(element, group, lane) writes one element. Lanes that are left over repeat the part's last element and are
  /// then silenced.
  template <class Fill, class Silence>
  GroupedBatch(const Kernel& kernel, const std::array<std::vector<int>, kParts>& elements, int top, const Fill& fill,
               const Silence& silence)
      : kernel_(&kernel), top_(top) {
    for (int part = 0; part < kParts; ++part) {
      const std::size_t used = elements[part].size(), groups = (used + kFloatLanes - 1) / kFloatLanes;
      groups_[part].resize(groups);
      for (std::size_t g = 0; g < groups; ++g) {
        Group& group = groups_[part][g];
        const std::size_t first = g / kDealt * kDealt, dealt = std::min(kDealt, groups - first);
        for (int lane = 0; lane < kFloatLanes; ++lane) {
          const std::size_t element = first * kFloatLanes + static_cast<std::size_t>(lane) * dealt + (g - first);
          fill(elements[part][std::min(element, used - 1)], group, lane);
          if (element >= used) silence(group, lane);
        }
      }
    }
  }

 private:
  // Elements that follow one another share vertices, and additions to one vertex wait for one another: neighbours are
  // dealt out, like cards, to so many groups.
  static constexpr std::size_t kDealt = 8;

  int count(int part) const { return static_cast<int>(groups_[part].size()); }

  const Kernel* kernel_;
  int top_;
  std::array<std::vector<Group>, kParts> groups_;
  std::array<std::vector<Line>, kParts> lines_;
};

}  // namespace rebound::sim
