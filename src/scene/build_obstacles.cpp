// Obstacles from their description, where they are when, and which points of the bodies bump into them.
#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

#include "mesh/error.hpp"
#include "mesh/obj.hpp"
#include "scene/build_obstacles.hpp"
#include "sim/collide/surface_distance.hpp"

namespace rebound::scene {
namespace {

Eigen::Quaterniond turn(const Rotation& rotation) {
  if (rotation.angle == 0) return Eigen::Quaterniond::Identity();
  return Eigen::Quaterniond(
      Eigen::AngleAxisd(rotation.angle * std::numbers::pi / 180, to_eigen(rotation.axis).normalized()));
}

// Between turns about one axis the angle is interpolated, however large; else the shortest way is taken.
Eigen::Quaterniond turn_between(const Rotation& a, const Rotation& b, double s) {
  const Vec3& axis = a.angle == 0 ? b.axis : a.axis;
  const sim::Vec3 from = to_eigen(axis).normalized(), to = to_eigen(b.angle == 0 ? axis : b.axis).normalized();
  if (from == to) return turn({axis, (1 - s) * a.angle + s * b.angle});
  return turn(a).slerp(s, turn(b));
}

sim::Pose moved(const Eigen::Quaterniond& turned, const sim::Vec3& offset, const sim::Pose& start) {
  const Eigen::Matrix3d R = turned.toRotationMatrix();
  return {R * start.R, start.t + offset};
}

struct BuildShape {
  const MeshSurfaces& surfaces;
  double scale;

  sim::Shape operator()(const PlaneShape&) const { return sim::Plane{}; }
  sim::Shape operator()(const SphereShape& sphere) const { return sim::Sphere{scale * sphere.radius}; }
  sim::Shape operator()(const BoxShape& box) const { return sim::Box{0.5 * scale * to_eigen(box.size)}; }
  sim::Shape operator()(const CapsuleShape& capsule) const {
    return sim::Capsule{scale * capsule.radius, 0.5 * scale * capsule.length};
  }
  sim::Shape operator()(const TorusShape& torus) const { return sim::Torus{scale * torus.radius, scale * torus.tube}; }
  sim::Shape operator()(const MeshShape& mesh) const { return sim::TriangleSolid{surfaces.at({mesh.file, scale})}; }
};

// The shortest turn that takes the y axis to `normal`. Eigen's FromTwoVectors is that too, but takes eight seconds to
// compile for the one case that it solves by an SVD.
Eigen::Quaterniond turn_from_y(const sim::Vec3& normal) {
  const double c = normal.y();
  if (c < -1 + 1e-12) return {0, 1, 0, 0};
  const double s = std::sqrt((1 + c) * 2);
  const sim::Vec3 axis = sim::Vec3::UnitY().cross(normal) * (1 / s);
  return {s * 0.5, axis.x(), axis.y(), axis.z()};
}

sim::Pose start_pose(const Obstacle& obstacle) {
  sim::Pose pose{turn(obstacle.transform.rotate).toRotationMatrix(), to_eigen(obstacle.transform.translate)};
  if (const auto* plane = std::get_if<PlaneShape>(&obstacle.shape)) {
    const sim::Vec3 normal = to_eigen(plane->normal).normalized();
    pose.t += pose.R * (obstacle.transform.scale * plane->offset * normal);
    pose.R *= turn_from_y(normal).toRotationMatrix();
  }
  return pose;
}

// The lattice's spacing: its shortest edge.
double spacing(const BodyGeometry& geometry) {
  double shortest = INFINITY;
  for (const auto& tet : geometry.tetrahedra())
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b)
        shortest = std::min(shortest, (geometry.rest.row(tet[a]) - geometry.rest.row(tet[b])).norm());
  return shortest;
}

}  // namespace

sim::Pose obstacle_pose(const Obstacle& obstacle, double time) {
  const sim::Pose start = start_pose(obstacle);
  const auto& motion = obstacle.motion;
  if (motion.empty()) return start;
  std::size_t next = 0;
  while (next < motion.size() && motion[next].time <= time) ++next;
  const PoseKeyframe &a = motion[next == 0 ? 0 : next - 1], &b = motion[std::min(next, motion.size() - 1)];
  const double s = a.time == b.time ? 0 : (time - a.time) / (b.time - a.time);
  return moved(turn_between(a.rotate, b.rotate, s), (1 - s) * to_eigen(a.offset) + s * to_eigen(b.offset), start);
}

