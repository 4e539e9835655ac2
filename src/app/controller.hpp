// Carries out what was asked for, by key, by mouse or in a panel: one way for all of them.
#pragma once

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "app/desk.hpp"
#include "app/file_dialog.hpp"
#include "app/gizmo.hpp"
#include "app/mouse.hpp"

namespace rebound::app {

class Canvas;
class Conductor;
class Exports;
class Gallery;
class Hand;
class Messages;
class Opener;
class Window;

class Controller {
 public:
  /// What it acts on; all outlive it.
  struct World {
    Window& window;
    Settings& settings;
    Canvas& canvas;
    Hand& hand;
    Mouse& mouse;
    Opener& opener;
    Messages& messages;
    FileDialog& dialog;
    Gallery& gallery;
    Exports& exports;
    const Conductor& conductor;
    std::unique_ptr<Stage>& stage;  ///< null until the first scene is open; nothing is asked before
    const int& threads;
  };
  explicit Controller(const World& world) : world_(world) {}

  void act(Action action);
  void serve(const Requests& requests);
  void take(const MouseEvent& event, float pixel_ratio);
  void take_answer(const FileDialog::Answer& answer);
  void reopen_with_detail(int tets);
  void open(const std::filesystem::path& file);
  /// As open(); of a mesh it asks whether it shall join the scene.
  void drop(const std::filesystem::path& file);

  /// What has to be answered before something is opened; empty if there is nothing.
  std::string question() const;
  void show_question(const Desk& desk);

  bool help_is_open() const { return help_; }
  void set_help(bool open) { help_ = open; }
  /// True once after a screenshot was asked for.
  bool take_screenshot_wish() { return std::exchange(wants_screenshot_, false); }

  /// True once after the film of the last seconds was asked for.
  bool take_film_wish() { return std::exchange(wants_film_, false); }

  /// True once after the record button.
  bool take_recording_wish() { return std::exchange(wants_recording_, false); }

  /// Which obstacle lies under the mouse, which is at a pixel of the picture or elsewhere.
  void look_under(const std::optional<MouseEvent>& mouse, float pixel_ratio);
  /// What a press would take hold of, m: a vertex of a body, then what lies within reach; empty for nothing.
  const std::vector<render::Vec3>& hovered_points() const { return hovered_points_; }
  /// Of the chosen obstacle's arrows and rings, the part that is held or that a press would take.
  std::optional<GizmoPart> hovered_part() const;
  /// The one that is held, pointed at in the picture, or in the list.
  std::optional<int> marked_obstacle() const;
  int& chosen_obstacle() { return chosen_obstacle_; }
  /// Takes on what was read in the background. True if there is something new.
  bool poll();

  /// The upper left corner of the picture in the window, framebuffer pixels.
  const Vec2& picture_origin() const { return picture_origin_; }
  void set_picture_origin(const Vec2& origin) { picture_origin_ = origin; }
  /// Some pixel of the picture under which there is a body.
  std::optional<Vec2> pixel_on_body() const;

 private:
  bool act_on_simulation(Action action);
  bool act_on_panes(Action action);
  bool act_on_time(Action action);
  bool act_on_view(Action action);
  bool act_on_files(Action action);
  bool act_on_obstacles(Action action);
  void duplicate_obstacle();
  void add_obstacle(ObstacleKind kind);
  void add_obstacle(const std::filesystem::path& file);
  render::Vec3 beside_the_bodies() const;
  void escape();
  void open(Source source);
  void open_as_it_is(const std::filesystem::path& file);
  void ask_about_recording();
  void ask_about_mesh(const Desk& desk);
  void join(const std::filesystem::path& file, bool shell);
  void set_speed(double speed);
  void choose_integrator(std::size_t place);
  void scale_ui(float factor);
  void carry_out(const std::vector<Gesture>& gestures, float pixel_ratio);

  World world_;
  std::optional<Source> waiting_;  ///< to be opened, once it is said that the recording may end
  struct Surface {
    std::filesystem::path file;
    bool has_border = false;
    bool may_join = false;
  };
  std::future<Surface> looked_at_;              ///< a surface that is to be opened
  std::optional<Surface> asked_;                ///< until it is said what it is meant as
  bool help_ = false;
  bool wants_screenshot_ = false;
  bool wants_recording_ = false;
  bool wants_film_ = false;
  Vec2 picture_origin_ = Vec2::Zero();
  std::optional<Vec2> under_mouse_;  ///< a pixel of the picture
  std::optional<int> hovered_, listed_;
  std::vector<render::Vec3> hovered_points_;
  std::optional<GizmoPart> hovered_part_;
  int chosen_obstacle_ = -1;
  std::future<scene::Obstacle> read_obstacle_;
};

}  // namespace rebound::app
