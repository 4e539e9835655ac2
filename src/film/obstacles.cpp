#include "film/obstacles.hpp"

#include <algorithm>
#include <cmath>

#include "sim/collide/surface_distance.hpp"

namespace rebound::film {
namespace {

constexpr float kGhostOpacity = 0.3f;
constexpr float kMark = 0.4f;  // of the hand's colour

// Of a shape that is so thick, no more than this share goes.
constexpr double kMostSkin = 0.05;

// Each point goes against the normals of the faces around it.
void shrink(render::Shape& shape, float skin) {
  const auto point = [&](int v) {
    return Eigen::Map<Eigen::Vector3f>(shape.positions.data() + 3 * static_cast<std::size_t>(v));
  };
  std::vector<Eigen::Vector3f> normals(shape.positions.size() / 3, Eigen::Vector3f::Zero());
  for (const auto& [a, b, c] : shape.triangles) {
    const Eigen::Vector3f normal = (point(b) - point(a)).cross(point(c) - point(a));
    for (const int v : {a, b, c}) normals[static_cast<std::size_t>(v)] += normal;
  }
  for (std::size_t v = 0; v < normals.size(); ++v)
    if (normals[v].norm() > 0) point(static_cast<int>(v)) -= skin * normals[v].normalized();
}

struct TrianglesOf {
  double skin;

