#include "film/iterates.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "film/pane_colors.hpp"
#include "film/picture.hpp"
#include "render/offscreen.hpp"
#include "render/renderer.hpp"

namespace rebound::film {
namespace {

/// The bodies at a still. What the ledger says is of the end of the frame, and of no iterate.
void look_at_still(const SolveCourse& course, const SolveCourse::Still& still, session::Snapshot& moment) {
  session::look(course.session(), *still.x, moment);
  moment.record = {};
  moment.record.frame = course.session().frame();
  // Where something presses after the frame, nothing is known of an iterate.
  moment.contacts.clear();
  moment.held.clear();
}

}  // namespace

/// Of a pane, while the film is shot.
struct Iterates::Scene {
  Picture picture;
  session::Snapshot moment;
  bool is_shown = false;
};

Iterates::Iterates(const std::vector<SolveCourse>& courses, const FilmOptions& options)
    : courses_(courses), options_(options), numbers_(numbers_of(courses)) {
  held_ = pictures_held(numbers_.size(), options.pictures_a_second);
  choose_room();
  sheet_.emplace(options.width, options.height,
                 SheetOptions{courses.size(), options.dark, options.layout, options.plots, aspect_of(room_)});
}

// The cameras hold still, and see all that does not fly off.
void Iterates::choose_room() {
  session::Snapshot moment;
  for (const SolveCourse& course : courses_) {
    std::optional<MotionRoom> room;
    for (const auto& still : course.stills()) {
      look_at_still(course, still, moment);
      if (!room) room.emplace(course.session().world().bodies, moment);
      room->take(moment);
    }
    room_.extend(room->all());
  }
}

std::int64_t Iterates::pictures() const { return std::accumulate(held_.begin(), held_.end(), std::int64_t{0}); }

render::Color Iterates::color_of(std::size_t pane) const {
  return sheet_->theme().series[kPaneSeries[pane % kPaneSeries.size()]];
}

void Iterates::shoot(const std::function<void(render::Image)>& take) {
  render::Renderer renderer({render::Antialiasing::msaa4, render::ShadowQuality::fast});
  std::vector<Scene> scenes(courses_.size());
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const render::Image page = page_at(numbers_[i], scenes, renderer);
    for (int k = 0; k < held_[i]; ++k) take(page);
  }
}

render::Image Iterates::page_at(std::int64_t number, std::vector<Scene>& scenes, render::Renderer& renderer) {
  const session::Session& first = courses_.front().session();
  char right[80];
  std::snprintf(right, sizeof right, "the solves of frame %lld     time step %g ms",
                static_cast<long long>(first.frame()), 1000 * first.description().timeStep);
  render::Image page = sheet_->page(options_.name, right);
  for (std::size_t pane = 0; pane < courses_.size(); ++pane) draw_pane(page, pane, number, scenes[pane], renderer);
  draw_charts(page, number);
  return page;
}

void Iterates::draw_pane(render::Image& page, std::size_t pane, std::int64_t number, Scene& scene,
                         render::Renderer& renderer) {
  const SolveCourse& course = courses_[pane];
  const auto& still = course.stills()[course.still_at(number)];
  look_at_still(course, still, scene.moment);
  if (!scene.is_shown) scene.picture.show(course.session().world().bodies, scene.moment);
  scene.is_shown = true;
  PictureOptions options{.dark = options_.dark};
  // Several panes are told apart by their colour, which their curves have, too.
  if (courses_.size() > 1) options.tint = color_of(pane);
  draw_into(page, sheet_->picture(pane), scene.picture, scene.moment, room_, options, sheet_->unit(), renderer);
  const int inside_out = scene.moment.inside_out.elements;
  sheet_->write(
      page, pane,
      {course.title(), course.said_of(still),
       inside_out == 0 ? std::string()
                       : std::to_string(inside_out) + (inside_out == 1 ? " element" : " elements") + " inside out"});
}

/// Of the panes from `first` to before `end`: what has been, what is still to come faint, and where the picture is.
render::Chart Iterates::chart_of(const char* title, const char* unit, std::size_t first, std::size_t end,
                                 std::int64_t number, render::Curve (*curve_of)(const SolveCourse&)) const {
  constexpr double kBottom = 1e-30, kTop = 1e30;  // beyond every axis
  constexpr float kFaint = 0.3f;
  render::Chart chart{.title = title,
                      .x_unit = "iterates",
                      .y_unit = unit,
                      .curves = {},
                      .x_range = render::Range{0, std::max(1.0, static_cast<double>(numbers_.back()))},
                      .y_range = {},
                      .y_logarithmic = true};
  for (std::size_t i = first; i < end; ++i) {
    render::Curve whole = curve_of(courses_[i]);
    whole.color = color_of(i).with_alpha(kFaint);
    whole.width = 1.5f;
    render::Curve so_far{end - first > 1 ? courses_[i].title() : "", color_of(i), {}, {}, 2.5f};
    for (std::size_t k = 0; k < whole.x.size() && whole.x[k] <= static_cast<double>(number); ++k) {
      so_far.x.push_back(whole.x[k]);
      so_far.y.push_back(whole.y[k]);
    }
    chart.curves.push_back(std::move(whole));
    chart.curves.push_back(std::move(so_far));
  }
  // All plots of a page have the same axis.
  std::vector<render::Curve> all;
  for (const SolveCourse& course : courses_) all.push_back(curve_of(course));
  chart.y_range = render::decades_of(all);
  const auto here = static_cast<double>(std::clamp<std::int64_t>(number, 0, numbers_.back()));
  chart.curves.push_back({"", sheet_->theme().text_muted, {here, here}, {kBottom, kTop}, 1.2f});
  return chart;
}

void Iterates::draw_charts(render::Image& page, std::int64_t number) {
  const auto draw = [&](const render::ImageArea& area, std::size_t first, std::size_t end, float ratio) {
    // Below this many letters a plot is too narrow for two.
    constexpr float kTwo = 560;
    const bool both = static_cast<float>(area.width) > kTwo * ratio;
    const int half = both ? area.width / 2 : area.width;
    sheet_->draw(page, {area.x, area.y, half, area.height}, chart_of("|dE|", "N", first, end, number, gradients_of),
                 ratio);
    if (both)
      sheet_->draw(page, {area.x + half, area.y, area.width - half, area.height},
                   chart_of("E above its end", "J", first, end, number, heights_of), ratio);
  };
  if (options_.plots == Plots::one) draw(sheet_->shared_plot(), 0, courses_.size(), 1.15f * sheet_->unit());
  if (options_.plots != Plots::each) return;
  for (std::size_t pane = 0; pane < courses_.size(); ++pane) draw(sheet_->plot(pane), pane, pane + 1, sheet_->unit());
}

}  // namespace rebound::film
