#include "sim/step/solve_trace.hpp"

namespace rebound::sim {

void IteratePlaces::add(const Points& x) {
  last_ = {count_++, x};
  if (last_.iterate % every_ != 0) return;
  if (kept_.size() + 1 < most_) {
    kept_.push_back(last_);
    return;
  }
  // Full, with a place left for the last one: every second goes.
  std::size_t left = 0;
  every_ *= 2;
  for (Place& place : kept_)
    if (place.iterate % every_ == 0) std::swap(kept_[left++], place);
  kept_.resize(left);
  if (last_.iterate % every_ == 0) kept_.push_back(last_);
}

void IteratePlaces::clear() {
  count_ = 0;
  every_ = 1;
  kept_.clear();
}

std::vector<const IteratePlaces::Place*> IteratePlaces::all() const {
  std::vector<const Place*> all;
  for (const Place& place : kept_) all.push_back(&place);
  if (count_ > 0 && (kept_.empty() || kept_.back().iterate != last_.iterate)) all.push_back(&last_);
  return all;
}

}  // namespace rebound::sim