std::shared_ptr<const sim::SurfaceDistance> load_surface(const MeshShape& shape, double scale,
                                                         const mesh::Progress& progress) {
  const mesh::Surface read = mesh::read_obj(shape.file, nullptr, progress);
  std::string reason;
  auto surface = sim::SurfaceDistance::make(scale * read.points, read.triangles, reason);
  if (!surface)
    throw InputError(shape.file.string() + ": " + reason +
                     "; an obstacle needs a closed surface whose triangles face outwards");
  return surface;
}

MeshSurfaces load_surfaces(const Description& description, const mesh::Progress& progress) {
  MeshSurfaces surfaces;
  for (std::size_t o = 0; o < description.obstacles.size(); ++o) {
    const Obstacle& obstacle = description.obstacles[o];
    const auto* shape = std::get_if<MeshShape>(&obstacle.shape);
    if (shape == nullptr) continue;
    auto& surface = surfaces[{shape->file, obstacle.transform.scale}];
    if (surface) continue;
    try {
      surface = load_surface(*shape, obstacle.transform.scale, progress);
    } catch (const InputError& error) {
      throw InputError(description.place("/obstacles/" + std::to_string(o) + "/mesh/file: ") + error.what());
    }
  }
  return surfaces;
}

sim::Obstacle build_obstacle(const Obstacle& obstacle, const MeshSurfaces& surfaces, double time) {
  const sim::Pose pose = obstacle_pose(obstacle, time);
  sim::Obstacle built{std::visit(BuildShape{surfaces, obstacle.transform.scale}, obstacle.shape), pose, pose,
                      obstacle.stiffness, obstacle.friction};
  built.constraint = obstacle.is_constraint();
  if (obstacle.is_cubic()) built.cubic = obstacle.cubicStiffness;
  return built;
}

std::vector<sim::Obstacle> build_obstacles(const Description& description, const MeshSurfaces& surfaces) {
  std::vector<sim::Obstacle> obstacles;
  for (const Obstacle& obstacle : description.obstacles) obstacles.push_back(build_obstacle(obstacle, surfaces));
  return obstacles;
}

namespace {

// The outermost point of the surface in each cell of a grid: its corners, and of a fine surface no more than make a
// difference, as none of them can move on its own.
std::vector<sim::BodyPoint> outermost_points(const BodyGeometry& geometry) {
  constexpr double kCellsAcross = 24;
  const mesh::Points& at = geometry.surface.points;
  const Eigen::RowVector3d low = at.colwise().minCoeff(), high = at.colwise().maxCoeff();
  const double cell = (high - low).maxCoeff() / kCellsAcross;
  std::map<std::array<int, 3>, std::pair<double, std::size_t>> cells;  // how far from the middle, which point
  for (Eigen::Index i = 0; i < at.rows(); ++i) {
    std::array<int, 3> key;
    for (int c = 0; c < 3; ++c) key[c] = static_cast<int>(std::floor((at(i, c) - low[c]) / cell));
    const double off = (at.row(i) - 0.5 * (low + high)).squaredNorm();
    const auto [place, is_new] = cells.try_emplace(key, off, static_cast<std::size_t>(i));
    if (!is_new && off > place->second.first) place->second = {off, static_cast<std::size_t>(i)};
  }
  std::vector<sim::BodyPoint> points;
  for (const auto& [key, outermost] : cells)
    points.push_back({geometry.embedding.vertices[outermost.second], geometry.embedding.weights[outermost.second]});
  return points;
}

}  // namespace

std::vector<sim::BodyPoint> colliding_points(const BodyGeometry& geometry) {
  if (geometry.is_affine()) return outermost_points(geometry);
  const std::vector<std::array<int, 4>>& vertices = geometry.embedding.vertices;
  const std::vector<std::array<double, 4>>& weights = geometry.embedding.weights;
  const auto at_vertex = [&](std::size_t i) { return weights[i][0] == 1; };
  std::vector<sim::BodyPoint> points;
  std::map<std::array<int, 3>, std::pair<double, std::size_t>> cells;  // how far from its middle, which point
  const double cell = geometry.is_solid() ? spacing(geometry) : 1;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (at_vertex(i)) {
      points.push_back({vertices[i], weights[i]});
      continue;
    }
    std::array<int, 3> key;
    double off = 0;
    for (int c = 0; c < 3; ++c) {
      const double at = geometry.surface.points(static_cast<Eigen::Index>(i), c) / cell;
      key[c] = static_cast<int>(std::floor(at));
      off += std::pow(at - key[c] - 0.5, 2);
    }
    const auto [place, is_new] = cells.try_emplace(key, off, i);
    if (!is_new && off < place->second.first) place->second = {off, i};
  }
  for (const auto& [key, nearest] : cells) points.push_back({vertices[nearest.second], weights[nearest.second]});
  return points;
}

}  // namespace rebound::scene
