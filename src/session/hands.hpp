// What moves by itself, or is moved, while a step is made: the scene's handles and obstacles, and obstacles that a user
// leads by hand.
#pragma once

#include <span>

#include "scene/build.hpp"
#include "sim/stepper.hpp"

namespace rebound::session {

class Hands final : public sim::Motion {
 public:
  /// To `time`, in a step of h seconds. led: one per obstacle, is it on its way to where a hand has put it? All must
  /// outlive this.
  Hands(const scene::Description& description, std::span<const scene::MovingHandle> handles,
        const std::vector<std::uint8_t>& led, double time, double h)
      : description_(description), handles_(handles), led_before_(led), led_(led), time_(time), h_(h) {}

  bool move_handles(sim::Model& model) override;
  void move_obstacles(sim::Model& model) override;
  sim::Added mover(int obstacle) const override;

  /// Which obstacles are still on their way after the step.
  const std::vector<std::uint8_t>& led() const { return led_; }

 private:
  const scene::Description& description_;
  std::span<const scene::MovingHandle> handles_;
  const std::vector<std::uint8_t>& led_before_;
  std::vector<std::uint8_t> led_;
  double time_, h_;  ///< s
};

}  // namespace rebound::session
