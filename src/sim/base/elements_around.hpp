// Which elements meet at a point.
#pragma once

#include <span>
#include <vector>

namespace rebound::sim {

class ElementsAround {
 public:
  ElementsAround() = default;
  /// elements: each a range of point numbers, below `points`.
  template <class Elements>
  ElementsAround(std::size_t points, const Elements& elements) : first_(points + 1, 0) {
    for (const auto& element : elements)
      for (const int p : element) ++first_[static_cast<std::size_t>(p) + 1];
    for (std::size_t p = 1; p < first_.size(); ++p) first_[p] += first_[p - 1];
    elements_.resize(static_cast<std::size_t>(first_.back()));
    std::vector<int> next(first_.begin(), first_.end() - 1);
    int e = 0;
    for (const auto& element : elements) {
      for (const int p : element) elements_[static_cast<std::size_t>(next[static_cast<std::size_t>(p)]++)] = e;
      ++e;
    }
  }

  /// In their order.
  std::span<const int> of(int point) const {
    const auto p = static_cast<std::size_t>(point);
    return {elements_.data() + first_[p], static_cast<std::size_t>(first_[p + 1] - first_[p])};
  }

 private:
  std::vector<int> first_, elements_;  ///< those of point p are elements_[first_[p], first_[p + 1])
};

}  // namespace rebound::sim
