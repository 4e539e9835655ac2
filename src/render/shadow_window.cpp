#include "render/shadow_window.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::render {

namespace {

/// The next size in steps of an eighth of an octave.
float stepped_size(float size) { return std::exp2(std::ceil(8 * std::log2(std::max(size, 1e-6f))) / 8); }

/// The box of `box`'s corners after a rotation whose rows are the new axes.
Box rotated(const Box& box, const Eigen::Matrix3f& axes) {
  Box result;
  for (int i = 0; i < 8; ++i) result.extend(axes * box.corner(static_cast<Box::CornerType>(i)));
  return result;
}

/// Maps the box between `low` and `low + size`, in the frame of `axes`, to [0, 1].
Mat4 to_unit_cube(const Eigen::Matrix3f& axes, const Vec3& low, const Vec3& size) {
  Mat4 m = Mat4::Identity();
  m.topLeftCorner<3, 3>() = size.cwiseInverse().asDiagonal() * axes;
  m.topRightCorner<3, 1>() = -low.cwiseQuotient(size);
  return m;
}

/// Slides every point along the light's rays into the plane. A light that only grazes it is taken to be a bit higher.
Mat4 slide_onto(const PlaneView& plane, const Vec3& to_light) {
  constexpr float min_slope = 0.2f;
  const Vec3 slide = to_light / std::max(plane.normal.dot(to_light), min_slope);
  Mat4 m = Mat4::Identity();
  m.topLeftCorner<3, 3>() -= slide * plane.normal.transpose();
  m.topRightCorner<3, 1>() = slide * plane.offset;
  return m;
}

}  // namespace

Mat4 beside_the_map() {
  Mat4 m = Mat4::Zero();
  m.col(3) << -1, -1, 0, 1;
  return m;
}

Mat4 to_clip(const Mat4& to_unit_cube) {
  Mat4 m = Mat4::Identity();
  m.topLeftCorner<3, 3>() *= 2;
  m.topRightCorner<3, 1>() = -Vec3::Ones();
  return m * to_unit_cube;
}

ShadowWindow fit_shadow_window(const Box& casters, const Vec3& to_light, int resolution) {
  Eigen::Matrix3f axes;
  const Vec3 side = (std::abs(to_light.y()) < 0.99f ? Vec3::UnitY() : Vec3::UnitX()).cross(to_light).normalized();
  axes.row(0) = side;
  axes.row(1) = to_light.cross(side);
  axes.row(2) = -to_light;
  const Box seen = rotated(casters, axes);

  // A border of a few texels keeps filter kernels off the map's edge.
  const float width = stepped_size(1.06f * std::max(seen.sizes().x(), seen.sizes().y()) + 1e-4f);
  ShadowWindow window;
  window.texel = width / static_cast<float>(resolution);
  window.size = {width, width, stepped_size(1.02f * seen.sizes().z() + 4 * window.texel)};
  Vec3 low = seen.center() - 0.5f * window.size;
  for (int i = 0; i < 3; ++i) low[i] = window.texel * std::floor(low[i] / window.texel);
  window.map_from_world = to_unit_cube(axes, low, window.size);
  return window;
}

PlaneFrame frame_of(const PlaneView& plane) {
  const Vec3 away = std::abs(plane.normal.x()) < 0.9f ? Vec3::UnitX() : Vec3::UnitZ();
  const Vec3 u = (away - plane.normal * plane.normal.dot(away)).normalized();
  return {u, plane.normal.cross(u)};
}

FloorWindow fit_floor_window(const Box& casters, const PlaneView& plane, const Vec3& to_light) {
  const PlaneFrame frame = frame_of(plane);
  Eigen::Matrix3f axes;
  axes.row(0) = frame.u;
  axes.row(1) = frame.v;
  axes.row(2) = plane.normal;
  const Mat4 slide = slide_onto(plane, to_light);
  Box footprint = rotated(casters, axes);
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner = casters.corner(static_cast<Box::CornerType>(i));
    footprint.extend(axes * (slide * corner.homogeneous()).head<3>());
  }
  FloorWindow window;
  window.height = 0.16f * casters.diagonal().norm();
  footprint.min().array() -= window.height;
  footprint.max().array() += window.height;

  const Vec3 low(footprint.min().x(), footprint.min().y(), plane.offset);
  const Vec3 size(footprint.sizes().x(), footprint.sizes().y(), window.height);
  window.map_from_world = to_unit_cube(axes, low, size) * slide;
  // Sliding takes all heights to the floor; the height before it is what tells how near something is.
  window.map_from_world.row(2) << plane.normal.transpose() / window.height, -plane.offset / window.height;
  const Vec3 middle = footprint.center();
  window.centre = middle.x() * frame.u + middle.y() * frame.v + plane.offset * plane.normal;
  window.half_size = 0.5f * size.head<2>();
  return window;
}

}  // namespace rebound::render
