#include "app/under_mouse.hpp"

#include "app/canvas.hpp"
#include "app/hand.hpp"

namespace rebound::app {

void UnderMouse::look(const std::optional<MouseEvent>& mouse, float pixel_ratio) {
  pixel_ = mouse ? std::optional(mouse->at) : std::nullopt;
  hovered_.reset();
  points_.clear();
  part_.reset();
  world_.hand.choose_obstacle(chosen_);
  if (!mouse || world_.mouse.mode() != Mouse::Mode::idle) return;
  part_ = world_.hand.pick_gizmo(*world_.stage, mouse->at, pixel_ratio);
  if (part_) return;
  if (const auto met = world_.hand.pick_obstacle(*world_.stage, mouse->at, pixel_ratio, mouse->ctrl))
    hovered_ = met->obstacle;
  if (hovered_) return;
  const session::Snapshot& moment = world_.stage->pointed_moment();
  const auto picked = world_.hand.pick(moment, mouse->at, pixel_ratio);
  if (!picked) return;
  const auto& [body, vertex] = picked->point;
  const double radius = world_.hand.grab_radius(body, world_.settings);
  const auto& geometry = world_.canvas.picture().geometry(static_cast<std::size_t>(body));
  for (const int held : session::vertices_within(geometry, vertex, radius))
    points_.push_back(film::position(moment, {body, held}));
}

std::optional<GizmoPart> UnderMouse::gizmo_part() const {
  const auto held = world_.hand.held_part();
  return held ? held : part_;
}

std::optional<int> UnderMouse::marked_obstacle() const {
  if (const auto held = world_.hand.held_obstacle()) return held;
  return hovered_ ? hovered_ : listed_;
}

void UnderMouse::forget_obstacle() {
  hovered_.reset();
  chosen_ = -1;
}

}  // namespace rebound::app
