#include "film/side_by_side.hpp"

#include <algorithm>
#include <cmath>

#include "film/picture.hpp"
#include "render/offscreen.hpp"
#include "render/renderer.hpp"

namespace rebound::film {
namespace {

// How much of a pane's half width and height the motion may fill.
constexpr float kFilled = 0.94f;

/// The default view of `room`, as near as all of it can be seen.
void look_at(render::Camera& camera, const render::Box& room) {
  camera.home(room);
  camera.finish();
  camera.set_pose(fitted(camera, room, kFilled));
}

}  // namespace

SideBySide::SideBySide(const scene::World& world, const FilmOptions& options,
                       const std::function<void(double)>& progress)
    : world_(world),
      options_(options),
      panes_(options.integrators.size()),
      sheet_(options.width, options.height, options.integrators.size(), options.dark) {
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    panes_[i].integrator = options_.integrators[i];
    const double n = static_cast<double>(panes_.size());
    rehearse(panes_[i], [&](double share) { progress((static_cast<double>(i) + share) / n); });
  }
  choose_view();
}

std::unique_ptr<session::Session> SideBySide::open(const std::string& integrator) const {
  scene::World world = world_;
  world.description.integrator.type = integrator;
  return std::make_unique<session::Session>(std::move(world), options_.threads);
}

void SideBySide::rehearse(Pane& pane, const std::function<void(double)>& progress) {
  const auto session = open(pane.integrator);
  session::Snapshot moment;
  std::optional<MotionRoom> room;
  std::vector<double> times;
  do {
    session::look(*session, moment);
    if (!room) room.emplace(session->world().bodies, moment);
    const auto& r = session->record();
    pane.exploded = !room->take(moment) || pane.exploded;
    if (!pane.exploded) {
      pane.room = room->all();
      pane.axis.take(r);
    }
    pane.records.push_back(r);
    if (session->frame() > 0) times.push_back(r.step_ms);
    progress(static_cast<double>(session->frame()) / static_cast<double>(std::max<std::int64_t>(options_.frames, 1)));
  } while (session->frame() < options_.frames && session->step());
  pane.failure = session->failure();
  pane.timing = timing_of(std::move(times));
}

// Neither the cameras nor the axes follow an explosion: where some panes hold, the others are seen leaving their frame.
void SideBySide::choose_view() {
  const bool all_exploded = std::all_of(panes_.begin(), panes_.end(), [](const Pane& p) { return p.exploded; });
  EnergyAxis axis;
  for (const Pane& pane : panes_) {
    if (pane.exploded && !all_exploded) continue;
    room_.extend(pane.room);
    axis.take(pane.axis);
  }
  energies_ = axis.range();
}

std::int64_t SideBySide::pictures() const {
  return static_cast<std::int64_t>(std::floor(static_cast<double>(options_.frames) * world_.description.timeStep *
                                              options_.pictures_a_second)) +
         1;
}

void SideBySide::shoot(const std::function<void(render::Image)>& take) {
  render::Renderer renderer({render::Antialiasing::msaa4, render::ShadowQuality::fast});
  std::vector<std::unique_ptr<session::Session>> sessions;
  std::vector<Picture> pictures(panes_.size());
  std::vector<session::Snapshot> moments(panes_.size());
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    sessions.push_back(open(panes_[i].integrator));
    session::look(*sessions[i], moments[i]);
    pictures[i].show(sessions[i]->world().bodies, moments[i]);
  }
  const double h = world_.description.timeStep;
  const render::Range duration{0, std::max(1e-9, static_cast<double>(options_.frames) * h)};
  const std::int64_t count = this->pictures();
  for (std::int64_t k = 0; k < count; ++k) {
    const double time = static_cast<double>(k) / options_.pictures_a_second;
    // A hair late rather than a frame early: 0.033 s and 1/30 s nearly coincide.
    const auto frame = std::min(options_.frames, static_cast<std::int64_t>(std::floor(time / h + 1e-9)));
    render::Image page = sheet_.page(world_.description.name, h, time);
    for (std::size_t i = 0; i < panes_.size(); ++i) {
      while (sessions[i]->frame() < frame && sessions[i]->step()) {
      }
      session::look(*sessions[i], moments[i]);
      const render::ImageArea at = sheet_.picture(i);
      render::copy_into(page, draw_pane(i, pictures[i], moments[i], renderer), at.x, at.y);
      const Pane& pane = panes_[i];
      const auto shown = static_cast<std::size_t>(sessions[i]->frame()) + 1;
      const bool ended = !pane.failure.empty() && shown == pane.records.size();
      sheet_.write(
          page, i,
          {title_of(pane.integrator), pane.timing, trouble_of(pane.records[shown - 1], ended ? pane.failure : "")});
      sheet_.draw_energy(page, i, std::span(pane.records).first(shown), duration, energies_);
    }
    take(std::move(page));
  }
}

render::Image SideBySide::draw_pane(std::size_t pane, Picture& picture, const session::Snapshot& moment,
                                    render::Renderer& renderer) const {
  picture.update(moment);
  const render::ImageArea area = sheet_.picture(pane);
  const render::RenderTarget target(area.width, area.height);
  auto& camera = picture.camera();
  camera.resize(target.width(), target.height());
  if (picture.is_figure()) {
    picture.go_home();
    camera.finish();
  } else {
    look_at(camera, room_);
  }
  target.bind();
  renderer.draw(picture.view(moment, {.dark = options_.dark}, sheet_.unit()), target.viewport());
  return target.read();
}

}  // namespace rebound::film
