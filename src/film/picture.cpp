#include "film/picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "render/offscreen.hpp"
#include "render/renderer.hpp"

namespace rebound::film {
namespace {

// More pins than this are a clamped edge: small dots tell it better than a heap of balls.
constexpr std::size_t kManyPins = 24;
// A net of fewer points than this is a figure, with a ball for each mass.
constexpr std::size_t kFewPoints = 50;
// Shares of the bodies' size.
constexpr float kNormalLength = 0.04f, kForceLength = 0.25f, kSkin = 1.5e-3f;
// What is left of the strongest force after a frame.
constexpr double kFading = 0.95;
constexpr float kInnerRadius = 2.2f;  // points

std::vector<float> flat_positions(const mesh::Points& points) {
  std::vector<float> flat(static_cast<std::size_t>(points.size()));
  std::transform(points.data(), points.data() + points.size(), flat.begin(),
                 [](double value) { return static_cast<float>(value); });
  return flat;
}

bool is_exact(const mesh::Embedding& embedding) {
  return std::all_of(embedding.weights.begin(), embedding.weights.end(), [](const auto& w) { return w[0] == 1; });
}

/// Whether a vertex that is fixed is at this place.
bool is_pinned(const session::Snapshot& moment, const render::Vec3& place) {
  return std::any_of(moment.pinned.begin(), moment.pinned.end(),
                     [&](const sim::Vec3& pin) { return to_render(pin) == place; });
}

/// Around all that is held in place at this moment.
render::Box held_box(const session::Snapshot& moment) {
  render::Box held;
  for (const auto& point : moment.pinned) held.extend(to_render(point));
  for (const auto& [point, handle] : moment.attachments) held.extend(to_render(handle));
  return held;
}

/// Held by the feet.
bool stands(const render::Box& bodies, const render::Box& held) {
  return !held.isEmpty() && held.max().y() < bodies.min().y() + 0.25f * bodies.sizes().y();
}

/// The bodies with room to move: what hangs swings about what holds it, what stands sways.
render::Box room_for(const render::Box& bodies, const render::Box& held) {
  if (bodies.isEmpty()) return bodies;
  const float size = bodies.diagonal().norm();
  const render::Vec3 margin = 0.04f * size * render::Vec3::Ones();
  render::Box room(bodies.min() - margin, bodies.max() + margin);
  if (held.isEmpty() || held.diagonal().norm() > 0.8f * size) return room;
  const render::Vec3 sideways(0.05f * size, 0, 0.05f * size);
  if (stands(bodies, held)) return render::Box(room.min() - sideways, room.max() + sideways);
  const render::Vec3 centre = held.center();
  const float reach = (bodies.min() - centre).cwiseAbs().cwiseMax((bodies.max() - centre).cwiseAbs()).maxCoeff();
  room.extend(centre - render::Vec3(0.45f * reach, reach, 0.45f * reach));
  room.extend(centre + render::Vec3(0.45f * reach, 0, 0.45f * reach));
  return room;
}

}  // namespace

// Neighbours are far apart.
float region_shade(int region) {
  constexpr std::array kShades = {-0.65f, 0.5f, -0.35f, 0.75f};
  return region > 0 ? kShades[static_cast<std::size_t>(region - 1) % kShades.size()] : 0;
}

// As the picture mixes it: in light, not in sRGB.
render::Color region_color(const render::Color& body, int region) {
  constexpr float kGamma = 2.2f;
  const float shade = region_shade(region);
  const auto mixed = [&](float channel) {
    const float light = std::pow(channel, kGamma);
    return std::pow(light + ((shade > 0 ? 1 : 0) - light) * std::abs(shade), 1 / kGamma);
  };
  return {mixed(body.r), mixed(body.g), mixed(body.b), body.a};
}

render::Vec3 position(const session::Snapshot& moment, const session::SurfacePoint& point) {
  const auto& surface = moment.surfaces.at(static_cast<std::size_t>(point.body));
  const float* p = surface.data() + 3 * static_cast<std::size_t>(point.vertex);
  return {p[0], p[1], p[2]};
}

render::Box box_of(const session::Snapshot& moment) {
  render::Box box;
  for (const auto& surface : moment.surfaces)
    for (std::size_t i = 0; i + 2 < surface.size(); i += 3)
      box.extend(render::Vec3(surface[i], surface[i + 1], surface[i + 2]));
  return box;
}

void Picture::show(const scene::BodyList& bodies, const session::Snapshot& moment) {
  bodies_.clear();
  pins_.clear();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const scene::BodyGeometry& geometry = bodies[b];
    Body body;
    body.geometry = bodies.shared(b);
    body.is_net = geometry.surface.triangles.empty();
    body.follows_exactly = is_exact(geometry.embedding);
    body.mesh = std::make_unique<render::BodyMesh>(flat_positions(geometry.surface.points), geometry.surface.triangles);
    bodies_.push_back(std::move(body));
  }
  regions_.reset();
  strongest_ = 0;
  start_ = starting_room(bodies, moment);
  obstacles_ = Obstacles(start_.isEmpty() ? 0 : kSkin * start_.diagonal().norm());
  obstacles_.update(moment);
  room_ = MotionRoom(bodies, moment);
  const render::Box held = held_box(moment);
  hangs_ = bodies_.size() == 1 && !held.isEmpty();
  figure_ = figure_plane(moment);
  home_ = room_for_traces(moment).merged(figure_ ? start_ : room_for(start_, held));
  if (!figure_) home_.extend(obstacles_.stage_of(start_));
  solids_at_start_ = obstacles_.of_the_size_of(start_);
  // What stands, stands on the floor; else there is room between.
  if (!start_.isEmpty())
    floor_at_start_ = stands(start_, held) ? start_.min().y() : home_.min().y() - 0.25f * start_.diagonal().norm();
  floor_height_ = floor_at_start_;
  update(moment);
}

