#include "app/mouse.hpp"

#include <cmath>
#include <utility>

namespace rebound::app {
namespace {

constexpr float kTremble = 4;          // points a click may move
constexpr double kDoubleClick = 0.35;  // s
constexpr float kZoomANotch = 0.88f;   // of the distance

using Kind = Gesture::Kind;

}  // namespace

std::vector<Gesture> Mouse::on(const MouseEvent& event, const HitTest& hits_body, float pixel_ratio) {
  if (!event.at.allFinite()) return {};
  switch (event.kind) {
    case MouseEvent::Kind::press:
      return press(event, hits_body, pixel_ratio);
    case MouseEvent::Kind::release:
      return release(event);
    case MouseEvent::Kind::move:
      return move(event, pixel_ratio);
    case MouseEvent::Kind::wheel:
      if (mode_ == Mode::grab) return {{Kind::widen_grab, event.at, event.at, event.wheel}};
      return {{Kind::zoom, event.at, event.at, std::pow(kZoomANotch, event.wheel)}};
  }
  return {};
}

bool Mouse::is_second_click(const MouseEvent& event, float pixel_ratio) {
  const bool second = last_click_ && event.time - last_click_->time < kDoubleClick &&
                      (event.at - last_click_->at).norm() < kTremble * pixel_ratio;
  last_click_ = second ? std::nullopt : std::optional(event);
  return second;
}

std::vector<Gesture> Mouse::press(const MouseEvent& event, const HitTest& hits_body, float pixel_ratio) {
  // A second button while the first is held changes nothing: the drag that began goes on.
  if (mode_ != Mode::idle) return {};
  button_ = event.button;
  began_ = last_ = event.at;
  if (event.button == Button::middle || (event.button == Button::left && event.shift)) {
    mode_ = Mode::pan;
    return {};
  }
  if (event.button == Button::right) {
    mode_ = Mode::click_or_pan;
    return {};
  }
  if (box_for_ != BoxFor::nothing) {
    mode_ = Mode::box;
    box_unpins_ = unpins(event);
    return {};
  }
  if (is_second_click(event, pixel_ratio)) return {{Kind::centre, event.at, event.at}};
  if (hits_body(event.at)) {
    mode_ = Mode::grab;
    return {{Kind::grab, event.at, event.at, 1, event.ctrl}};
  }
  mode_ = Mode::orbit;
  return {};
}

std::vector<Gesture> Mouse::move(const MouseEvent& event, float pixel_ratio) {
  const Vec2 from = last_;
  last_ = event.at;
  if (from == event.at) return {};
  // What was dragged was no click: pressed once more where it began, it is taken again.
  if (mode_ != Mode::idle && (event.at - began_).norm() >= kTremble * pixel_ratio) last_click_.reset();
  switch (mode_) {
    case Mode::orbit:
      return {{Kind::orbit, from, event.at}};
    case Mode::pan:
      return {{Kind::pan, from, event.at}};
    case Mode::grab:
      return {{Kind::move_grab, from, event.at}};
    case Mode::box:
      box_unpins_ = unpins(event);
      return {};
    case Mode::click_or_pan:
      if ((event.at - began_).norm() < kTremble * pixel_ratio) return {};
      mode_ = Mode::pan;
      return {{Kind::pan, began_, event.at}};
    case Mode::idle:
      return {};
  }
  return {};
}

std::vector<Gesture> Mouse::release(const MouseEvent& event) {
  if (mode_ == Mode::idle || event.button != button_) return {};
  const Mode ended = mode_;
  mode_ = Mode::idle;
  if (ended == Mode::grab) return {{Kind::release_grab, event.at, event.at}};
  if (ended == Mode::click_or_pan) return {{Kind::toggle_pin, event.at, event.at}};
  if (ended != Mode::box) return {};
  const bool for_region = std::exchange(box_for_, BoxFor::nothing) == BoxFor::region;
  if (for_region) return {{Kind::box_region, began_, event.at}};
  return {{box_unpins_ || event.ctrl ? Kind::box_unpin : Kind::box_pin, began_, event.at}};
}

std::vector<Gesture> Mouse::cancel() {
  const bool held = mode_ == Mode::grab;
  mode_ = Mode::idle;
  box_for_ = BoxFor::nothing;
  if (held) return {{Kind::release_grab, last_, last_}};
  return {};
}

std::optional<Mouse::Box> Mouse::box() const {
  if (mode_ != Mode::box) return std::nullopt;
  return Box{began_, last_, box_unpins_};
}

}  // namespace rebound::app
