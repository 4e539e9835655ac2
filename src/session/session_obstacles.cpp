// Where obstacles are: they follow the clock, or a hand.
#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "scene/build_obstacles.hpp"
#include "session/session.hpp"

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

sim::Pose Session::obstacle_goal(int obstacle) const {
  return scene::obstacle_pose(description().obstacles[static_cast<std::size_t>(obstacle)], record_.time);
}

void Session::place_obstacles(double time) {
  const std::size_t count = model_->obstacles.size();
  led_.assign(count, 0);
  moved_by_hand_.assign(count, 0);
  for (std::size_t o = 0; o < count; ++o) {
    sim::Obstacle& obstacle = model_->obstacles[o];
    obstacle.pose = obstacle.before = scene::obstacle_pose(description().obstacles[o], time);
  }
}

void Session::move_obstacles(double time) {
  const double way = kSizesASecond * model_->extent * step_size();
  const double angle = 2 * std::numbers::pi * kTurnsASecond * step_size();
  for (std::size_t o = 0; o < model_->obstacles.size(); ++o) {
    sim::Obstacle& obstacle = model_->obstacles[o];
    const sim::Pose goal = scene::obstacle_pose(description().obstacles[o], time);
    obstacle.before = obstacle.pose;
    moved_by_hand_[o] = led_[o];
    const double reach = std::min(way, kShareOfThickness * half_thickness(obstacle.shape));
    obstacle.pose = led_[o] ? towards(obstacle.pose, goal, reach, angle) : goal;
    if (obstacle.pose == goal) led_[o] = 0;
  }
}

}  // namespace rebound::session
