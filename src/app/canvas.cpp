#include "app/canvas.hpp"

namespace rebound::app {
namespace {

constexpr float kGhost = 0.36f;      // opacity of a body over the chosen pane's
constexpr float kCulpritRadius = 7;  // points

}  // namespace

film::Picture& Canvas::picture(std::size_t pane) {
  film::Picture& picture = *pictures_[pane];
  if (pane > 0) picture.camera() = camera();
  return picture;
}

void Canvas::show(const Stage& stage) {
  start_ = stage.now();
  pins_.clear();
  pictures_.resize(1);
  picture().show(stage.bodies(), start_);
}

void Canvas::update(const Stage& stage) {
  const auto& panes = stage.moment().panes;
  while (pictures_.size() < panes.size()) {
    pictures_.push_back(std::make_unique<film::Picture>());
    pictures_.back()->show(stage.bodies(), start_);
    pictures_.back()->set_pins(pins_);
  }
  pictures_.resize(panes.size());
  for (std::size_t i = 0; i < panes.size(); ++i) pictures_[i]->update(panes[i]);
}

void Canvas::set_pins(const std::vector<session::SurfacePoint>& pins) {
  pins_ = pins;
  for (auto& picture : pictures_) picture->set_pins(pins);
}

render::Renderer& Canvas::renderer(Quality quality) {
  if (quality == Quality::quick) return renderer_;
  if (!fine_renderer_) fine_renderer_.emplace(render::RenderSettings::finest());
  return *fine_renderer_;
}

render::View Canvas::view(const Stage& stage, std::size_t pane, const Look& look) {
  const Settings& settings = look.settings;
  const film::PictureOptions options{settings.dark, settings.wireframe, settings.shows_pins, settings.shows_floor};
  const session::Snapshot& moment = stage.moment().panes[pane];
  render::View view = picture(pane).view(moment, options, look.pixel_ratio);
  if (moment.culprit_at)
    view.markers.push_back({moment.culprit_at->cast<float>(), view.theme->error, kCulpritRadius, true, true});
  return view;
}

void Canvas::draw(const render::Viewport& viewport, const Stage& stage, std::size_t pane, const Look& look) {
  renderer(look.quality).draw(view(stage, pane, look), viewport);
}

void Canvas::draw_overlaid(const render::Viewport& viewport, const Stage& stage, const Look& look) {
  const auto color_of = [&](const render::View& view, std::size_t pane) {
    return view.theme->series[pane_series(stage.notes()[pane].color)];
  };
  render::View all = view(stage, stage.chosen(), look);
  for (auto& body : all.bodies) body.color = color_of(all, stage.chosen());
  for (std::size_t pane = 0; pane < stage.pane_count(); ++pane) {
    if (pane == stage.chosen()) continue;
    render::View other = view(stage, pane, look);
    const render::Color color = color_of(other, pane);
    for (auto& body : other.bodies) {
      body.color = color;
      body.opacity = kGhost;
      all.bodies.push_back(body);
    }
    for (auto& line : other.lines) {
      line.color = color.with_alpha(kGhost);
      all.lines.push_back(line);
    }
    if (stage.moment().panes[pane].culprit_at) all.markers.push_back(other.markers.back());
  }
  renderer(look.quality).draw(all, viewport);
}

DrawnSurface Canvas::surface(std::size_t body, const session::Snapshot& moment) const {
  return {moment.surfaces[body], picture().geometry(body).surface.triangles};
}

}  // namespace rebound::app
