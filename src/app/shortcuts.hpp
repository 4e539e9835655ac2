// What a person can ask for, and the keys that ask for it: one table, read by the key handler, the help overlay, the
// tooltips and a test.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rebound::app {

enum class Action {
  toggle_pause,
  step,
  step_back,
  to_start,
  to_end,
  reset,
  undo,
  redo,
  slower,
  faster,
  normal_speed,
  integrator_1,  // the nine follow one another, so that the list's place is their difference
  integrator_2,
  integrator_3,
  integrator_4,
  integrator_5,
  integrator_6,
  integrator_7,
  integrator_8,
  integrator_9,
  box_pin,
  box_region,
  unpin_all,
  add_sphere,
  remove_obstacle,
  duplicate_obstacle,
  add_pane,
  next_pane,
  toggle_overlaid,
  frame_bodies,
  home_view,
  view_front,
  view_side,
  view_top,
  toggle_follow,
  gallery,
  open_file,
  open_obstacle,
  reload,
  save_scene,
  save_run,
  screenshot,
  record,
  film_last,
  export_csv,
  export_plots,
  toggle_theme,
  toggle_wireframe,
  toggle_contacts,
  next_colors,
  toggle_panels,
  full_screen,
  larger_ui,
  smaller_ui,
  standard_ui,
  help,
  escape,
  quit,
};

inline constexpr int kIntegratorKeys = 9;

/// A key with its modifiers, in GLFW's numbers; shift is part of it only where the table says so.
struct KeyPress {
  int key = 0;
  bool ctrl = false;
  bool shift = false;
};

struct Shortcut {
  Action action;
  KeyPress press;
  bool repeats;           ///< whether a key held down asks again and again
  std::string_view keys;  ///< as printed on the keyboard
  std::string_view what;  ///< what it does, for the help overlay; empty for a second key of the same action
  std::string_view group;
};

std::span<const Shortcut> shortcuts();

/// What this key asks for. Shift is ignored unless a row wants it: "+" is shift and "=" on many keyboards.
std::optional<Action> find_action(const KeyPress& press, bool is_repeat);

/// "Pause or go on (Space)": for tooltips.
std::string described(Action action);
/// "Space"; empty if no key is bound.
std::string_view keys_of(Action action);

/// What the mouse does, for the help overlay.
struct MouseHint {
  std::string_view gesture;
  std::string_view what;
};
std::span<const MouseHint> mouse_hints();

}  // namespace rebound::app
