// From a moment of a simulation to a render::View: bodies, nets, obstacles, pins, handles, contacts and a floor. The
// window and the videos show the same picture.
#pragma once

#include <memory>
#include <vector>

#include "film/framing.hpp"
#include "film/obstacles.hpp"
#include "film/traces.hpp"
#include "render/chart.hpp"
#include "render/view.hpp"
#include "session/snapshot.hpp"

namespace rebound::render {
class Renderer;
}

namespace rebound::film {

struct PictureOptions {
  bool dark = true;
  bool wireframe = false;
  bool shows_pins = true;
  bool shows_floor = true;
  bool shows_contacts = false;
  std::optional<int> marked_obstacle = std::nullopt;  ///< the one under the mouse
  std::optional<render::Color> tint = std::nullopt;   ///< of all bodies, see-through as its alpha says; else one each
  std::optional<float> heat_top = std::nullopt;       ///< where the moment has a field: what its hottest colour is
  bool only_bodies = false;                           ///< to lie over another picture of the same scene
};

/// How much lighter (to 1) or darker (to -1) than its body a region of it is drawn; regions count from 1.
float region_shade(int region);
/// Its colour, on a body of this one.
render::Color region_color(const render::Color& body, int region);

class Picture {
 public:
  /// Takes over the bodies of a world, which must live as long as they are shown. Needs a GL context current, here and
  /// for all of the picture's life.
  void show(const scene::BodyList& bodies, const session::Snapshot& moment);
  /// Puts the bodies where they are at this moment.
  void update(const session::Snapshot& moment);
  /// What to draw, valid until the next call. `pixel_ratio`: framebuffer pixels a point.
  const render::View& view(const session::Snapshot& moment, const PictureOptions& options, float pixel_ratio);

  render::Camera& camera() { return view_.camera; }
  const render::Camera& camera() const { return view_.camera; }
  /// Of the bodies now, m.
  render::Box bounds() const;
  /// Looks at where the bodies began, with room to swing; at the plane of a figure, where there is one.
  void go_home();
  /// As films do: at this room, m, and what is met there, as near as all of it can be seen; at the plane of a figure,
  /// where there is one.
  void look_at(const render::Box& room);
  /// What the default view shows, m.
  const render::Box& home() const { return home_; }
  /// What the motion has taken so far.
  const MotionRoom& room() const { return room_; }
  /// Whether all that moves is a figure in a plane, which has a view of its own.
  bool is_figure() const { return figure_.has_value(); }

  const Obstacles& obstacles() const { return obstacles_; }
  /// Where the floor is drawn unless a solid one is, m.
  float floor_height() const { return floor_height_; }

  std::size_t body_count() const { return bodies_.size(); }
  const scene::BodyGeometry& geometry(std::size_t body) const { return *bodies_[body].geometry; }

  /// Draws these surface points as pinned, besides the vertices that the simulation keeps fixed.
  void set_pins(std::vector<session::SurfacePoint> pins) { pins_ = std::move(pins); }

 private:
  struct Body {
    std::shared_ptr<const scene::BodyGeometry> geometry;
    std::unique_ptr<render::BodyMesh> mesh;
    bool is_net = false;          ///< no triangles: its springs are drawn as lines
    bool follows_exactly = true;  ///< each surface point is a vertex of the simulation
  };

  bool follow_exactly() const;
  bool pins_are_balls(const session::Snapshot& moment) const;
  void add_bodies(const PictureOptions& options);
  void set_field(const session::SeenField& field);
  void set_regions(const std::shared_ptr<const session::RegionsOfBodies>& regions);
  void add_inner_regions(const session::Snapshot& moment);
  void add_nets(const session::Snapshot& moment, const PictureOptions& options);
  void add_handles(const session::Snapshot& moment, const PictureOptions& options);
  void add_wires(const session::Snapshot& moment);
  void add_contacts(const session::Snapshot& moment);
  void add_crossing(const session::Snapshot& moment);
  void add_floor(const PictureOptions& options);
  void sink_floor();

  render::View view_;
  std::vector<Body> bodies_;
  Obstacles obstacles_;
  std::vector<session::SurfacePoint> pins_;
  std::shared_ptr<const session::RegionsOfBodies> regions_;  ///< as the meshes are shaded
  render::Box start_;                                        ///< of the bodies when they were opened
  render::Box home_;                                         ///< what the default view shows: them, with room to move
  std::vector<render::Box> solids_at_start_;                 ///< of the obstacles that are of the bodies' size, m
  std::optional<FigurePlane> figure_;
  MotionRoom room_;
  bool exploded_ = false;
  float floor_at_start_ = 0, floor_height_ = 0;  ///< m
  bool hangs_ = false;                           ///< there is one body, and it was held at the start: it falls nowhere
  std::int64_t strongest_at_ = 0;                ///< the frame
  double strongest_ = 0;  ///< N, of the contacts drawn lately: an arrow's length is a share of it
};

/// Where a surface point is at this moment.
render::Vec3 position(const session::Snapshot& moment, const session::SurfacePoint& point);
/// Around all surface points of this moment.
render::Box box_of(const session::Snapshot& moment);

/// Draws `moment` into an area of the page, so that all of `room` (m) is seen. `unit`: pixels a point. Needs a
/// GL context current.
void draw_into(render::Image& page, const render::ImageArea& area, Picture& picture, const session::Snapshot& moment,
               const render::Box& room, const PictureOptions& options, float unit, render::Renderer& renderer);

}  // namespace rebound::film
