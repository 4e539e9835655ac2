#include "app/hand.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/settings.hpp"
#include "render/pick.hpp"
#include "scene/ranges.hpp"

namespace rebound::app {

using film::position;

namespace {

constexpr float kNetReach = 14;  // points from a vertex of a net at which a press still takes it

bool same(const session::SurfacePoint& a, const session::SurfacePoint& b) {
  return a.body == b.body && a.vertex == b.vertex;
}

/// As a drag of so many pixels turns it: half a turn for the picture's height, as the view itself is turned.
scene::Rotation turned(const scene::Rotation& rotation, const render::Camera& camera, const Vec2& pixels) {
  const sim::Vec3 axis(rotation.axis[0], rotation.axis[1], rotation.axis[2]);
  const double radian = std::numbers::pi / 180, a_pixel = std::numbers::pi / camera.height();
  const sim::Vec3 up = camera.up().cast<double>(), right = camera.right().cast<double>();
  const Eigen::AngleAxisd turn(Eigen::AngleAxisd(a_pixel * pixels.x(), up) *
                               Eigen::AngleAxisd(a_pixel * pixels.y(), right) *
                               Eigen::AngleAxisd(rotation.angle * radian, axis.normalized()));
  return {{turn.axis()[0], turn.axis()[1], turn.axis()[2]}, turn.angle() / radian};
}

/// By so many rad about an axis of the world.
scene::Rotation turned(const scene::Rotation& rotation, int axis, double angle) {
  const sim::Vec3 before(rotation.axis[0], rotation.axis[1], rotation.axis[2]);
  const double radian = std::numbers::pi / 180;
  const sim::Vec3 about = sim::Vec3::Unit(axis);
  const double parallel = before.normalized().dot(about);
  // About the axis that it was turned about already, the angle alone changes, and whole turns are kept.
  if (rotation.angle == 0 || std::abs(parallel) > 1 - 1e-12)
    return {{about[0], about[1], about[2]}, rotation.angle * (parallel < 0 ? -1 : 1) + angle / radian};
  const Eigen::AngleAxisd turn(Eigen::AngleAxisd(angle, about) *
                               Eigen::AngleAxisd(rotation.angle * radian, before.normalized()));
  return {{turn.axis()[0], turn.axis()[1], turn.axis()[2]}, turn.angle() / radian};
}

bool contains(const std::vector<session::SurfacePoint>& points, const session::SurfacePoint& point) {
  return std::any_of(points.begin(), points.end(), [&](const auto& p) { return same(p, point); });
}

}  // namespace

std::optional<Picked> Hand::pick_net(std::size_t body, const session::Snapshot& moment, const Vec2& pixel,
                                     float pixel_ratio) const {
  std::optional<Picked> best;
  float nearest = kNetReach * pixel_ratio;
  const int points = static_cast<int>(moment.surfaces[body].size() / 3);
  for (int i = 0; i < points; ++i) {
    const session::SurfacePoint point{static_cast<int>(body), i};
    const render::Vec3 at = position(moment, point);
    const render::Projected seen = canvas_.camera().project(at);
    const float distance = (seen.pixel - pixel).norm();
    if (seen.depth <= 0 || !(distance < nearest)) continue;
    nearest = distance;
    best = {point, at};
  }
  return best;
}

std::optional<Picked> Hand::pick(const session::Snapshot& moment, const Vec2& pixel, float pixel_ratio) const {
  const render::Ray ray = canvas_.camera().ray(pixel);
  std::optional<Picked> best;
  float nearest = INFINITY;
  for (std::size_t body = 0; body < canvas_.picture().body_count(); ++body) {
    const DrawnSurface surface = canvas_.surface(body, moment);
    std::optional<Picked> picked;
    if (surface.triangles.empty()) {
      picked = pick_net(body, moment, pixel, pixel_ratio);
    } else if (const auto hit = render::pick(ray, surface.positions, surface.triangles)) {
      const auto& triangle = surface.triangles[static_cast<std::size_t>(hit->triangle)];
      picked = {{static_cast<int>(body), triangle[static_cast<std::size_t>(hit->nearest_corner())]},
                ray.at(hit->distance)};
    }
    if (!picked) continue;
    const float distance = (picked->at - ray.origin).norm();
    if (distance >= nearest) continue;
    nearest = distance;
    best = picked;
  }
  return best;
}

std::optional<film::Obstacles::Met> Hand::pick_obstacle(const Stage& stage, const Vec2& pixel, float pixel_ratio,
                                                        bool planes_too) const {
  const render::Ray ray = canvas_.camera().ray(pixel);
  const auto met = canvas_.obstacles(stage.pointed()).pick(ray, planes_too);
  if (!met) return std::nullopt;
  const auto body = pick(stage.pointed_moment(), pixel, pixel_ratio);
  if (body && (body->at - ray.origin).norm() < (met->at - ray.origin).norm()) return std::nullopt;
  return met;
}

// An obstacle's place: of a mesh, the middle of what is seen would move as it turns.
render::Vec3 Hand::gizmo_centre(const Stage& stage, int obstacle) {
  return stage.pointed_moment().obstacles[static_cast<std::size_t>(obstacle)].goal.t.cast<float>();
}

std::optional<GizmoPart> Hand::pick_gizmo(const Stage& stage, const Vec2& pixel, float pixel_ratio) const {
  const auto& now = stage.pointed_moment();
  const auto count = std::min(now.obstacles.size(), now.description.obstacles.size());
  if (chosen_ < 0 || static_cast<std::size_t>(chosen_) >= count) return std::nullopt;
  return Gizmo(canvas_.camera(), gizmo_centre(stage, chosen_), pixel_ratio).pick(pixel);
}

void Hand::carry_out(const Gesture& gesture, Stage& stage, Settings& settings, float pixel_ratio) {
  render::Camera& camera = canvas_.camera();
  switch (gesture.kind) {
    case Gesture::Kind::orbit:
      camera.orbit(gesture.to - gesture.from);
      break;
    case Gesture::Kind::pan:
      canvas_.set_follows(false);
      camera.pan(gesture.from, gesture.to);
      break;
    case Gesture::Kind::zoom: {
      canvas_.set_follows(false);
      const auto picked = pick(stage.pointed_moment(), gesture.at(), pixel_ratio);
      picked ? camera.zoom(gesture.factor, gesture.at(), picked->at) : camera.zoom(gesture.factor, gesture.at());
      break;
    }
    case Gesture::Kind::grab:
      if (!grab_gizmo(gesture, stage, pixel_ratio) && !grab_obstacle(gesture, stage, pixel_ratio))
        grab(gesture, stage, settings, pixel_ratio);
      break;
    case Gesture::Kind::move_grab:
      if (dragged_) drag_obstacle(gesture, stage);
      if (held_) {
        held_->grab.target = camera.point_at_depth(gesture.to, held_->plane).cast<double>();
        stage.post(session::MoveGrab{held_->grab.target});
      }
      break;
    case Gesture::Kind::widen_grab:
      widen(gesture, stage, settings);
      break;
    case Gesture::Kind::release_grab:
      if (held_) stage.post(session::Release{});
      let_go_ = let_go_ || held_;
      held_.reset();
      dragged_.reset();
      break;
    case Gesture::Kind::toggle_pin:
      toggle_pin(gesture, stage, pixel_ratio);
      break;
    case Gesture::Kind::centre:
      canvas_.set_follows(false);
      if (const auto picked = pick(stage.pointed_moment(), gesture.at(), pixel_ratio)) camera.focus(picked->at);
      break;
    case Gesture::Kind::box_pin:
      box(gesture, stage, true);
      break;
    case Gesture::Kind::box_unpin:
      box(gesture, stage, false);
      break;
    case Gesture::Kind::box_region:
      asked_region_ = PixelBox{gesture.from, gesture.to};
      mark_region(stage);
      break;
  }
}

// The spring begins without length: taking hold alone moves nothing and does no work.
void Hand::grab(const Gesture& gesture, Stage& stage, const Settings& settings, float pixel_ratio) {
  const auto picked = pick(stage.pointed_moment(), gesture.at(), pixel_ratio);
  if (!picked) return;
  const render::Vec3 at = position(stage.pointed_moment(), picked->point);
  held_ = {at, {picked->point, at.cast<double>(), settings.grab_strength, grab_radius(picked->point.body, settings)}};
  stage.post(held_->grab);
}

// From the point to a ball around it, and back, a hundredth of the body's size a notch; where the hand is, it stays.
void Hand::widen(const Gesture& gesture, Stage& stage, Settings& settings) {
  if (!held_) return;
  constexpr double kNotch = 0.01;
  const scene::Range& range = scene::range("grab.reach");
  settings.grab_reach = std::clamp(settings.grab_reach + kNotch * gesture.factor, range.min, range.max);
  held_->grab.radius = grab_radius(held_->grab.point.body, settings);
  stage.post(held_->grab);
}

double Hand::grab_radius(int body, const Settings& settings) const {
  const mesh::Points& points = canvas_.picture().geometry(static_cast<std::size_t>(body)).surface.points;
  if (points.rows() == 0) return 0;
  return settings.grab_reach * (points.colwise().maxCoeff() - points.colwise().minCoeff()).norm();
}

bool Hand::grab_gizmo(const Gesture& gesture, const Stage& stage, float pixel_ratio) {
  const auto part = pick_gizmo(stage, gesture.at(), pixel_ratio);
  if (!part) return false;
  const render::Vec3 centre = gizmo_centre(stage, chosen_);
  const auto& obstacle = stage.pointed_moment().description.obstacles[static_cast<std::size_t>(chosen_)];
  dragged_ = {chosen_, centre, gesture.at(), obstacle.transform, part->turns, {}, part, centre, gesture.at(), 0};
  return true;
}

bool Hand::grab_obstacle(const Gesture& gesture, const Stage& stage, float pixel_ratio) {
  const auto met = pick_obstacle(stage, gesture.at(), pixel_ratio, gesture.ctrl);
  const auto& now = stage.pointed_moment();
  if (!met || static_cast<std::size_t>(met->obstacle) >= now.description.obstacles.size()) return false;
  const auto index = static_cast<std::size_t>(met->obstacle);
  dragged_ = {met->obstacle, met->at, gesture.at(), now.description.obstacles[index].transform, gesture.ctrl};
  if (std::holds_alternative<sim::Plane>(now.obstacles[index].shape)) {
    dragged_->along = now.obstacles[index].pose.R.col(1);
    dragged_->turns = false;
  }
  return true;
}

// Moved in the picture's plane, or turned as a ball under the hand.
void Hand::drag_obstacle(const Gesture& gesture, Stage& stage) {
  const render::Camera& camera = canvas_.camera();
  session::MoveObstacle move{dragged_->obstacle, dragged_->start.translate, dragged_->start.rotate};
  if (const auto& part = dragged_->part) {
    const Gizmo gizmo(camera, dragged_->centre, 1);
    if (part->turns) {
      dragged_->angle += gizmo.turned(part->axis, std::exchange(dragged_->last, gesture.to), gesture.to);
      move.rotate = turned(move.rotate, part->axis, dragged_->angle);
    } else {
      move.translate[static_cast<std::size_t>(part->axis)] += gizmo.moved(part->axis, dragged_->from, gesture.to);
    }
  } else if (dragged_->turns) {
    move.rotate = turned(move.rotate, camera, gesture.to - dragged_->from);
  } else {
    sim::Vec3 way = (camera.point_at_depth(gesture.to, dragged_->at) - dragged_->at).cast<double>();
    if (dragged_->along) way = way.dot(*dragged_->along) * *dragged_->along;
    for (std::size_t c = 0; c < 3; ++c) move.translate[c] += way[static_cast<Eigen::Index>(c)];
  }
  stage.post(move);
}

void Hand::toggle_pin(const Gesture& gesture, Stage& stage, float pixel_ratio) {
  // What an obstacle hides is not meant.
  if (pick_obstacle(stage, gesture.at(), pixel_ratio, false)) return;
  const auto picked = pick(stage.pointed_moment(), gesture.at(), pixel_ratio);
  if (!picked) return;
  is_pinned(stage.pointed_moment(), picked->point) ? unpin({picked->point}, stage) : pin({picked->point}, stage);
}

void Hand::box(const Gesture& gesture, Stage& stage, bool pins) {
  std::vector<DrawnSurface> surfaces;
  for (std::size_t body = 0; body < canvas_.picture().body_count(); ++body)
    surfaces.push_back(canvas_.surface(body, stage.pointed_moment()));
  const auto visible = visible_points(canvas_.camera(), surfaces, {gesture.from, gesture.to});
  std::vector<session::SurfacePoint> points;
  for (std::size_t body = 0; body < visible.size(); ++body)
    for (const int vertex : visible[body]) points.push_back({static_cast<int>(body), vertex});
  if (points.empty()) return;
  pins ? pin(points, stage) : unpin(points, stage);
}

void Hand::pin(const std::vector<session::SurfacePoint>& points, Stage& stage) {
  for (const auto& point : points)
    if (!contains(pins_, point)) pins_.push_back(point);
  canvas_.set_pins(pins_);
  stage.post(session::Pin{points});
}

void Hand::unpin(const std::vector<session::SurfacePoint>& points, Stage& stage) {
  std::erase_if(pins_, [&](const auto& pin) { return contains(points, pin); });
  canvas_.set_pins(pins_);
  stage.post(session::Unpin{points});
}

void Hand::unpin_all(Stage& stage) {
  pins_.clear();
  canvas_.set_pins({});
  stage.post(session::UnpinAll{});
}

// All the way through: tetrahedra whose middle is seen in the box.
void Hand::mark_region(Stage& stage) {
  const session::Snapshot& now = stage.pointed_moment();
  if (now.vertices.empty()) return;
  const PixelBox box = *std::exchange(asked_region_, std::nullopt);
  int first = 0;
  for (std::size_t b = 0; b < now.bodies.size(); ++b) {
    const scene::BodyGeometry& geometry = now.bodies[b];
    scene::MaterialRegion region;
    if (geometry.is_solid() && !geometry.is_affine())
      region.elements =
          tetrahedra_in(canvas_.camera(), std::span(now.vertices).subspan(3 * static_cast<std::size_t>(first)),
                        geometry.tetrahedra(), box);
    first += geometry.vertices();
    if (const auto* found = std::get_if<std::vector<int>>(&region.elements); found == nullptr || found->empty())
      continue;
    const scene::Body& body = now.description.bodies[b];
    // Stiffer, so that there is something to see; the panel has the rest.
    constexpr double kStiffer = 10;
    region.numbers["young"] = std::min(kStiffer * body.material.young, scene::range("material.young").max);
    session::SetRegions set{static_cast<int>(b), body.regions};
    set.regions.push_back(std::move(region));
    stage.post(std::move(set));
  }
}

void Hand::follow(Stage& stage) {
  if (asked_region_) mark_region(stage);
  let_go_of_the_past(stage);
  const auto& pinned = stage.now().pinned_vertices;
  if (pinned.size() == std::exchange(pinned_, pinned.size())) return;
  const auto& bodies = stage.now().bodies;
  const auto is_gone = [&](const session::SurfacePoint& point) {
    int first = 0;
    for (int body = 0; body < point.body; ++body) first += bodies[static_cast<std::size_t>(body)].vertices();
    const auto& embedding = bodies[static_cast<std::size_t>(point.body)].embedding;
    const auto& carriers = embedding.vertices[static_cast<std::size_t>(point.vertex)];
    return std::none_of(carriers.begin(), carriers.end(),
                        [&](int carrier) { return std::binary_search(pinned.begin(), pinned.end(), first + carrier); });
  };
  if (std::erase_if(pins_, is_gone) > 0) canvas_.set_pins(pins_);
}

// Who has gone on from a moment in which something was held has no button pressed: nothing would ever let it go.
void Hand::let_go_of_the_past(Stage& stage) {
  if (!stage.now().grab) let_go_ = false;
  if (!stage.now().grab || held_ || let_go_) return;
  if (stage.paused() || stage.in_the_past() || stage.moment().replaying) return;
  stage.post(session::Release{});
  let_go_ = true;
}

void Hand::forget() {
  let_go_ = false;
  held_.reset();
  dragged_.reset();
  asked_region_.reset();
  pins_.clear();
  pinned_ = 0;
}

// A surface point that is a vertex of the simulation is where a fixed vertex is; one that hangs between vertices is
// known to be pinned only by who pinned it.
bool Hand::is_pinned(const session::Snapshot& moment, const session::SurfacePoint& point) const {
  if (contains(pins_, point)) return true;
  const render::Vec3 at = position(moment, point);
  const float near = 1e-5f * canvas_.picture().bounds().diagonal().norm();
  return std::any_of(moment.pinned.begin(), moment.pinned.end(),
                     [&](const auto& pinned) { return (pinned.template cast<float>() - at).norm() < near; });
}

}  // namespace rebound::app
