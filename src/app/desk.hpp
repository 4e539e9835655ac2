// What every panel gets: the moment to read, and a place to leave what the person asked for.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/mouse.hpp"
#include "app/new_obstacle.hpp"
#include "app/plot_data.hpp"
#include "app/settings.hpp"
#include "app/shortcuts.hpp"
#include "app/stage.hpp"
#include "app/style.hpp"
#include "scene/gallery.hpp"
#include "session/command.hpp"
#include "session/mode_show.hpp"

namespace rebound::app {

/// A number that was changed by hand and has not come back from the simulation yet.
struct PendingEdit {
  double value = 0;
  double posted = 0;     ///< the last value that was sent
  double posted_at = 0;  ///< s
};

/// A number that is being typed into a field.
struct Typing {
  unsigned field = 0;  ///< its ImGui id; 0: none
  char text[64] = "";
  bool fresh = false;   ///< it has just begun
  std::string refusal;  ///< why what was typed is not taken, one line
};

/// What was asked for in this frame.
struct Requests {
  std::vector<session::Command> commands;
  std::vector<Action> actions;
  std::optional<std::filesystem::path> open;
  std::optional<double> speed;
  std::optional<std::string> integrator;
  std::optional<std::int64_t> go_to;              ///< a frame of the run
  std::optional<std::size_t> choose;              ///< a pane's place
  std::optional<int> remove_pane;                 ///< its id
  std::vector<session::Addressed> pane_commands;  ///< for one pane, chosen or not
  std::optional<ObstacleKind> obstacle;           ///< to add
  std::optional<int> marked_obstacle;             ///< to show in the picture
  session::ShownModes shown_modes;                ///< none while nobody looks at them
  bool pause = false;
  std::optional<int> detail;  ///< tetrahedra wanted of every body that was made from a surface
};

/// What drawing costs, on the window's thread; means of the last pictures.
struct DrawTimes {
  double draw_ms = 0;      ///< from the first call of a picture to the last
  double interval_ms = 0;  ///< from one picture to the next
};

/// What the panel of modes shows.
struct ModeView {
  int count = 12;
  std::optional<int> played;  ///< from 0
};

/// The solver that a pane had before a material brought another one along.
struct SetAside {
  int pane = 0;
  scene::Solver solver;
  std::string for_type;
};

/// The energy that a person draws for the time to come.
struct EnergyCurve {
  bool armed = false;         ///< the chart of energies is waiting for it
  std::vector<Sample> drawn;  ///< s, J
};

/// The video that is being recorded.
struct RecordingStatus {
  bool recording = false, finishing = false;
  double seconds = 0;  ///< of the video so far
  int pictures = 0;
  std::string file;
};

struct Desk {
  const Stage& stage;
  const Style& style;
  Settings& settings;
  Requests& requests;
  std::unordered_map<unsigned, PendingEdit>& edits;  ///< by ImGui id
  std::optional<double>& plot_cursor;                ///< s, the time under the mouse, the same in every plot
  EnergyCurve& energy_curve;
  int& chosen_obstacle;  ///< whose numbers are shown, or -1
  ModeView& modes;
  std::optional<SetAside>& set_aside;
  Typing& typing;
  std::unordered_map<std::string, ImVec2>& fields;  ///< where each number's field was drawn last, by its range's key
  BoxFor box_armed = BoxFor::nothing;
  bool follows = true;  ///< the view keeps the motion in sight
  DrawTimes drawing;
  RecordingStatus recording;
  std::span<const scene::GalleryGroup> scenes;  ///< the built-in ones

  const session::Snapshot& now() const { return stage.now(); }
  const render::Theme& theme() const { return style.theme(); }
  const Fonts& fonts() const { return style.fonts(); }
  /// Window coordinates of so many points.
  float points(float count) const { return count * style.unit(); }
};

}  // namespace rebound::app
