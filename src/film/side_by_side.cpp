#include "film/side_by_side.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "film/field_legend.hpp"
#include "film/pane_colors.hpp"
#include "film/picture.hpp"
#include "mesh/error.hpp"
#include "render/offscreen.hpp"
#include "render/renderer.hpp"

namespace rebound::film {

/// Of a pane, while the film is shot.
struct SideBySide::Scene {
  Picture picture;
  scene::BodyList bodies;  ///< as the picture has them
};

SideBySide::SideBySide(Play play, const FilmOptions& options, const std::function<void(double)>& progress)
    : play_(std::move(play)), options_(options) {
  rehearse(progress);
  choose_view();
  if (options_.colors != session::FieldKind::none) choose_colors();
  sheet_.emplace(options_.width, options_.height,
                 SheetOptions{panes_.size(), options_.dark, options_.layout, options_.plots, aspect_of(room_)});
}

void SideBySide::learn(Pane& pane, const session::Snapshot& moment) {
  const bool first = !pane.room;
  if (first) pane.room.emplace(moment.bodies, moment);
  if (!pane.room->take(moment) && pane.exploded == Pane::kNever) pane.exploded = pane.records.size();
  pane.records.push_back(moment.record);
  // What begins squeezed has the room that it will take.
  pane.boxes.push_back(first ? pane.room->all() : pane.room->now());
  if (moment.field.has_any()) pane.heat.push_back(moment.field.top);
}

std::vector<std::string> SideBySide::failures() const {
  std::vector<std::string> all;
  for (const Pane& pane : panes_) all.push_back(pane.failure);
  return all;
}

void SideBySide::rehearse(const std::function<void(double)>& progress) {
  const auto cast = play_(options_.colors);
  time_step_ = cast->time_step();
  double time = 0;
  bool more = true;
  while (more) {
    times_.push_back(time);
    const auto& members = cast->members();
    // Of what is gone nothing is shown.
    std::erase_if(panes_, [&](const Pane& pane) {
      return std::none_of(members.begin(), members.end(), [&](const auto& m) { return m.id == pane.id; });
    });
    for (const auto& [id, moment] : members) {
      auto pane = std::find_if(panes_.begin(), panes_.end(), [id = id](const Pane& p) { return p.id == id; });
      if (pane == panes_.end()) {
        pane = panes_.emplace(panes_.end());
        pane->id = id;
        pane->came = times_.size() - 1;
      }
      learn(*pane, *moment);
    }
    progress(static_cast<double>(times_.size() - 1) / static_cast<double>(std::max<std::int64_t>(options_.frames, 1)));
    time += cast->time_step();
    more = static_cast<std::int64_t>(times_.size()) <= options_.frames && cast->step();
  }
  // What failed is said by the last moment, which is no frame of its own.
  divergence_ = cast->divergence();
  for (const auto& [id, moment] : cast->members())
    for (Pane& pane : panes_)
      if (pane.id == id) pane.failure = moment->failure;
  for (Pane& pane : panes_) {
    std::vector<double> spent;
    for (std::size_t i = 1; i < pane.records.size(); ++i) spent.push_back(pane.records[i].step_ms);
    pane.timing = timing_of(std::move(spent));
  }
}

// Neither the cameras nor what is steady of the axis follow an explosion: where some panes hold, the others are seen
// leaving their frame.
void SideBySide::choose_view() {
  const std::size_t first = frame_at(start());
  const auto exploded = [](const Pane& p) { return p.exploded != Pane::kNever; };
  const bool all_exploded = std::all_of(panes_.begin(), panes_.end(), exploded);
  EnergyAxis axis;
  double highest = -std::numeric_limits<double>::infinity();
  for (const Pane& pane : panes_) {
    for (std::size_t i = 0; i < pane.records.size(); ++i) {
      if (pane.came + i < first) continue;
      const double total = pane.records[i].measured.total();
      if (std::isfinite(total) && has_exploded(pane.records[i])) highest = std::max(highest, total);
      if (i >= pane.exploded || (exploded(pane) && !all_exploded)) continue;
      room_.extend(pane.boxes[i]);
      axis.take(pane.records[i]);
    }
    if (room_.isEmpty() && !pane.boxes.empty()) room_ = pane.boxes.front();
  }
  energies_ = energy_scale(axis.range(), highest);
}

// The same from the first picture to the last, and in all panes: of what has not exploded, unless all has.
void SideBySide::choose_colors() {
  constexpr double kLeastTop = 1e-9;  // a body at rest has no stress, and is all of the calmest colour
  const std::size_t first = frame_at(start());
  const bool all_exploded =
      std::all_of(panes_.begin(), panes_.end(), [](const Pane& p) { return p.exploded != Pane::kNever; });
  bool has_any = false;
  heat_top_ = kLeastTop;
  for (const Pane& pane : panes_) {
    has_any |= !pane.heat.empty();
    for (std::size_t i = 0; i < pane.heat.size(); ++i)
      if (pane.came + i >= first && (all_exploded || pane.exploded == Pane::kNever) && std::isfinite(pane.heat[i]))
        heat_top_ = std::max(heat_top_, pane.heat[i]);
  }
  if (!has_any)
    throw InputError("--colors: nothing here has a " + std::string(field_name(options_.colors).title) +
                     "; springs have strain alone");
}

std::size_t SideBySide::frame_at(double time) const {
  // A hair late rather than a frame early: 0.033 s and 1/30 s nearly coincide.
  const auto after = std::upper_bound(times_.begin(), times_.end(), time + 1e-9);
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - times_.begin(), 1)) - 1;
}