void Picture::update(const session::Snapshot& moment) {
  for (std::size_t i = 0; i < bodies_.size() && i < moment.surfaces.size(); ++i)
    bodies_[i].mesh->update(moment.surfaces[i]);
  set_field(moment.field);
  if (moment.regions != regions_) set_regions(moment.regions);
  obstacles_.update(moment);
  if (moment.record.frame == 0) floor_height_ = floor_at_start_;
  exploded_ = !room_.take(moment);
  if (!exploded_) sink_floor();
}

void Picture::set_field(const session::SeenField& field) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const bool has = i < field.bodies.size() && field.bodies[i].size() == bodies_[i].mesh->vertex_count();
    if (has || bodies_[i].mesh->has_scalars())
      bodies_[i].mesh->set_scalars(has ? std::span<const float>(field.bodies[i]) : std::span<const float>());
  }
}

void Picture::set_regions(const std::shared_ptr<const session::RegionsOfBodies>& regions) {
  regions_ = regions;
  std::vector<float> shades;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    shades.clear();
    if (regions && i < regions->size() && (*regions)[i].surface.size() == bodies_[i].mesh->vertex_count())
      for (const auto& [region, share] : (*regions)[i].surface) shades.push_back(share * region_shade(region));
    bodies_[i].mesh->set_shades(shades);
  }
}

// What is drawn as a floor gives way to what reaches further down, and is left behind by a body that falls for good.
void Picture::sink_floor() {
  const render::Box now = bounds(), solids = obstacles_.bounds();
  if (!now.isEmpty() && (hangs_ || now.min().y() > home_.min().y() - 4 * start_.diagonal().norm()))
    floor_height_ = std::min(floor_height_, now.min().y());
  if (!solids.isEmpty()) floor_height_ = std::min(floor_height_, solids.min().y());
}

render::Box Picture::bounds() const {
  render::Box box;
  for (const Body& body : bodies_) box.extend(body.mesh->bounds());
  return box;
}

void Picture::go_home() {
  if (home_.isEmpty()) return;
  if (figure_) return view_.camera.home(home_, figure_->normal);
  render::Camera camera = view_.camera;
  camera.home(home_);
  camera.finish();
  view_.camera.go_to(fitted(camera, home_, kFilledInWindow));
}

