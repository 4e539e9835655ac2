#include "app/canvas.hpp"

#include <algorithm>

namespace rebound::app {
namespace {

constexpr float kApart = 20;         // sizes of a pane's bodies, beyond which those of the others are lost sight of
constexpr float kGhost = 0.36f;      // opacity of a body over the chosen pane's
constexpr float kFailureRadius = 7;  // points
constexpr float kInsideOutRadius = 2.2f;      // points
constexpr std::size_t kMostInsideOut = 3000;  // marks

}  // namespace

film::Picture& Canvas::picture(std::size_t pane) {
  film::Picture& picture = *pictures_[pane];
  if (pane > 0) picture.camera() = camera();
  return picture;
}

void Canvas::show(const Stage& stage) {
  start_ = stage.now();
  heat_ = {};
  pins_.clear();
  pictures_.resize(1);
  picture().show(stage.bodies(), start_);
  follower_.begin(picture().home());
}

void Canvas::go_home() {
  follows_ = true;
  follower_.begin(picture().home());
  picture().go_home();
}

void Canvas::look_from(const render::Vec3& towards_eye) {
  follows_ = true;
  render::Camera there = camera();
  there.home(picture().home(), towards_eye);
  there.finish();
  camera().go_to(film::fitted(there, picture().home(), film::kFilledInWindow, covered_));
}

render::Vec3 Canvas::beside_the_bodies() const {
  const render::Box bodies = picture().bounds();
  if (bodies.isEmpty()) return camera().pose().target;
  const float size = bodies.diagonal().norm();
  const render::Vec3 right = render::Vec3(camera().right().x(), 0, camera().right().z()).normalized();
  const render::Vec3 to_eye = right.cross(render::Vec3::UnitY());
  const auto place = [&](const render::Vec3& way, int ring) -> render::Vec3 {
    const float reach = 0.5f * bodies.sizes().dot(way.cwiseAbs()) + 0.3f * size;
    return bodies.center() + (reach + static_cast<float>(ring) * 0.5f * size) * way;
  };
  const std::vector<render::Box> there = picture().obstacles().of_the_size_of(bodies);
  const auto is_free = [&](const render::Vec3& at) {
    const render::Vec3 half = render::Vec3::Constant(0.2f * size);
    const render::Box room(at - half, at + half);
    return std::ranges::none_of(there, [&](const render::Box& other) { return other.intersects(room); });
  };
  constexpr int kRings = 4;
  for (int ring = 0; ring < kRings; ++ring)
    for (const render::Vec3& way : {right, render::Vec3(-right), to_eye, render::Vec3(-to_eye)})
      if (const render::Vec3 at = place(way, ring); is_free(at)) return at;
  return place(right, kRings);
}

bool Canvas::follow(float seconds, std::size_t chosen) {
  if (!follows_ || picture().is_figure()) return false;
  render::Box all, now;
  for (const auto& picture : pictures_) {
    all.extend(picture->room().all());
    now.extend(picture->room().now());
  }
  const render::Box& one = pictures_[std::min(chosen, pictures_.size() - 1)]->room().now();
  if (now.diagonal().norm() > kApart * one.diagonal().norm()) now = one;
  return follower_.follow(camera(), all, now, seconds, covered_);
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
  const auto now = std::chrono::steady_clock::now();
  heat_.follow(panes, std::chrono::duration<double>(now - updated_).count());
  updated_ = now;
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

film::PictureOptions Canvas::options(const Look& look) const {
  const Settings& settings = look.settings;
  film::PictureOptions options{settings.dark,        settings.wireframe,      settings.shows_pins,
                               settings.shows_floor, settings.shows_contacts, look.marked_obstacle};
  if (heat_.has_any()) options.heat_top = static_cast<float>(heat_.top());
  return options;
}

render::View Canvas::view(const Stage& stage, std::size_t pane, const Look& look, const film::PictureOptions& options) {
  const session::Snapshot& moment = stage.moment().panes[pane];
  render::View view = picture(pane).view(moment, options, look.pixel_ratio);
  if (moment.failure_at)
    view.markers.push_back({moment.failure_at->cast<float>(), view.theme->error, kFailureRadius, true, true});
  if (look.settings.shows_inside_out) {
    const auto& middles = moment.inside_out.middles;
    for (std::size_t i = 0; i < std::min(middles.size(), kMostInsideOut); ++i)
      view.markers.push_back({middles[i].cast<float>(), view.theme->error, kInsideOutRadius, false, true});
  }
  return view;
}

void Canvas::draw(const render::Viewport& viewport, const Stage& stage, std::size_t pane, const Look& look) {
  film::PictureOptions own = options(look);
  const render::Theme& theme = own.dark ? render::dark_theme() : render::light_theme();
  if (stage.pane_count() > 1) own.tint = theme.series[pane_series(stage.notes()[pane].color)];
  renderer(look.quality).draw(view(stage, pane, look, own), viewport);
}

void Canvas::draw_overlaid(const render::Viewport& viewport, const Stage& stage, const Look& look) {
  const auto& theme = look.settings.dark ? render::dark_theme() : render::light_theme();
  const auto color_of = [&](std::size_t pane) { return theme.series[pane_series(stage.notes()[pane].color)]; };
  film::PictureOptions as = options(look);
  as.tint = color_of(stage.chosen());
  render::View all = view(stage, stage.chosen(), look, as);
  as.only_bodies = true;
  as.heat_top.reset();  // which pane a ghost is of is told by its colour
  for (std::size_t pane = 0; pane < stage.pane_count(); ++pane) {
    if (pane == stage.chosen()) continue;
    as.tint = color_of(pane).with_alpha(kGhost);
    const render::View ghost = view(stage, pane, look, as);
    all.bodies.insert(all.bodies.end(), ghost.bodies.begin(), ghost.bodies.end());
    all.lines.insert(all.lines.end(), ghost.lines.begin(), ghost.lines.end());
    all.markers.insert(all.markers.end(), ghost.markers.begin(), ghost.markers.end());
  }
  renderer(look.quality).draw(all, viewport);
}

DrawnSurface Canvas::surface(std::size_t body, const session::Snapshot& moment) const {
  return {moment.surfaces[body], picture().geometry(body).surface.triangles};
}

}  // namespace rebound::app
