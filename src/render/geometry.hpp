// The few geometric words that the whole layer shares. World coordinates are metres, y up, right-handed.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <span>

namespace rebound::render {

using Vec2 = Eigen::Vector2f;
using Vec3 = Eigen::Vector3f;
using Vec4 = Eigen::Vector4f;
using Mat4 = Eigen::Matrix4f;

/// An axis-aligned box in metres; isEmpty() until something extends it.
using Box = Eigen::AlignedBox3f;

/// Three vertex indices, counter-clockwise seen from outside.
using Triangle = std::array<int, 3>;

/// x0 y0 z0 x1 y1 z1 ...: metres, three floats a vertex.
using PositionSpan = std::span<const float>;

/// A half line; `direction` has length 1.
struct Ray {
  Vec3 origin = Vec3::Zero();
  Vec3 direction = -Vec3::UnitZ();

  Vec3 at(float distance) const { return origin + distance * direction; }
};

/// A rectangle of a framebuffer in framebuffer pixels (not window points), from its lower left corner as in OpenGL.
struct Viewport {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;

  bool empty() const { return width <= 0 || height <= 0; }
};

}  // namespace rebound::render