double SideBySide::start() const {
  const double end = times_.back();
  return options_.last_seconds ? std::max(0.0, end - *options_.last_seconds) : 0;
}

std::int64_t SideBySide::pictures() const {
  return static_cast<std::int64_t>(std::floor((times_.back() - start()) * options_.pictures_a_second + 1e-6)) + 1;
}

render::Color SideBySide::color_of(std::size_t pane) const {
  return sheet_->theme().series[kPaneSeries[pane % kPaneSeries.size()]];
}

void SideBySide::shoot(const std::function<void(render::Image)>& take) {
  render::Renderer renderer({render::Antialiasing::msaa4, render::ShadowQuality::fast});
  std::vector<Scene> scenes(panes_.size());
  const auto cast = play_(options_.colors);
  std::size_t now = 0;
  const std::int64_t count = this->pictures();
  for (std::int64_t k = 0; k < count; ++k) {
    const double time = start() + static_cast<double>(k) / options_.pictures_a_second;
    const std::size_t frame = frame_at(time);
    while (now < frame && cast->step()) ++now;
    render::Image page = sheet_->page(options_.name, time_step_, time);
    const auto& members = cast->members();
    std::vector<std::string> titles(panes_.size());
    for (std::size_t i = 0; i < panes_.size(); ++i) {
      const auto member =
          std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.id == panes_[i].id; });
      if (member == members.end()) continue;  // it has not come yet
      titles[i] = title_of(member->moment->description.integrator.type);
      draw_pane(page, i, *member->moment, now, scenes[i], renderer);
    }
    if (options_.colors != session::FieldKind::none) sheet_->write_colors(page, options_.colors, heat_top_);
    draw_energies(page, now, titles);
    take(std::move(page));
  }
}

void SideBySide::draw_energies(render::Image& page, std::size_t frame, const std::vector<std::string>& titles) {
  const render::Range duration{start(), std::max(start() + 1e-9, times_.back())};
  std::vector<EnergyCurve> curves;
  for (std::size_t i = 0; i < panes_.size(); ++i) {
    const Pane& pane = panes_[i];
    if (titles[i].empty()) continue;
    const std::size_t shown = std::min(frame + 1 - pane.came, pane.records.size());
    const auto records = std::span(pane.records).first(shown);
    if (options_.plots == Plots::each) sheet_->draw_energy(page, i, color_of(i), records, duration, energies_.shown);
    curves.push_back({titles[i], color_of(i), std::span(times_).subspan(pane.came, shown), records});
  }
  sheet_->draw_energies(page, curves, duration, energies_);
}

void SideBySide::draw_pane(render::Image& page, std::size_t pane, const session::Snapshot& moment, std::size_t frame,
                           Scene& scene, render::Renderer& renderer) {
  if (scene.bodies != moment.bodies) scene.picture.show(moment.bodies, moment);
  scene.bodies = moment.bodies;
  PictureOptions options{.dark = options_.dark};
  // Several panes are told apart by their colour, which their curves have, too.
  if (panes_.size() > 1) options.tint = color_of(pane);
  if (options_.colors != session::FieldKind::none) options.heat_top = static_cast<float>(heat_top_);
  draw_into(page, sheet_->picture(pane), scene.picture, moment, room_, options, sheet_->unit(), renderer);

  const Pane& learnt = panes_[pane];
  const std::size_t record = std::min(frame - learnt.came, learnt.records.size() - 1);
  sheet_->write(page, pane,
                {title_of(moment.description.integrator.type), learnt.timing,
                 trouble_of(learnt.records[record], moment.outcome)});
}

}  // namespace rebound::film