void Picture::look_at(const render::Box& room) {
  render::Camera& camera = view_.camera;
  if (figure_) {
    go_home();
    camera.finish();
    return;
  }
  constexpr float kMet = 0.1f;  // in sizes of the bodies
  render::Box seen = room;
  for (const render::Box& solid : solids_at_start_)
    if (solid.exteriorDistance(room) < kMet * start_.diagonal().norm()) seen.extend(solid);
  camera.home(seen);
  camera.finish();
  camera.set_pose(fitted(camera, seen, kFilledInFilm));
}

const render::View& Picture::view(const session::Snapshot& moment, const PictureOptions& options, float pixel_ratio) {
  view_.theme = options.dark ? &render::dark_theme() : &render::light_theme();
  view_.pixel_ratio = pixel_ratio;
  view_.bodies.clear();
  view_.lines.clear();
  view_.trails.clear();
  view_.markers.clear();
  view_.planes.clear();
  add_bodies(options);
  add_nets(moment, options);
  add_inner_regions(moment);
  if (options.only_bodies) return view_;
  obstacles_.add_solids(view_, options.marked_obstacle);
  add_traces(moment, view_);
  add_wires(moment);
  add_handles(moment, options);
  if (options.shows_contacts) add_contacts(moment);
  add_crossing(moment);
  add_floor(options);
  return view_;
}

void Picture::add_bodies(const PictureOptions& options) {
  const auto& series = view_.theme->series;
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (bodies_[i].is_net) continue;
    render::BodyView body;
    body.mesh = bodies_[i].mesh.get();
    // Bodies of one pane differ in lightness alone.
    constexpr float kLighter = 0.22f;
    const float lighter = std::min(kLighter * static_cast<float>(i), 2 * kLighter);
    body.color =
        options.tint ? render::mix(*options.tint, {1, 1, 1, options.tint->a}, lighter) : series[i % series.size()];
    body.opacity = body.color.a;
    body.wireframe = options.wireframe;
    body.shows_heat = options.heat_top.has_value();
    body.heat_high = options.heat_top.value_or(1);
    view_.bodies.push_back(body);
  }
}

// Through the surface that hides them. In the bodies' order, the colours are those of add_bodies().
void Picture::add_inner_regions(const session::Snapshot& moment) {
  for (const session::InnerPlace& place : moment.inner_places) {
    std::size_t i = 0;
    while (i < view_.bodies.size() && view_.bodies[i].mesh != bodies_[static_cast<std::size_t>(place.body)].mesh.get())
      ++i;
    if (i == view_.bodies.size()) continue;
    view_.markers.push_back(
        {to_render(place.at), region_color(view_.bodies[i].color, place.region), kInnerRadius, false, true});
  }
}

void Picture::add_nets(const session::Snapshot& moment, const PictureOptions& options) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    if (!bodies_[i].is_net) continue;
    const render::Color color = options.tint.value_or(view_.theme->series[i % view_.theme->series.size()]);
    const int body = static_cast<int>(i);
    const bool hot = options.heat_top && i < moment.field.bodies.size() && !moment.field.bodies[i].empty();
    const auto color_at = [&](int a, int b) {
      if (!hot) return color;
      const auto& field = moment.field.bodies[i];
      return render::heat_color((field[static_cast<std::size_t>(a)] + field[static_cast<std::size_t>(b)]) /
                                (2 * *options.heat_top));
    };
    for (const auto& [a, b] : bodies_[i].geometry->edges())
      view_.lines.push_back({position(moment, {body, a}), position(moment, {body, b}), color_at(a, b), 3, false});
    const std::size_t points = moment.surfaces[i].size() / 3;
    const bool few = points < kFewPoints;
    const bool has_pins = options.shows_pins && pins_are_balls(moment);
    for (std::size_t p = 0; p < points; ++p) {
      const render::Vec3 at = position(moment, {body, static_cast<int>(p)});
      // A big ball would hide the pin.
      if (few && has_pins && is_pinned(moment, at)) continue;
      view_.markers.push_back({at, color_at(static_cast<int>(p), static_cast<int>(p)), few ? 8.0f : 3.5f, true, false});
    }
  }
}

