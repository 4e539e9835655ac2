// What moves by itself, or is moved, while a step is made: the scene's handles and obstacles, obstacles that a user
// leads by hand, and the wind.
#pragma once

#include <span>

#include "scene/build.hpp"
#include "sim/model/wind.hpp"
#include "sim/stepper.hpp"

namespace rebound::session {

class Hands final : public sim::Motion {
 public:
  /// To `time`, in a step of h seconds. led: one per obstacle, is it on its way to where a hand has put it? skin: what
  /// the wind blows at. All must outlive this.
  Hands(const scene::Description& description, std::span<const scene::MovingHandle> handles,
        const std::vector<std::uint8_t>& led, std::span<const sim::SkinTriangle> skin, double time, double h,
        sim::Workspace& work)
      : description_(description),
        handles_(handles),
        led_before_(led),
        led_(led),
        skin_(skin),
        time_(time),
        h_(h),
        work_(work) {}

  bool move_handles(sim::Model& model) override;
  void move_obstacles(sim::Model& model) override;
  bool push(const sim::Model& model, const sim::State& now, double h, sim::Points& force) override;
  sim::Added mover(int obstacle) const override;

  /// Which obstacles are still on their way after the step.
  const std::vector<std::uint8_t>& led() const { return led_; }

 private:
  const scene::Description& description_;
  std::span<const scene::MovingHandle> handles_;
  const std::vector<std::uint8_t>& led_before_;
  std::vector<std::uint8_t> led_;
  std::span<const sim::SkinTriangle> skin_;
  double time_, h_;  ///< s
  sim::Workspace& work_;
};

/// m/s, at time t (s): gusts are smooth, the same for the same seed, and at most `gusts` times the wind.
sim::Vec3 wind_at(const scene::Wind& wind, double t);

/// The surfaces of all bodies, as the wind meets them.
std::vector<sim::SkinTriangle> skin_of(const scene::SharedWorld& world, const sim::Model& model);

}  // namespace rebound::session
