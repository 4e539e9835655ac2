#include "session/hands.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "scene/build_obstacles.hpp"

namespace rebound::session {
namespace {

// A mouse can jump. What it leads goes no faster than a hand would ...
constexpr double kSizesASecond = 4;
constexpr double kTurnsASecond = 1;
// ... and no further in a step than what is inside it can be told to be on the near side.
constexpr double kShareOfThickness = 0.5;

double half_thickness(const sim::Shape& shape) { return 0.5 * sim::bounds(shape).sizes().minCoeff(); }

/// From `pose` towards `goal`, by at most so many m and rad.
sim::Pose towards(const sim::Pose& pose, const sim::Pose& goal, double way, double angle) {
  const sim::Vec3 gap = goal.t - pose.t;
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(goal.R * pose.R.transpose()));
  const double distance = gap.norm();
  const double share = std::min(distance > way ? way / distance : 1, turn.angle() > angle ? angle / turn.angle() : 1);
  if (share >= 1) return goal;
  return {Eigen::AngleAxisd(share * turn.angle(), turn.axis()).toRotationMatrix() * pose.R, pose.t + share * gap};
}

}  // namespace

bool Hands::move_handles(sim::Model& model) {
  for (const auto& handle : handles_) model.attachments.items[handle.attachment].target = handle.at(time_);
  return !handles_.empty();
}

void Hands::move_obstacles(sim::Model& model) {
  const double way = kSizesASecond * model.extent * h_;
  const double angle = 2 * std::numbers::pi * kTurnsASecond * h_;
  for (std::size_t o = 0; o < model.obstacles.size(); ++o) {
    sim::Obstacle& obstacle = model.obstacles[o];
    const sim::Pose goal = scene::obstacle_pose(description_.obstacles[o], time_);
    const double reach = std::min(way, kShareOfThickness * half_thickness(obstacle.shape));
    obstacle.move_to(led_[o] ? towards(obstacle.pose, goal, reach, angle) : goal);
    if (obstacle.pose == goal) led_[o] = 0;
  }
}

sim::Added Hands::mover(int obstacle) const {
  return led_before_[static_cast<std::size_t>(obstacle)] ? sim::Added::user : sim::Added::motion;
}

}  // namespace rebound::session
