// A picture of the window: panes, panels, and what lies over them.
#include <glad/gl.h>

#include <algorithm>
#include <utility>

#include "app/application.hpp"
#include "app/loading.hpp"
#include "app/splitters.hpp"
#include "render/gl.hpp"

namespace rebound::app {

void Application::draw() {
  const auto began = Clock::now();
  const double since_last = seconds(last_draw_, began), elapsed = std::min(since_last, 0.1);
  last_draw_ = began;
  if (std::exchange(news_, false)) {
    last_news_ = began;
    settling_ = kSettlingPictures;
  } else if (settling_ > 0) {
    --settling_;
  }
  const float density = window_.density();
  const float unit = window_.content_scale() / density * settings_.ui_scale;
  style_.set(settings_.dark ? render::dark_theme() : render::light_theme(), unit, density);
  window_.begin_frame();
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const Layout layout = arrange(display.x, display.y, unit, settings_);
  panes_.arrange(layout.picture, stage_ ? stage_->pane_count() : 1, unit);

  const Input input = std::exchange(input_, {});
  if (stage_) {
    panes_.look_under_mouse(*stage_, input.mouse);
    take_keys(input);
    panes_.take_mouse(*stage_, input.mouse);
    draw_panels(layout);
  } else {
    draw_opening({0, 0, display.x, display.y});
  }
  canvas_.camera().advance(static_cast<float>(elapsed));
  // What is under a hand stays there.
  if (stage_ && mouse_.mode() == Mouse::Mode::idle)
    following_ = canvas_.follow(static_cast<float>(elapsed), stage_->chosen());

  const bool wants_screenshot = stage_ && controller_.take_screenshot_wish();
  const Size size = window_.framebuffer();
  const render::Color& background = style_.theme().panel;
  glViewport(0, 0, size.width, size.height);
  glClearColor(background.r, background.g, background.b, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  if (stage_) panes_.draw(*stage_, wants_screenshot ? Canvas::Quality::finest : Canvas::Quality::quick);
  window_.draw_interface();
  if (wants_screenshot) exports_.screenshot(read_framebuffer(size.width, size.height), stage_->now().description.name);
  while (trace_.is_on() && glGetError() != GL_NO_ERROR) ++gl_errors_;
  const double drawn = seconds(began, Clock::now());
  window_.present();
  measure_drawing(drawn, since_last);
  longest_gap_ = std::max(longest_gap_, since_last);
  ++draws_;
  if (trace_.is_due()) trace(layout);
}

void Application::measure_drawing(double drawn, double since_last) {
  // A picture after a rest says nothing of the pace.
  constexpr double kRest = 0.5, kWeight = 0.05;
  if (since_last > kRest) return;
  const bool first = drawing_.interval_ms == 0;
  const auto follow = [&](double& mean, double s) { mean = first ? 1e3 * s : mean + kWeight * (1e3 * s - mean); };
  follow(drawing_.draw_ms, drawn);
  follow(drawing_.interval_ms, since_last);
}

void Application::draw_opening(const Rect& place) {
  if (opener_.busy() && loading_card(style_, place, opener_.name(), opener_.status())) window_.close();
}

void Application::draw_panels(const Layout& layout) {
  Requests requests;
  Desk desk{*stage_,
            style_,
            settings_,
            requests,
            edits_,
            plot_cursor_,
            energy_curve_,
            controller_.under_mouse().chosen_obstacle(),
            mode_view_,
            set_aside_,
            typing_,
            fields_,
            mouse_.box_armed(),
            canvas_.follows(),
            drawing_,
            conductor_.status(),
            gallery_.groups()};
  top_bar(desk, layout.top);
  side_panel(desk, layout.side);
  plots_strip(desk, layout.plots);
  move_splitters(desk, layout);
  panes_.draw_box(style_);
  failure_rings(desk, panes_.places(), canvas_.camera(), window_.density());
  hand_marks(desk, panes_.places(), canvas_.camera(), window_.density(), controller_.under_mouse().hovered_points());
  obstacle_handles(desk, panes_.places(), canvas_.camera(), window_.density(), controller_.under_mouse().gizmo_part());
  const Rect legend = heat_legend(desk, panes_.places(), canvas_.heat());
  if (mouse_.mode() != Mouse::Mode::idle) hint_.shown = false;
  std::vector<Rect> taken = taken_places(layout.picture);
  if (!legend.empty()) taken.push_back(legend);
  const Rect before = hint_.at;
  scene_hint(desk, layout.picture, layout.plots, hint_, taken);
  if (hint_.at != before) news_ = true;  // its size is known now
  timeline_strip(desk, layout.timeline);
  pane_headers(desk, panes_.places());
  if (const float height = panes_.places().front().height; height > 0)
    canvas_.set_covered(pane_heads_reach(desk, panes_.places()) / height);
  // Their size and place are known once they have been drawn.
  if (auto banners = trouble_banners(desk, panes_.places()); banners != banners_) {
    banners_ = std::move(banners);
    news_ = true;
  }
  mode_hint(desk, layout.picture);
  if (opener_.busy() && loading_card(style_, layout.picture, opener_.name(), opener_.status())) opener_.cancel();
  bool help = controller_.help_is_open();
  help_overlay(desk, layout.picture, help);
  controller_.set_help(help);
  dialog_.show(desk);
  controller_.arrivals().show_question(desk);
  gallery_.show(desk);
  messages_.show(desk, layout.picture, layout.plots, taken);
  if (const auto folder = messages_.take_folder(); !folder.empty()) {
    try {
      folder_opener_.open(folder);
    } catch (const render::OutputError& error) {
      messages_.say(error.what(), Messages::Kind::warning);
    }
  }
  controller_.serve(requests);
}

/// Where bodies are seen, and what is written beside them.
std::vector<Rect> Application::taken_places(const Rect& picture) {
  constexpr std::ptrdiff_t kMost = 400;
  const float density = window_.density();
  std::vector<Rect> taken = banners_;
  for (std::size_t pane = 0; pane < stage_->pane_count(); ++pane) {
    const Rect& place = panes_.place_of(pane);
    for (const auto& surface : stage_->moment().panes[pane].surfaces) {
      const auto points = static_cast<std::ptrdiff_t>(surface.size() / 3);
      ImVec2 low{1e9f, 1e9f}, high{-1e9f, -1e9f};
      for (std::ptrdiff_t i = 0; i < points; i += 1 + points / kMost) {
        const float* at = surface.data() + 3 * i;
        const auto [pixel, depth] = canvas_.camera().project({at[0], at[1], at[2]});
        if (!(depth > 0)) continue;
        const ImVec2 seen{place.x + pixel.x() / density, place.y + pixel.y() / density};
        if (!place.contains(seen.x, seen.y)) continue;
        low = {std::min(low.x, seen.x), std::min(low.y, seen.y)};
        high = {std::max(high.x, seen.x), std::max(high.y, seen.y)};
      }
      if (high.x > low.x) taken.push_back({low.x, low.y, high.x - low.x, high.y - low.y});
    }
  }
  if (stage_->pane_count() > 1)
    for (const Rect& place : panes_.places()) taken.push_back({place.x, place.y, place.width, 60 * style_.unit()});
  if (stage_->in_the_past())
    taken.push_back({picture.x + picture.width - 360 * style_.unit(), picture.y + picture.height - 60 * style_.unit(),
                     360 * style_.unit(), 60 * style_.unit()});
  return taken;
}

}  // namespace rebound::app
