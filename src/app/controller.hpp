// Carries out what was asked for, by key, by mouse or in a panel: one way for all of them.
#pragma once

#include <optional>
#include <utility>

#include "app/arrivals.hpp"
#include "app/desk.hpp"
#include "app/file_dialog.hpp"
#include "app/mouse.hpp"
#include "app/obstacle_tools.hpp"
#include "app/under_mouse.hpp"
#include "app/world.hpp"

namespace rebound::app {

class Controller {
 public:
  explicit Controller(const World& world) : world_(world) {}
  Controller(const Controller&) = delete;
  Controller& operator=(const Controller&) = delete;

  Arrivals& arrivals() { return arrivals_; }
  UnderMouse& under_mouse() { return under_mouse_; }
  const UnderMouse& under_mouse() const { return under_mouse_; }

  void act(Action action);
  void serve(const Requests& requests);
  void take(const MouseEvent& event, float pixel_ratio);
  void take_answer(const FileDialog::Answer& answer);
  /// Takes on what was read in the background. True if there is something new.
  bool poll() { return arrivals_.poll() || obstacle_tools_.poll(); }

  bool help_is_open() const { return help_; }
  void set_help(bool open) { help_ = open; }
  /// True once after a screenshot was asked for.
  bool take_screenshot_wish() { return std::exchange(wants_screenshot_, false); }
  /// True once after the film of the last seconds was asked for.
  bool take_film_wish() { return std::exchange(wants_film_, false); }
  /// True once after the record button.
  bool take_recording_wish() { return std::exchange(wants_recording_, false); }

  /// The upper left corner of the picture in the window, framebuffer pixels.
  const Vec2& picture_origin() const { return picture_origin_; }
  void set_picture_origin(const Vec2& origin) { picture_origin_ = origin; }
  /// Some pixel of the picture under which there is a body.
  /// The scene's name, and where panes are compared the method whose curves are exported.
  std::string plotted_name() const;
  std::optional<Vec2> pixel_on_body() const;

 private:
  bool act_on_simulation(Action action);
  bool act_on_panes(Action action);
  bool act_on_time(Action action);
  bool act_on_view(Action action);
  bool act_on_files(Action action);
  void escape();
  void set_speed(double speed);
  void choose_integrator(std::size_t place);
  void scale_ui(float factor);
  void carry_out(const std::vector<Gesture>& gestures, float pixel_ratio);

  World world_;
  Arrivals arrivals_{world_};
  UnderMouse under_mouse_{world_};
  ObstacleTools obstacle_tools_{world_, under_mouse_};
  bool help_ = false;
  bool turns_slider_ = false;  ///< panels have set something since the button was pressed
  bool wants_screenshot_ = false;
  bool wants_recording_ = false;
  bool wants_film_ = false;
  Vec2 picture_origin_ = Vec2::Zero();
};

}  // namespace rebound::app
