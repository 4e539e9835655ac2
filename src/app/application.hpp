// The window and all that is in it: what is read, what is shown, and when.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/app.hpp"
#include "app/canvas.hpp"
#include "app/conductor.hpp"
#include "app/controller.hpp"
#include "app/desk.hpp"
#include "app/exports.hpp"
#include "app/file_dialog.hpp"
#include "app/folder_opener.hpp"
#include "app/gallery.hpp"
#include "app/hand.hpp"
#include "app/layout.hpp"
#include "app/messages.hpp"
#include "app/opener.hpp"
#include "app/panels/panels.hpp"
#include "app/panes.hpp"
#include "app/trace.hpp"
#include "app/window.hpp"

namespace rebound::app {

inline double seconds(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

class Application {
 public:
  explicit Application(const WindowOptions& options);
  ~Application();
  void run();

 private:
  using Clock = std::chrono::steady_clock;

  void open_first();
  bool take_news();
  void take_opened(Opener::Result result);
  bool needs_drawing() const;
  void pace();

  void draw();
  void measure_drawing(double drawn, double since_last);
  void draw_panels(const Layout& layout);
  void draw_opening(const Rect& place);
  std::vector<Rect> taken_places(const Rect& picture);
  void take_keys(const Input& input);
  std::array<float, 4> bounds_in_picture() const;
  nlohmann::json handles_in_window();
  void trace(const Layout& layout);

  const WindowOptions options_;
  std::filesystem::path settings_file_ = settings_file();
  std::string settings_complaint_;
  Settings settings_ = load_settings(settings_file_, &settings_complaint_);
  Window window_;
  Style style_;
  Canvas canvas_;
  Disposal disposal_;
  Opener opener_{disposal_};
  std::unique_ptr<Stage> stage_;
  Mouse mouse_;
  Hand hand_{canvas_};
  Messages messages_;
  FileDialog dialog_;
  Gallery gallery_;
  Exports exports_;
  Conductor conductor_{canvas_, messages_};
  Trace trace_;
  Controller controller_;
  Panes panes_{window_, settings_, canvas_, mouse_, controller_};

  Input input_;
  std::unordered_map<unsigned, PendingEdit> edits_;
  Typing typing_;
  std::unordered_map<std::string, ImVec2> fields_;
  std::optional<double> plot_cursor_;
  ModeView mode_view_;
  std::optional<SetAside> set_aside_;
  SceneHint hint_;
  std::vector<Rect> banners_;  ///< as they were drawn last
  FolderOpener folder_opener_;
  EnergyCurve energy_curve_;
  int threads_ = 1;
  bool first_ = true;
  double frame_interval_ = 1.0 / 60;
  DrawTimes drawing_;
  Clock::time_point last_draw_{}, last_input_ = Clock::now();
  bool news_ = false;  ///< there is something that no picture has shown yet
  // A box takes the size of its text in the picture after the one that has it first. What goes on is drawn soon anyway.
  static constexpr int kSettlingPictures = 2;
  static constexpr double kSettled = 0.1;  ///< s
  int settling_ = 0;                       ///< pictures to come without news
  Clock::time_point last_news_;
  std::int64_t draws_ = 0, gl_errors_ = 0;
  bool following_ = false;  ///< the view is on its way
  double longest_gap_ = 0;  // s between two pictures, since the trace's last line
};

}  // namespace rebound::app
