#include "film/traces.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace rebound::film {
namespace {

constexpr int kCircleSegments = 144;
constexpr float kCircleWidth = 2;
constexpr float kPathWidth = 1.25f, kPathOpacity = 0.6f;
constexpr float kDotRadius = 2.2f, kOldestOpacity = 0.4f;
// A longer line would hide the dots: it shows which state came after which, and where the vertex goes now.
constexpr std::ptrdiff_t kJoined = 30;
// Of a circle's radius: how much is shown around it.
constexpr double kRoom = 0.5;
// What is flat: a share of a radius, or of a right angle.
constexpr double kFlat = 1e-3;

/// A closed polyline: the last point is the first one.
std::vector<render::Vec3> points_of(const session::TraceCircle& circle) {
  const sim::Vec3 u = circle.normal.unitOrthogonal(), w = circle.normal.cross(u);
  std::vector<render::Vec3> points;
  points.reserve(kCircleSegments + 1);
  for (int i = 0; i <= kCircleSegments; ++i) {
    const double angle = 2 * std::numbers::pi * (i % kCircleSegments) / kCircleSegments;
    points.push_back(to_render(circle.centre + circle.radius * (std::cos(angle) * u + std::sin(angle) * w)));
  }
  return points;
}

bool lies_in(const session::TraceCircle& circle, const render::Vec3& point) {
  return std::abs(circle.normal.dot(point.cast<double>() - circle.centre)) < kFlat * circle.radius;
}

void add_path(const session::TracePath& path, const render::Color& color, render::View& view) {
  const auto& points = path.points;
  // The last state is where the vertex itself is.
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const float youth = static_cast<float>(i) / static_cast<float>(points.size() - 1);
    const float opacity = kOldestOpacity + youth * (1 - kOldestOpacity);
    view.markers.push_back({to_render(points[i]), color.with_alpha(opacity), kDotRadius, false, true});
  }
  render::TrailView trail{{}, color.with_alpha(kPathOpacity), kPathWidth};
  const auto joined = std::min(kJoined, static_cast<std::ptrdiff_t>(points.size()));
  std::transform(points.end() - joined, points.end(), std::back_inserter(trail.points), to_render);
  view.trails.push_back(std::move(trail));
}

}  // namespace

void add_traces(const session::Snapshot& moment, render::View& view) {
  const auto& series = view.theme->series;
  for (const auto& path : moment.traces) {
    for (const auto& circle : path.circles)
      view.trails.push_back({points_of(circle), view.theme->circle, kCircleWidth, false});
    add_path(path, series[static_cast<std::size_t>(path.body) % series.size()], view);
  }
}

render::Box room_for_traces(const session::Snapshot& moment) {
  render::Box room;
  for (const auto& path : moment.traces)
    for (const auto& circle : path.circles) {
      // As far as the circle goes along each axis, and some more in its plane.
      const sim::Vec3 reach =
          (1 + kRoom) * circle.radius * (sim::Vec3::Ones() - circle.normal.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
      room.extend(to_render(circle.centre - reach));
      room.extend(to_render(circle.centre + reach));
    }
  return room;
}

std::optional<FigurePlane> figure_plane(const session::Snapshot& moment) {
  const session::TraceCircle* first = nullptr;
  for (const auto& path : moment.traces)
    for (const auto& circle : path.circles) {
      if (first == nullptr) first = &circle;
      const bool parallel = first->normal.cross(circle.normal).norm() < kFlat;
      if (!parallel || !lies_in(*first, to_render(circle.centre))) return std::nullopt;
    }
  if (first == nullptr) return std::nullopt;
  for (const auto& surface : moment.surfaces)
    for (std::size_t i = 0; i + 2 < surface.size(); i += 3)
      if (!lies_in(*first, {surface[i], surface[i + 1], surface[i + 2]})) return std::nullopt;
  // From the side on which one stands by default.
  const bool faces_us = to_render(first->normal).dot(render::Camera().forward()) <= 0;
  const sim::Vec3 normal = faces_us ? first->normal : sim::Vec3(-first->normal);
  return FigurePlane{to_render(normal), static_cast<float>(normal.dot(first->centre))};
}

}  // namespace rebound::film
