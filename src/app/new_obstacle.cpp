#include "app/new_obstacle.hpp"

#include <array>
#include <cmath>

#include "mesh/obj.hpp"

namespace rebound::app {
namespace {

// Shares of the size of the bodies.
constexpr double kRadius = 0.16, kThin = 0.07, kSurface = 0.5;
// Rough enough that what lies on it stays there.
constexpr double kFriction = 0.5;

/// To two digits: nobody wants a radius of 0.27712812921102037 m.
double rounded(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

double size_of(const render::Box& bodies) {
  const double size = bodies.isEmpty() ? 1 : static_cast<double>(bodies.diagonal().norm());
  return size > 0 && std::isfinite(size) ? size : 1;
}

scene::ObstacleShape shape_of(ObstacleKind kind, double size) {
  const double radius = rounded(kRadius * size), thin = rounded(kThin * size);
  switch (kind) {
    case ObstacleKind::floor:
      return scene::PlaneShape{};
    case ObstacleKind::sphere:
      return scene::SphereShape{radius};
    case ObstacleKind::box:
      return scene::BoxShape{{2 * radius, 2 * radius, 2 * radius}};
    case ObstacleKind::capsule:
      return scene::CapsuleShape{thin, 4 * radius};
    case ObstacleKind::torus:
      return scene::TorusShape{radius, thin};
  }
  return {};
}

scene::Obstacle placed(scene::ObstacleShape shape, const render::Vec3& at) {
  scene::Obstacle obstacle;
  obstacle.shape = std::move(shape);
  obstacle.name = name_of(obstacle.shape);
  obstacle.transform.translate = {at.x(), at.y(), at.z()};
  obstacle.friction = kFriction;
  return obstacle;
}

}  // namespace

const char* name_of(ObstacleKind kind) {
  constexpr std::array kNames{"Floor", "Sphere", "Box", "Capsule", "Torus"};
  return kNames[static_cast<std::size_t>(kind)];
}

const char* name_of(const scene::ObstacleShape& shape) {
  constexpr std::array kNames{"Plane", "Sphere", "Box", "Capsule", "Torus", "Mesh"};
  static_assert(kNames.size() == std::variant_size_v<scene::ObstacleShape>);
  return kNames[shape.index()];
}

scene::Obstacle new_obstacle(ObstacleKind kind, const render::Box& bodies, const render::Vec3& at) {
  scene::Obstacle obstacle = placed(shape_of(kind, size_of(bodies)), at);
  obstacle.name = name_of(kind);
  if (kind == ObstacleKind::floor) obstacle.transform.translate = {0, at.y(), 0};
  // Along x, as things lie.
  if (kind == ObstacleKind::capsule) obstacle.transform.rotate = {{0, 0, 1}, 90};
  return obstacle;
}

scene::Obstacle new_obstacle(const std::filesystem::path& file, const render::Box& bodies, const render::Vec3& at) {
  const mesh::Surface surface = mesh::read_obj(file);
  const Eigen::RowVector3d low = surface.points.colwise().minCoeff(), high = surface.points.colwise().maxCoeff();
  const double size = (high - low).norm();
  scene::Obstacle obstacle = placed(scene::MeshShape{file}, at);
  obstacle.name = file.stem().string();
  if (size > 0 && std::isfinite(size)) obstacle.transform.scale = rounded(kSurface * size_of(bodies) / size);
  const Eigen::RowVector3d middle = 0.5 * obstacle.transform.scale * (low + high);
  for (int c = 0; c < 3; ++c) obstacle.transform.translate[static_cast<std::size_t>(c)] -= middle[c];
  return obstacle;
}

}  // namespace rebound::app
