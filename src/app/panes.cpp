#include "app/panes.hpp"

#include <imgui.h>

namespace rebound::app {

void Panes::arrange(const Rect& picture, std::size_t panes, float unit) {
  places_ = pane_places(picture, settings_.overlaid ? 1 : panes, unit);
  const float density = window_.density();
  canvas_.camera().resize(static_cast<int>(places_.front().width * density),
                          static_cast<int>(places_.front().height * density));
}

void Panes::draw(const Stage& stage, Canvas::Quality quality) {
  const Canvas::Look look{settings_, window_.content_scale(), quality, controller_.under_mouse().marked_obstacle()};
  const float density = window_.density();
  const int whole = window_.framebuffer().height;
  // A pane that was added in this very frame has its place in the next.
  const std::size_t count = std::min(places_.size(), stage.pane_count());
  for (std::size_t pane = 0; pane < count; ++pane) {
    const Rect& place = places_[pane];
    if (place.empty()) continue;
    const int height = static_cast<int>(place.height * density), top = static_cast<int>(place.y * density);
    const render::Viewport viewport{static_cast<int>(place.x * density), whole - top - height,
                                    static_cast<int>(place.width * density), height};
    if (settings_.overlaid) {
      canvas_.draw_overlaid(viewport, stage, look);
    } else {
      canvas_.draw(viewport, stage, pane, look);
    }
  }
}

void Panes::draw_box(const Style& style) const {
  const auto box = mouse_.box();
  if (!box) return;
  const float density = window_.density();
  const Vec2 origin = controller_.picture_origin();
  const auto corner = [&](const Vec2& at) {
    return ImVec2((at.x() + origin.x()) / density, (at.y() + origin.y()) / density);
  };
  const render::Color& color = box->unpins ? style.theme().text_muted : style.theme().pin;
  const ImVec2 a = corner(box->from), b = corner(box->to);
  const ImVec2 low{std::min(a.x, b.x), std::min(a.y, b.y)}, high{std::max(a.x, b.x), std::max(a.y, b.y)};
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  list.AddRectFilled(low, high, to_u32(color.with_alpha(0.14f)));
  list.AddRect(low, high, to_u32(color), 0, 0, 1.5f * style.unit());
}

// The place in which a framebuffer pixel lies.
Panes::Place Panes::under(const Vec2& pixel) const {
  const Vec2 at = pixel / window_.density();
  return std::find_if(places_.begin(), places_.end(),
                      [&](const Rect& place) { return place.contains(at.x(), at.y()); });
}

Vec2 Panes::origin(const Rect& place) const { return window_.density() * Vec2(place.x, place.y); }

void Panes::point_at(Stage& stage, Place place) const {
  stage.point_at(settings_.overlaid ? stage.chosen() : static_cast<std::size_t>(place - places_.begin()));
}

void Panes::look_under_mouse(Stage& stage, const std::vector<MouseEvent>& events) {
  if (!events.empty()) last_mouse_ = events.back();
  std::optional<MouseEvent> over = last_mouse_;
  const auto place = over ? under(over->at) : places_.end();
  if (place != places_.end() && !ImGui::GetIO().WantCaptureMouse) {
    over->at -= origin(*place);
    if (mouse_.mode() == Mouse::Mode::idle) point_at(stage, place);
  } else {
    over.reset();
  }
  controller_.under_mouse().look(over, window_.content_scale());
}

void Panes::take_mouse(Stage& stage, const std::vector<MouseEvent>& events) {
  if (mouse_.mode() == Mouse::Mode::idle) controller_.set_picture_origin(origin(places_.front()));
  for (MouseEvent event : events) {
    const bool begins = event.kind == MouseEvent::Kind::press || event.kind == MouseEvent::Kind::wheel;
    const auto place = under(event.at);
    if (begins && (place == places_.end() || ImGui::GetIO().WantCaptureMouse)) continue;
    if (begins && mouse_.mode() == Mouse::Mode::idle) {
      controller_.set_picture_origin(origin(*place));
      point_at(stage, place);
    }
    event.at -= controller_.picture_origin();
    controller_.take(event, window_.content_scale());
  }
}

}  // namespace rebound::app
