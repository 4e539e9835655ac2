// What of a motion is to be seen, and from where: the window and the films frame by the same rules.
#pragma once

#include <memory>
#include <vector>

#include "render/camera.hpp"
#include "session/snapshot.hpp"

namespace rebound::film {

/// Around the surface points of one body at this moment.
render::Box box_of(const session::Snapshot& moment, std::size_t body);

/// Where the bodies begin; where a start has squeezed them to less than half their size, with the room that they have
/// at rest.
render::Box starting_room(const scene::BodyList& bodies, const session::Snapshot& start);

/// All that a motion has taken so far. What explodes takes nothing: the view does not follow it.
class MotionRoom {
 public:
  MotionRoom() = default;
  MotionRoom(const scene::BodyList& bodies, const session::Snapshot& start);

  /// False, and nothing is taken, once the moment is of an explosion.
  bool take(const session::Snapshot& moment);
  /// Around all that was taken, m.
  const render::Box& all() const { return all_; }
  /// Around the bodies in the moment that was taken last, m; where they have scattered, around those that are nearest
  /// to where most of them are: three quarters of them at least.
  const render::Box& now() const { return now_; }

 private:
  struct Body {
    std::shared_ptr<const scene::BodyGeometry> geometry;
    float size;          ///< m: the larger one of at rest and at the start
    float longest_edge;  ///< m, of its surface, the same
  };
  /// Has it grown, and not only unrolled?
  static bool is_exploded(const Body& body, const session::Snapshot& moment, std::size_t at, const render::Box& box);

  render::Box together(std::vector<render::Box> boxes) const;

  std::vector<Body> bodies_;
  float at_the_start_ = 0;  ///< m, the diagonal of where the bodies begin
  render::Box all_, now_;
};

/// The pose on the camera's side of the room, as near as all corners lie within this share of the half width and height
/// of what is to be seen of the picture. covered: the share of its height, from the top, that something else lies over.
render::CameraPose fitted(render::Camera camera, const render::Box& room, float filled, float covered = 0);

/// How wide the default view of a box is, over how high.
float aspect_of(const render::Box& room);

/// How much of a pane's half width and height a motion may fill in a film.
inline constexpr float kFilledInFilm = 0.94f;

/// How much of a picture a motion may fill in the window, where heads and banners lie over it.
inline constexpr float kFilledInWindow = 0.88f;

/// Keeps a motion in sight without a hand: it moves seldom, smoothly, and only as far as it must.
class Follower {
 public:
  /// What the default view shows, m.
  void begin(const render::Box& home);
  /// Moves the camera by so many seconds; true while there is more to come.
  /// all: what the motion has taken so far. now: where the bodies are, m. covered: as for fitted.
  bool follow(render::Camera& camera, const render::Box& all, const render::Box& now, float seconds, float covered = 0);

 private:
  const render::Box& wanted(const render::Box& all, const render::Box& now);

  render::Box home_, framed_;
};

}  // namespace rebound::film
