// The scene as it is drawn: from a moment of the simulation to a render::View.
#pragma once

#include <memory>
#include <vector>

#include "app/settings.hpp"
#include "app/visibility.hpp"
#include "render/renderer.hpp"
#include "session/runner.hpp"

namespace rebound::app {

class Picture {
 public:
  /// Needs the window's GL context current for all of its life.
  Picture();

  /// Takes over the bodies of a newly opened world. Bodies must live as long as they are shown.
  void show(const std::vector<scene::BodyGeometry>& bodies, const session::Snapshot& moment);
  /// Puts the bodies where they are at this moment.
  void update(const session::Snapshot& moment);
  /// Into the framebuffer that is bound.
  void draw(const render::Viewport& viewport, const session::Snapshot& moment, const Settings& settings,
            float pixel_ratio);

  render::Camera& camera() { return view_.camera; }
  const render::Camera& camera() const { return view_.camera; }
  render::Box bounds() const;
  void go_home();

  std::size_t body_count() const { return bodies_.size(); }
  DrawnSurface surface(std::size_t body, const session::Snapshot& moment) const;
  const scene::BodyGeometry& geometry(std::size_t body) const { return *bodies_[body].geometry; }

  /// Draws these surface points as pinned, besides the vertices that the simulation keeps fixed.
  void set_pins(std::vector<session::SurfacePoint> pins) { pins_ = std::move(pins); }

 private:
  struct Body {
    const scene::BodyGeometry* geometry = nullptr;
    std::unique_ptr<render::BodyMesh> mesh;
    bool is_net = false;          ///< no triangles: its springs are drawn as lines
    bool follows_exactly = true;  ///< each surface point is a vertex of the simulation
  };

  void add_bodies(const Settings& settings);
  void add_nets(const session::Snapshot& moment);
  void add_handles(const session::Snapshot& moment, const Settings& settings);
  void add_floor(const Settings& settings);

  render::Renderer renderer_;
  render::View view_;
  std::vector<Body> bodies_;
  std::vector<session::SurfacePoint> pins_;
  render::Box start_;  ///< of the bodies when they were opened
  render::Box home_;   ///< what the default view shows: them, with room to swing
};

/// Where a surface point is at this moment.
render::Vec3 position(const session::Snapshot& moment, const session::SurfacePoint& point);

}  // namespace rebound::app
