// What a pass over the elements needs besides its input: threads, and memory that is kept from step to step.
#pragma once

#include <span>

#include "sim/base/types.hpp"
#include "sim/base/workers.hpp"

namespace rebound::sim {

/// Of one step at a time: steppers that run on several threads have a workspace each.
class Workspace {
 public:
  explicit Workspace(int threads) : workers(threads) {}

  /// At least `size` doubles; grows once and is then reused. Valid until the next call.
  std::span<double> element_forces(std::size_t size) {
    if (forces_.size() < size) forces_.resize(size);
    return {forces_.data(), size};
  }
  std::span<double> partial_sums(std::size_t size) {
    if (sums_.size() < size) sums_.resize(size);
    return {sums_.data(), size};
  }

  Workers workers;

 private:
  std::vector<double> forces_;
  std::vector<double> sums_;
};

}  // namespace rebound::sim
