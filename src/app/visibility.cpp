#include "app/visibility.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::app {
namespace {

using render::Projected;
using render::Vec2;

/// A small depth map over the box: fine enough to tell the front of a body from its back, and made in a moment
/// whatever the number of triangles.
class DepthMap {
 public:
  DepthMap(const Vec2& low, const Vec2& high) : low_(low) {
    const Vec2 size = (high - low).cwiseMax(1.0f);
    cell_ = std::max(size.maxCoeff() / kCells, 1.0f);
    width_ = static_cast<int>(size.x() / cell_) + 1;
    height_ = static_cast<int>(size.y() / cell_) + 1;
    depth_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), INFINITY);
  }

  void add_triangle(const Projected& a, const Projected& b, const Projected& c) {
    if (std::min({a.depth, b.depth, c.depth}) <= 0) return;
    const Vec2 p = to_cells(a.pixel), q = to_cells(b.pixel), r = to_cells(c.pixel);
    const float area = cross(q - p, r - p);
    if (!std::isfinite(area) || area == 0) return;
    const Vec2 low = p.cwiseMin(q).cwiseMin(r), high = p.cwiseMax(q).cwiseMax(r);
    const int x0 = std::clamp(static_cast<int>(std::max(low.x(), 0.0f)), 0, width_);
    const int y0 = std::clamp(static_cast<int>(std::max(low.y(), 0.0f)), 0, height_);
    const int x1 = high.x() < 0 ? -1 : static_cast<int>(std::min(high.x(), static_cast<float>(width_ - 1)));
    const int y1 = high.y() < 0 ? -1 : static_cast<int>(std::min(high.y(), static_cast<float>(height_ - 1)));
    for (int y = y0; y <= y1; ++y) {
      for (int x = x0; x <= x1; ++x) {
        const Vec2 at(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
        const float wa = cross(q - at, r - at) / area, wb = cross(r - at, p - at) / area, wc = 1 - wa - wb;
        if (std::min({wa, wb, wc}) < 0) continue;
        float& depth = depth_[index(x, y)];
        depth = std::min(depth, wa * a.depth + wb * b.depth + wc * c.depth);
      }
    }
  }

  /// Nothing nearer than the point, but for the slack that a cell's width needs on slanting surfaces.
  bool shows(const Projected& point, float slack) const {
    const Vec2 at = to_cells(point.pixel);
    const int x = std::clamp(static_cast<int>(at.x()), 0, width_ - 1);
    const int y = std::clamp(static_cast<int>(at.y()), 0, height_ - 1);
    return point.depth <= depth_[index(x, y)] + slack;
  }

 private:
  static constexpr float kCells = 256;  // across the longer side

  static float cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }
  Vec2 to_cells(const Vec2& pixel) const { return (pixel - low_) / cell_; }
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
  }

  Vec2 low_;
  float cell_ = 1;
  int width_ = 0, height_ = 0;
  std::vector<float> depth_;
};

std::vector<Projected> project_all(const render::Camera& camera, render::PositionSpan positions) {
  std::vector<Projected> projected(positions.size() / 3);
  for (std::size_t i = 0; i < projected.size(); ++i)
    projected[i] = camera.project({positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]});
  return projected;
}

float slack_for(render::PositionSpan positions) {
  render::Box box;
  for (std::size_t i = 0; i + 2 < positions.size(); i += 3)
    box.extend(render::Vec3(positions[i], positions[i + 1], positions[i + 2]));
  return box.isEmpty() ? 0 : 0.02f * box.diagonal().norm();
}

}  // namespace

std::vector<std::vector<int>> visible_points(const render::Camera& camera, std::span<const DrawnSurface> surfaces,
                                             const PixelBox& box) {
  const Vec2 low = box.from.cwiseMin(box.to), high = box.from.cwiseMax(box.to);
  DepthMap map(low, high);
  std::vector<std::vector<Projected>> projected;
  for (const DrawnSurface& surface : surfaces) {
    projected.push_back(project_all(camera, surface.positions));
    const auto& points = projected.back();
    for (const auto& t : surface.triangles)
      map.add_triangle(points[static_cast<std::size_t>(t[0])], points[static_cast<std::size_t>(t[1])],
                       points[static_cast<std::size_t>(t[2])]);
  }
  std::vector<std::vector<int>> visible(surfaces.size());
  for (std::size_t body = 0; body < surfaces.size(); ++body) {
    const float slack = slack_for(surfaces[body].positions);
    for (std::size_t i = 0; i < projected[body].size(); ++i) {
      const Projected& point = projected[body][i];
      const bool inside =
          point.depth > 0 && (point.pixel.array() >= low.array()).all() && (point.pixel.array() <= high.array()).all();
      if (inside && map.shows(point, slack)) visible[body].push_back(static_cast<int>(i));
    }
  }
  return visible;
}

std::vector<int> tetrahedra_in(const render::Camera& camera, render::PositionSpan positions,
                               std::span<const std::array<int, 4>> tetrahedra, const PixelBox& box) {
  const Vec2 low = box.from.cwiseMin(box.to), high = box.from.cwiseMax(box.to);
  std::vector<int> found;
  for (std::size_t t = 0; t < tetrahedra.size(); ++t) {
    render::Vec3 middle = render::Vec3::Zero();
    for (const int v : tetrahedra[t])
      middle += 0.25f * Eigen::Map<const render::Vec3>(positions.data() + 3 * static_cast<std::size_t>(v));
    const Projected seen = camera.project(middle);
    if (seen.depth > 0 && (seen.pixel.array() >= low.array()).all() && (seen.pixel.array() <= high.array()).all())
      found.push_back(static_cast<int>(t));
  }
  return found;
}

}  // namespace rebound::app
