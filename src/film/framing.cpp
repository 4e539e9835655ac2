#include "film/framing.hpp"

#include <algorithm>
#include <cmath>

#include "film/picture.hpp"

namespace rebound::film {
namespace {

// A body that has grown beyond this many times its size has exploded, unless its edges have not: a coil runs out.
constexpr float kExploded = 3;
// What is squeezed to less than this share of its size is about to have it again.
constexpr float kSqueezed = 0.5f;
// Room that is left about a motion that has outgrown its frame, so that the view need not move for each swing.
constexpr float kSpare = 0.04f;
// A motion that takes more than this many times the default view is no longer shown whole: the view goes along.
constexpr float kWhole = 3;
// Bodies that take more than this many times the room in which they began have scattered.
constexpr float kScattered = 2;
constexpr float kSettling = 0.35f;  // s, in which two thirds of the way are gone
constexpr float kThere = 2e-3f;     // of the distance: nobody sees less

render::Box grown(const render::Box& box, float share) {
  const render::Vec3 room = share * box.diagonal().norm() * render::Vec3::Ones();
  return {box.min() - room, box.max() + room};
}

render::Box rest_box(const scene::BodyGeometry& body) {
  render::Box box;
  const mesh::Points& rest = body.is_affine() ? body.numbered : body.rest;
  for (Eigen::Index i = 0; i < rest.rows(); ++i) box.extend(rest.row(i).transpose().cast<float>());
  return box;
}

// place(v): where a point of the surface is.
template <class Place>
float longest_edge(const scene::BodyGeometry& body, const Place& place) {
  float squared = 0;
  const auto add = [&](int a, int b) { squared = std::max(squared, (place(a) - place(b)).squaredNorm()); };
  for (const auto& [a, b, c] : body.surface.triangles) {
    add(a, b);
    add(b, c);
    add(c, a);
  }
  if (body.surface.triangles.empty() && body.surface.points.rows() == body.vertices())
    for (const auto& edge : body.edges()) add(edge[0], edge[1]);
  return std::sqrt(squared);
}

float longest_edge(const scene::BodyGeometry& body, const std::vector<float>& surface) {
  return longest_edge(body, [&](int v) { return render::Vec3(surface.data() + 3 * static_cast<std::size_t>(v)); });
}

}  // namespace

render::Box box_of(const session::Snapshot& moment, std::size_t body) {
  render::Box box;
  const std::vector<float>& surface = moment.surfaces[body];
  for (std::size_t i = 0; i + 2 < surface.size(); i += 3)
    box.extend(render::Vec3(surface[i], surface[i + 1], surface[i + 2]));
  return box;
}

render::Box starting_room(const scene::BodyList& bodies, const session::Snapshot& start) {
  render::Box room;
  for (std::size_t i = 0; i < bodies.size() && i < start.surfaces.size(); ++i) {
    render::Box box = box_of(start, i);
    const render::Box rest = rest_box(bodies[i]);
    if (!box.isEmpty() && box.diagonal().norm() < kSqueezed * rest.diagonal().norm()) {
      // However it will lie.
      const render::Vec3 half = 0.5f * rest.sizes().maxCoeff() * render::Vec3::Ones(), centre = box.center();
      box = render::Box(centre - half, centre + half);
    }
    room.extend(box);
  }
  return room;
}

// ---- what is seen ----

MotionRoom::MotionRoom(const scene::BodyList& bodies, const session::Snapshot& start)
    : all_(starting_room(bodies, start)), now_(all_) {
  at_the_start_ = all_.isEmpty() ? 0 : all_.diagonal().norm();
  for (std::size_t i = 0; i < bodies.size() && i < start.surfaces.size(); ++i) {
    const render::Box box = box_of(start, i);
    const scene::BodyGeometry& body = bodies[i];
    const float at_rest =
        longest_edge(body, [&](int v) { return render::Vec3(body.surface.points.row(v).transpose().cast<float>()); });
    bodies_.push_back({bodies.shared(i),
                       std::max(rest_box(body).diagonal().norm(), box.isEmpty() ? 0 : box.diagonal().norm()),
                       std::max(at_rest, longest_edge(body, start.surfaces[i]))});
  }
}

bool MotionRoom::is_exploded(const Body& body, const session::Snapshot& moment, std::size_t at,
                             const render::Box& box) {
  const float size = box.diagonal().norm();
  if (size <= kExploded * body.size) return false;
  const bool has_edges = body.longest_edge > 0;
  return !std::isfinite(size) || !has_edges ||
         longest_edge(*body.geometry, moment.surfaces[at]) > kExploded * body.longest_edge;
}

bool MotionRoom::take(const session::Snapshot& moment) {
  if (!moment.failure.empty() || moment.record.times_its_target() > session::kRunsAway) return false;
  render::Box now;
  std::vector<render::Box> boxes;
  for (std::size_t i = 0; i < bodies_.size() && i < moment.surfaces.size(); ++i) {
    const render::Box box = box_of(moment, i);
    if (box.isEmpty()) continue;
    if (is_exploded(bodies_[i], moment, i, box)) return false;
    boxes.push_back(box);
    now.extend(box);
  }
  if (now.isEmpty()) return true;
  all_.extend(now);
  now_ = now.diagonal().norm() > kScattered * at_the_start_ ? together(std::move(boxes)) : now;
  return true;
}

render::Box MotionRoom::together(std::vector<render::Box> boxes) const {
  const std::size_t most = boxes.size() - boxes.size() / 4, half = (boxes.size() + 1) / 2;
  render::Vec3 middle;
  for (int c = 0; c < 3; ++c) {
    std::vector<float> at;
    for (const render::Box& box : boxes) at.push_back(box.center()[c]);
    std::nth_element(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(half - 1), at.end());
    middle[c] = at[half - 1];
  }
  std::ranges::sort(boxes, {}, [&](const render::Box& box) { return (box.center() - middle).squaredNorm(); });
  render::Box room;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const render::Box with_it = room.merged(boxes[i]);
    if (i >= most && with_it.diagonal().norm() > kScattered * at_the_start_) break;
    room = with_it;
  }
  return room;
}

