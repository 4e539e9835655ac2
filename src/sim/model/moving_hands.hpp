// Handles and hands that move in a step: whoever solves for a moment within it puts them where they are then.
#pragma once

#include <vector>

#include "sim/model/model.hpp"

namespace rebound::sim {

class MovingHands {
 public:
  /// Of a model whose hands stand where they are at the end of the step; it must outlive this.
  explicit MovingHands(Model& model);
  /// They stand at the end of the step again.
  ~MovingHands() { put(1); }
  MovingHands(const MovingHands&) = delete;
  MovingHands& operator=(const MovingHands&) = delete;

  /// To where they are after this share of the step, along a straight line.
  void put(double share);
  bool any() const { return !ways_.empty(); }

 private:
  struct Way {
    Attachment* hand;
    Vec3 end;  ///< m
  };
  std::vector<Way> ways_;
};

}  // namespace rebound::sim
