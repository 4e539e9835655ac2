#include "app/canvas.hpp"

namespace rebound::app {

void Canvas::draw(const render::Viewport& viewport, const session::Snapshot& moment, const Settings& settings,
                  float pixel_ratio, Quality quality, std::optional<int> marked_obstacle) {
  if (quality == Quality::finest && !fine_renderer_) fine_renderer_.emplace(render::RenderSettings::finest());
  const film::PictureOptions options{settings.dark,        settings.wireframe,      settings.shows_pins,
                                     settings.shows_floor, settings.shows_contacts, marked_obstacle};
  (quality == Quality::finest ? *fine_renderer_ : renderer_)
      .draw(picture_.view(moment, options, pixel_ratio), viewport);
}

DrawnSurface Canvas::surface(std::size_t body, const session::Snapshot& moment) const {
  return {moment.surfaces[body], picture_.geometry(body).surface.triangles};
}

}  // namespace rebound::app