// ---- from where ----

render::CameraPose fitted(render::Camera camera, const render::Box& room, float filled, float covered) {
  render::CameraPose pose = camera.pose();
  if (room.isEmpty() || !(room.diagonal().norm() > 0)) return pose;
  pose.distance = 3 * room.diagonal().norm();
  const auto width = static_cast<float>(camera.width()), height = static_cast<float>(camera.height());
  const render::Vec2 half(0.5f * width, 0.5f * (1 - covered) * height),
      middle(0.5f * width, 0.5f * (1 + covered) * height);
  // The distance in question is a fixed point, to which this closes in by a digit each time.
  constexpr int kTries = 6;
  for (int i = 0; i < kTries; ++i) {
    pose.target = room.center();
    camera.set_pose(pose);
    // So that the room's centre is seen in the middle of what is not covered.
    pose.target += 0.5f * covered * height * camera.metres_per_pixel(room.center()) * camera.up();
    camera.set_pose(pose);
    float reach = 0;
    for (int corner = 0; corner < 8; ++corner) {
      const auto at = camera.project(room.corner(static_cast<render::Box::CornerType>(corner))).pixel;
      reach = std::max(reach, ((at - middle).cwiseQuotient(half)).cwiseAbs().maxCoeff());
    }
    pose.distance *= reach / filled;
  }
  return pose;
}

float aspect_of(const render::Box& room) {
  if (room.isEmpty()) return 1;
  const render::Vec3 size = room.sizes();
  // Looked at from the side, its depth is seen in part as width, and a little from above in part as height.
  const float wide = size.x() + 0.6f * size.z(), high = size.y() + 0.3f * size.z();
  return high > 0 && wide > 0 ? std::clamp(wide / high, 0.25f, 4.0f) : 1;
}

void Follower::begin(const render::Box& home) { home_ = framed_ = home; }

const render::Box& Follower::wanted(const render::Box& all, const render::Box& now) {
  const render::Box whole = home_.merged(all);
  if (whole.diagonal().norm() > kWhole * home_.diagonal().norm()) {
    // As large as the default view, and where the bodies are.
    const render::Vec3 half = 0.5f * home_.sizes().cwiseMax(now.sizes()), centre = now.center();
    framed_ = render::Box(centre - half, centre + half);
  } else if (!framed_.contains(whole)) {
    framed_ = framed_.merged(grown(whole, kSpare));
  }
  return framed_;
}

bool Follower::follow(render::Camera& camera, const render::Box& all, const render::Box& now, float seconds,
                      float covered) {
  if (home_.isEmpty() || camera.moving()) return false;
  const render::CameraPose to = fitted(camera, wanted(all, now), kFilledInWindow, covered);
  render::CameraPose pose = camera.pose();
  const float off = std::max((to.target - pose.target).norm(), std::abs(to.distance - pose.distance));
  if (!(off > kThere * to.distance)) return false;
  const float share = 1 - std::exp(-seconds / kSettling);
  pose.target += share * (to.target - pose.target);
  pose.distance *= std::pow(to.distance / pose.distance, share);
  camera.set_pose(pose);
  return true;
}

}  // namespace rebound::film
