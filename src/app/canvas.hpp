// The pictures in the window, one a pane and all from one camera: the scene as it is, drawn quickly, or finely for a
// screenshot.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "app/heat_scale.hpp"
#include "app/settings.hpp"
#include "app/stage.hpp"
#include "app/visibility.hpp"
#include "film/picture.hpp"
#include "render/renderer.hpp"

namespace rebound::app {

/// Needs the window's GL context current for all of its life.
class Canvas {
 public:
  enum class Quality { quick, finest };

  Canvas() { pictures_.push_back(std::make_unique<film::Picture>()); }

  /// Of the first pane; its camera is everybody's.
  film::Picture& picture() { return *pictures_.front(); }
  const film::Picture& picture() const { return *pictures_.front(); }
  render::Camera& camera() { return picture().camera(); }
  const render::Camera& camera() const { return picture().camera(); }
  /// Of a pane, seen from that camera.
  film::Picture& picture(std::size_t pane);
  const film::Obstacles& obstacles(std::size_t pane) const { return pictures_[pane]->obstacles(); }

  /// Takes over the bodies of a world that was just opened.
  void show(const Stage& stage);
  /// Puts the bodies of all panes where they are at this moment.
  void update(const Stage& stage);
  /// The default view, which follows the motion from then on.
  void go_home();
  /// The same from another side: from where `towards_eye`, of length 1, points.
  void look_from(const render::Vec3& towards_eye);
  /// Whether the view keeps the motion in sight by itself: until someone moves or zooms it.
  bool follows() const { return follows_; }
  void set_follows(bool follows) { follows_ = follows; }
  /// Moves the view by so many seconds; true while there is more to come. What no view can show whole is left for the
  /// chosen pane.
  bool follow(float seconds, std::size_t chosen);
  /// The share of each pane's height, from the top, that its head lies over.
  void set_covered(float share) { covered_ = std::clamp(share, 0.0f, kMostCovered); }
  /// A place to the right of the bodies as they are seen, with room for something of half their size, m; on another
  /// side, or farther away, where obstacles are in the way.
  render::Vec3 beside_the_bodies() const;
  /// What the bodies' colours mean, the same in all panes.
  const HeatScale& heat() const { return heat_; }
  /// Draws these surface points as pinned, in all panes.
  void set_pins(const std::vector<session::SurfacePoint>& pins);

  struct Look {
    const Settings& settings;
    float pixel_ratio = 1;  ///< framebuffer pixels a point
    Quality quality = Quality::quick;
    std::optional<int> marked_obstacle;  ///< the one under the mouse
  };
  /// A pane, into the framebuffer that is bound. The finest takes its time, the first one most.
  void draw(const render::Viewport& viewport, const Stage& stage, std::size_t pane, const Look& look);
  /// The chosen pane, and all the others see-through over it, each in its colour.
  void draw_overlaid(const render::Viewport& viewport, const Stage& stage, const Look& look);
  DrawnSurface surface(std::size_t body, const session::Snapshot& moment) const;

 private:
  film::PictureOptions options(const Look& look) const;
  render::View view(const Stage& stage, std::size_t pane, const Look& look, const film::PictureOptions& options);
  render::Renderer& renderer(Quality quality);

  render::Renderer renderer_;
  std::optional<render::Renderer> fine_renderer_;  ///< made when it is first wanted
  std::vector<std::unique_ptr<film::Picture>> pictures_;
  session::Snapshot start_;  ///< where the floor and the default view come from, whenever a pane is added
  std::vector<session::SurfacePoint> pins_;
  HeatScale heat_;
  std::chrono::steady_clock::time_point updated_{};
  static constexpr float kMostCovered = 0.4f;  // else the body is smaller than what covers it

  film::Follower follower_;
  float covered_ = 0;
  bool follows_ = true;
};

}  // namespace rebound::app