  double within(double size) const { return size - std::min(skin, kMostSkin * size); }
  render::Shape operator()(const sim::Plane&) const { return {}; }
  render::Shape operator()(const sim::Sphere& s) const {
    return render::make_sphere(static_cast<float>(within(s.radius)), 24);
  }
  render::Shape operator()(const sim::Box& b) const {
    const Eigen::Vector3d size = 2 * b.half.unaryExpr([this](double half) { return within(half); });
    return render::make_box(size.cast<float>());
  }
  render::Shape operator()(const sim::Capsule& c) const {
    const auto end = static_cast<float>(c.half_length);
    return render::make_capsule({0, -end, 0}, {0, end, 0}, static_cast<float>(within(c.radius)), 20);
  }
  render::Shape operator()(const sim::Torus& t) const {
    return render::make_torus(static_cast<float>(t.radius), static_cast<float>(within(t.tube)));
  }
  render::Shape operator()(const sim::TriangleSolid& solid) const {
    const sim::Points& points = solid.surface->points();
    render::Shape shape;
    shape.positions.reserve(static_cast<std::size_t>(points.size()));
    for (Eigen::Index i = 0; i < points.rows(); ++i)
      for (int c = 0; c < 3; ++c) shape.positions.push_back(static_cast<float>(points(i, c)));
    shape.triangles = solid.surface->triangles();
    const sim::Vec3 sizes = points.colwise().maxCoeff() - points.colwise().minCoeff();
    shrink(shape, static_cast<float>(std::min(skin, kMostSkin * sizes.minCoeff())));
    return shape;
  }
};

std::vector<float> placed(const render::Shape& local, const sim::Pose& pose) {
  std::vector<float> positions(local.positions.size());
  for (std::size_t i = 0; i + 2 < positions.size(); i += 3) {
    const float* p = local.positions.data() + i;
    const sim::Vec3 at = pose.apply({p[0], p[1], p[2]});
    for (std::size_t c = 0; c < 3; ++c) positions[i + c] = static_cast<float>(at[static_cast<Eigen::Index>(c)]);
  }
  return positions;
}

}  // namespace

render::Shape triangles_of(const sim::Shape& shape, double skin) { return std::visit(TrianglesOf{skin}, shape); }

render::PlaneView Obstacles::plane_of(const Solid& solid) const {
  const sim::Pose& pose = solid.seen.pose;
  const sim::Vec3 normal = pose.R.col(1);
  render::PlaneView plane{normal.cast<float>(), static_cast<float>(normal.dot(pose.t)) - skin_};
  plane.is_solid = true;
  return plane;
}

void Obstacles::update(const session::Snapshot& moment) {
  solids_.resize(moment.obstacles.size());
  for (std::size_t i = 0; i < solids_.size(); ++i) {
    Solid& solid = solids_[i];
    const auto& seen = moment.obstacles[i];
    const bool is_new = solid.local.triangles.empty() || !(seen.shape == solid.seen.shape);
    const bool moved = is_new || !(seen.pose == solid.seen.pose) || !(seen.goal == solid.seen.goal);
    solid.seen = seen;
    if (is_new) build(solid);
    if (moved) place(solid);
  }
}

void Obstacles::build(Solid& solid) const {
  solid.local = triangles_of(solid.seen.shape, skin_);
  solid.mesh.reset();
  solid.ghost.reset();
  if (!solid.local.triangles.empty())
    solid.mesh = std::make_unique<render::BodyMesh>(solid.local.positions, solid.local.triangles);
}

void Obstacles::place(Solid& solid) {
  if (!solid.mesh) return;
  solid.positions = placed(solid.local, solid.seen.pose);
  solid.mesh->update(solid.positions);
  if (solid.seen.goal == solid.seen.pose) return solid.ghost.reset();
  if (!solid.ghost) solid.ghost = std::make_unique<render::BodyMesh>(solid.local.positions, solid.local.triangles);
  solid.ghost->update(placed(solid.local, solid.seen.goal));
}

void Obstacles::add_solids(render::View& view, std::optional<int> marked) const {
  for (std::size_t i = 0; i < solids_.size(); ++i) {
    if (!solids_[i].mesh) continue;
    render::BodyView body;
    body.mesh = solids_[i].mesh.get();
    body.color = view.theme->obstacle;
    if (marked && static_cast<std::size_t>(*marked) == i) body.color = mix(body.color, view.theme->grab, kMark);
    view.bodies.push_back(body);
    if (!solids_[i].ghost) continue;
    body.mesh = solids_[i].ghost.get();
    body.opacity = kGhostOpacity;
    view.bodies.push_back(body);
  }
}

bool Obstacles::add_planes(render::View& view, std::optional<int> marked) const {
  const auto first = static_cast<std::ptrdiff_t>(view.planes.size());
  for (std::size_t i = 0; i < solids_.size(); ++i) {
    if (!std::holds_alternative<sim::Plane>(solids_[i].seen.shape)) continue;
    view.planes.push_back(plane_of(solids_[i]));
    view.planes.back().is_marked = marked && static_cast<std::size_t>(*marked) == i;
  }
  std::stable_sort(view.planes.begin() + first, view.planes.end(),
                   [](const auto& a, const auto& b) { return a.normal.y() > b.normal.y(); });
  return static_cast<std::ptrdiff_t>(view.planes.size()) > first;
}

render::Box Obstacles::bounds() const {
  render::Box box;
  for (const Solid& solid : solids_)
    if (solid.mesh) box.extend(solid.mesh->bounds());
  return box;
}

std::vector<render::Box> Obstacles::of_the_size_of(const render::Box& bodies) const {
  constexpr float kAlike = 2.5f;  // in sizes of the bodies
  std::vector<render::Box> alike;
  if (bodies.isEmpty()) return alike;
  for (const Solid& solid : solids_)
    if (solid.mesh && solid.mesh->bounds().diagonal().norm() < kAlike * bodies.diagonal().norm())
      alike.push_back(solid.mesh->bounds());
  return alike;
}

render::Box Obstacles::stage_of(const render::Box& bodies) const {
  constexpr float kNear = 3;  // in sizes of the bodies
  render::Box stage;
  if (bodies.isEmpty()) return stage;
  const float size = bodies.diagonal().norm();
  for (const render::Box& box : of_the_size_of(bodies))
    if (box.exteriorDistance(bodies) < kNear * size) stage.extend(box);
  for (const Solid& solid : solids_) {
    if (solid.mesh) continue;
    const render::PlaneView plane = plane_of(solid);
    for (int i = 0; i < 8; ++i) {
      const render::Vec3 corner = bodies.corner(static_cast<render::Box::CornerType>(i));
      const float height = plane.normal.dot(corner) - plane.offset, slope = plane.normal.y();
      if (slope > 0.1f && height > 0 && height < kNear * size)
        stage.extend(corner - height / slope * render::Vec3::UnitY());
    }
  }
  return stage;
}

std::optional<Obstacles::Met> Obstacles::pick(const render::Ray& ray, bool planes_too) const {
  std::optional<Met> best;
  float nearest = INFINITY;
  const auto take = [&](std::size_t i, float distance) {
    if (!(distance >= 0 && distance < nearest)) return;
    nearest = distance;
    best = {static_cast<int>(i), ray.at(distance)};
  };
  for (std::size_t i = 0; i < solids_.size(); ++i) {
    const Solid& solid = solids_[i];
    if (solid.mesh) {
      if (const auto hit = render::pick(ray, solid.positions, solid.local.triangles)) take(i, hit->distance);
    } else if (planes_too) {
      const render::PlaneView plane = plane_of(solid);
      take(i, (plane.offset - plane.normal.dot(ray.origin)) / plane.normal.dot(ray.direction));
    }
  }
  return best;
}

}  // namespace rebound::film
