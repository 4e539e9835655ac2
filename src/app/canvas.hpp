// The picture in the window: the scene as it is, drawn quickly, or finely for a screenshot.
#pragma once

#include <optional>

#include "app/settings.hpp"
#include "app/visibility.hpp"
#include "film/picture.hpp"
#include "render/renderer.hpp"

namespace rebound::app {

/// Needs the window's GL context current for all of its life.
class Canvas {
 public:
  enum class Quality { quick, finest };

  film::Picture& picture() { return picture_; }
  const film::Picture& picture() const { return picture_; }
  render::Camera& camera() { return picture_.camera(); }
  const render::Camera& camera() const { return picture_.camera(); }

  /// Into the framebuffer that is bound. The finest takes its time, the first one most.
  void draw(const render::Viewport& viewport, const session::Snapshot& moment, const Settings& settings,
            float pixel_ratio, Quality quality, std::optional<int> marked_obstacle);
  DrawnSurface surface(std::size_t body, const session::Snapshot& moment) const;

 private:
  render::Renderer renderer_;
  std::optional<render::Renderer> fine_renderer_;  ///< made when it is first wanted
  film::Picture picture_;
};

}  // namespace rebound::app
