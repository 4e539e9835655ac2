#include "render/camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rebound::render {

namespace {

constexpr float pi = std::numbers::pi_v<float>;
constexpr float transition_seconds = 0.35f;
constexpr float framing_margin = 1.18f;
/// Short of the pole, where yaw would turn the picture on its head.
constexpr float max_pitch = 0.495f * pi;

float tan_half_view() { return std::tan(0.5f * Camera::field_of_view); }

/// From rest to rest.
float ease(float t) { return t * t * (3 - 2 * t); }

CameraPose blend(const CameraPose& a, const CameraPose& b, float t) {
  CameraPose pose;
  pose.target = a.target + t * (b.target - a.target);
  pose.yaw = a.yaw + t * std::remainder(b.yaw - a.yaw, 2 * pi);
  pose.pitch = a.pitch + t * (b.pitch - a.pitch);
  // Equal ratios in equal times: coming nearer looks even whatever the distance.
  pose.distance = a.distance * std::pow(b.distance / a.distance, t);
  return pose;
}

CameraPose within_limits(CameraPose pose) {
  pose.yaw = std::remainder(pose.yaw, 2 * pi);
  pose.pitch = std::clamp(pose.pitch, -max_pitch, max_pitch);
  pose.distance = std::clamp(pose.distance, Camera::min_distance, Camera::max_distance);
  return pose;
}

}  // namespace

void Camera::resize(int width, int height) {
  width_ = std::max(width, 1);
  height_ = std::max(height, 1);
}

void Camera::orbit(const Vec2& pixels) {
  transition_.reset();
  const float radians_per_pixel = pi / static_cast<float>(height_);
  pose_.yaw -= pixels.x() * radians_per_pixel;
  pose_.pitch += pixels.y() * radians_per_pixel;
  pose_ = within_limits(pose_);
}

void Camera::pan(const Vec2& from, const Vec2& to, const Vec3& through) {
  transition_.reset();
  pose_.target += point_at_depth(from, through) - point_at_depth(to, through);
}

void Camera::zoom(float factor, const Vec2& pixel, const Vec3& through) {
  transition_.reset();
  const Vec3 fixed = point_at_depth(pixel, through);
  const float distance = std::clamp(factor * pose_.distance, min_distance, max_distance);
  pose_.target = fixed + (distance / pose_.distance) * (pose_.target - fixed);
  pose_.distance = distance;
}

void Camera::focus(const Vec3& point) {
  CameraPose pose = pose_;
  pose.target = point;
  go_to(pose);
}

void Camera::frame(const Box& box) { go_to(framing(box, transition_ ? transition_->to : pose_)); }

void Camera::home(const Box& box) {
  CameraPose pose;
  pose.target = pose_.target;
  pose.distance = pose_.distance;
  go_to(framing(box, pose));
}

void Camera::home(const Box& box, const Vec3& towards_eye) {
  CameraPose pose = pose_;
  pose.yaw = std::atan2(towards_eye.x(), towards_eye.z());
  pose.pitch = std::asin(std::clamp(towards_eye.y(), -1.0f, 1.0f));
  go_to(framing(box, within_limits(pose)));
}

CameraPose Camera::framing(const Box& box, CameraPose pose) const {
  if (box.isEmpty() || !box.min().allFinite() || !box.max().allFinite()) return pose;
  Camera placed = *this;
  placed.pose_ = pose;
  const Vec3 ahead = placed.forward();
  const float tan_up = tan_half_view();
  const float tan_right = tan_up * static_cast<float>(width_) / static_cast<float>(height_);
  pose.target = box.center();
  pose.distance = min_distance;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner = box.corner(static_cast<Box::CornerType>(i)) - pose.target;
    const float needed =
        std::max(std::abs(placed.right().dot(corner)) / tan_right, std::abs(placed.up().dot(corner)) / tan_up);
    pose.distance = std::max(pose.distance, framing_margin * needed - ahead.dot(corner));
  }
  // A body that is nearly a point still gets some room round it.
  pose.distance = std::max(pose.distance, framing_margin * 0.5f * box.diagonal().norm() / tan_up * 0.5f);
  return pose;
}

void Camera::go_to(const CameraPose& pose) { transition_ = Transition{pose_, within_limits(pose), 0}; }

bool Camera::advance(float seconds) {
  if (!transition_) return false;
  transition_->elapsed += seconds;
  const float t = transition_->elapsed / transition_seconds;
  if (t >= 1) {
    finish();
    return false;
  }
  pose_ = blend(transition_->from, transition_->to, ease(std::max(t, 0.0f)));
  return true;
}

void Camera::finish() {
  if (!transition_) return;
  pose_ = transition_->to;
  transition_.reset();
}

void Camera::set_pose(const CameraPose& pose) {
  transition_.reset();
  pose_ = within_limits(pose);
}

Vec3 Camera::forward() const {
  const float c = std::cos(pose_.pitch);
  return {-c * std::sin(pose_.yaw), -std::sin(pose_.pitch), -c * std::cos(pose_.yaw)};
}

Vec3 Camera::right() const { return {std::cos(pose_.yaw), 0, -std::sin(pose_.yaw)}; }
Vec3 Camera::up() const { return right().cross(forward()); }
Vec3 Camera::eye() const { return pose_.target - pose_.distance * forward(); }

Mat4 Camera::view() const {
  Mat4 m = Mat4::Identity();
  m.row(0).head<3>() = right();
  m.row(1).head<3>() = up();
  m.row(2).head<3>() = -forward();
  m.topRightCorner<3, 1>() = -m.topLeftCorner<3, 3>() * eye();
  return m;
}

Mat4 Camera::projection() const {
  const float n = near_plane();
  const float f = far_plane();
  const float aspect = static_cast<float>(width_) / static_cast<float>(height_);
  Mat4 m = Mat4::Zero();
  m(0, 0) = 1 / (aspect * tan_half_view());
  m(1, 1) = 1 / tan_half_view();
  m(2, 2) = -(f + n) / (f - n);
  m(2, 3) = -2 * f * n / (f - n);
  m(3, 2) = -1;
  return m;
}

Ray Camera::ray(const Vec2& pixel) const {
  const float half_height = 0.5f * static_cast<float>(height_);
  const float x = (pixel.x() - 0.5f * static_cast<float>(width_)) / half_height;
  const float y = (half_height - pixel.y()) / half_height;
  const Vec3 direction = forward() + tan_half_view() * (x * right() + y * up());
  return {eye(), direction.normalized()};
}

Vec3 Camera::point_at_depth(const Vec2& pixel, const Vec3& through) const {
  const Ray line = ray(pixel);
  // A point behind the eye has no picking plane; the nearest visible depth keeps a drag finite.
  const float depth = std::max(forward().dot(through - line.origin), near_plane());
  return line.at(depth / forward().dot(line.direction));
}

Projected Camera::project(const Vec3& point) const {
  const Vec3 offset = point - eye();
  const float depth = forward().dot(offset);
  const float pixels_per_metre = 0.5f * static_cast<float>(height_) / (tan_half_view() * depth);
  const Vec2 from_centre{right().dot(offset) * pixels_per_metre, -up().dot(offset) * pixels_per_metre};
  return {Vec2(0.5f * static_cast<float>(width_), 0.5f * static_cast<float>(height_)) + from_centre, depth};
}

float Camera::metres_per_pixel(const Vec3& point) const {
  const float depth = std::max(forward().dot(point - eye()), near_plane());
  return 2 * tan_half_view() * depth / static_cast<float>(height_);
}

}  // namespace rebound::render
