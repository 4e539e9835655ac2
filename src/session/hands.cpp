#include "session/hands.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
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
  for (const auto& handle : handles_) model.attachments.items[handle.attachment].move_to(handle.at(time_));
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

// Four waves that never fall into step, from once in 7 s to 1.7 times a second.
sim::Vec3 wind_at(const scene::Wind& wind, double t) {
  constexpr std::array<std::pair<double, double>, 4> kWaves{{{0.13, 0.4}, {0.31, 0.3}, {0.71, 0.2}, {1.7, 0.1}}};
  constexpr double kGolden = 0.6180339887498949;
  if (t < wind.from || t >= wind.until) return sim::Vec3::Zero();
  double gust = 0, phase = wind.seed * kGolden;
  for (const auto& [hertz, share] : kWaves) {
    gust += share * std::sin(2 * std::numbers::pi * (hertz * t + phase));
    phase += kGolden * (wind.seed + 1);
  }
  return (1 + wind.gusts * gust) * scene::to_eigen(wind.velocity);
}

std::vector<sim::SkinTriangle> skin_of(const scene::SharedWorld& world, const sim::Model& model) {
  std::vector<sim::SkinTriangle> skin;
  for (std::size_t b = 0; b < world.bodies.size(); ++b) {
    const scene::BodyGeometry& body = world.bodies[b];
    for (const auto& corners : body.surface.triangles) {
      sim::SkinTriangle& triangle = skin.emplace_back();
      triangle.closed = body.is_solid();
      for (std::size_t c = 0; c < 3; ++c) {
        const auto point = static_cast<std::size_t>(corners[c]);
        triangle.vertices[c] = body.embedding.vertices[point];
        for (int& vertex : triangle.vertices[c]) vertex += model.bodies[b].first;
        triangle.weights[c] = body.embedding.weights[point];
      }
    }
  }
  return skin;
}

// As it is in the middle of the step.
bool Hands::push(const sim::Model& model, const sim::State& now, double h, sim::Points& force) {
  if (!description_.wind || skin_.empty()) return false;
  const scene::Wind& wind = *description_.wind;
  const double t = time_ - 0.5 * h;
  // Still air is no wind, so that a scene that says so is the same as one that says nothing.
  if (t < wind.from || t >= wind.until || scene::to_eigen(wind.velocity).isZero(0)) return false;
  // Energies of the step alone are not there before it begins.
  sim::Points dE;
  model.lasting_gradient(now.x, dE, work_);
  push_by_air(model, skin_, {wind_at(wind, t), wind.density}, h, now, dE, force);
  return true;
}

sim::Added Hands::mover(int obstacle) const {
  return led_before_[static_cast<std::size_t>(obstacle)] ? sim::Added::user : sim::Added::motion;
}

}  // namespace rebound::session