bool Picture::follow_exactly() const {
  return std::all_of(bodies_.begin(), bodies_.end(), [](const Body& body) { return body.follows_exactly; });
}

bool Picture::pins_are_balls(const session::Snapshot& moment) const {
  return follow_exactly() && moment.pinned.size() <= kManyPins;
}

void Picture::add_handles(const session::Snapshot& moment, const PictureOptions& options) {
  if (options.shows_pins) {
    const bool as_balls = pins_are_balls(moment);
    for (const auto& point : moment.pinned) {
      if (as_balls) {
        view_.add_pin(to_render(point));
      } else {
        view_.markers.push_back({to_render(point), view_.theme->pin.with_alpha(0.75f), 1.7f, false, false});
      }
    }
    // Where the vertices do not lie on the surface, what was clicked does.
    if (!follow_exactly())
      for (const auto& pin : pins_) view_.add_pin(position(moment, pin));
    for (const auto& [vertex, handle] : moment.attachments) view_.add_attachment(to_render(vertex), to_render(handle));
  }
  if (moment.grab) view_.add_grab(to_render(moment.grab->at), to_render(moment.grab->target));
}

// What passes through what, where that is why it stands still.
void Picture::add_crossing(const session::Snapshot& moment) {
  if (!moment.crossing) return;
  for (const sim::CrossingTriangle* triangle : {&moment.crossing->one, &moment.crossing->other}) {
    if (triangle->triangle < 0) continue;
    for (std::size_t c = 0; c < 3; ++c)
      view_.lines.push_back(
          {to_render(triangle->corners[c]), to_render(triangle->corners[(c + 1) % 3]), view_.theme->error, 4, true});
  }
}

// What beads slide along.
void Picture::add_wires(const session::Snapshot& moment) {
  for (const auto& wire : moment.wires)
    for (std::size_t i = 0; i + 1 < wire.size(); ++i)
      view_.lines.push_back({to_render(wire[i]), to_render(wire[i + 1]), view_.theme->pin, 2, false});
}

void Picture::add_contacts(const session::Snapshot& moment) {
  const float size = start_.diagonal().norm();
  if (moment.record.frame != strongest_at_) strongest_ *= kFading;
  strongest_at_ = moment.record.frame;
  for (const auto* forces : {&moment.contacts, &moment.held})
    for (const auto& force : *forces) strongest_ = std::max(strongest_, force.force);
  for (const auto* forces : {&moment.contacts, &moment.held})
    for (const auto& force : *forces)
      view_.add_contact(to_render(force.at), to_render(force.n), kNormalLength * size,
                        kForceLength * size * static_cast<float>(force.force / strongest_));
}

// Planes that bodies bump into are the floor where there are any. Else a floor gives the eye a hold, but there is
// nothing solid about it. A figure has a page of graph paper instead.
void Picture::add_floor(const PictureOptions& options) {
  const bool has_ground = obstacles_.add_planes(view_, options.marked_obstacle);
  if (!options.shows_floor || start_.isEmpty()) return;
  if (figure_) {
    // A little behind, so that no ball sinks into it.
    const float behind = 0.01f * home_.diagonal().norm();
    view_.planes.push_back({figure_->normal, figure_->offset - behind, true});
    return;
  }
  if (has_ground) return;
  const render::Box now = bounds();
  if (exploded_ || now.isEmpty() || now.min().y() >= floor_height_)
    view_.planes.push_back({render::Vec3::UnitY(), floor_height_});
}

void draw_into(render::Image& page, const render::ImageArea& area, Picture& picture, const session::Snapshot& moment,
               const render::Box& room, const PictureOptions& options, float unit, render::Renderer& renderer) {
  picture.update(moment);
  const render::RenderTarget target(area.width, area.height);
  picture.camera().resize(target.width(), target.height());
  picture.look_at(room);
  target.bind();
  renderer.draw(picture.view(moment, options, unit), target.viewport());
  render::copy_into(page, target.read(), area.x, area.y);
}

}  // namespace rebound::film
