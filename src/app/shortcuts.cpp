#include "app/shortcuts.hpp"

#include <GLFW/glfw3.h>

namespace rebound::app {
namespace {

constexpr bool kOnce = false, kRepeats = true;
constexpr KeyPress plain(int key) { return {key, false, false}; }
constexpr KeyPress ctrl(int key) { return {key, true, false}; }
constexpr KeyPress ctrl_shift(int key) { return {key, true, true}; }

// clang-format off
constexpr Shortcut kShortcuts[] = {
    {Action::toggle_pause, plain(GLFW_KEY_SPACE), kOnce, "Space", "Pause or go on", "Simulation"},
    {Action::step, plain(GLFW_KEY_RIGHT), kRepeats, "Right", "One step, then pause; in the past, 1 frame on", "Simulation"},
    {Action::step_back, plain(GLFW_KEY_LEFT), kRepeats, "Left", "1 frame back", "Simulation"},
    {Action::to_start, ctrl(GLFW_KEY_LEFT), kOnce, "Ctrl Left", "Go to the first frame that is kept", "Simulation"},
    {Action::to_end, ctrl(GLFW_KEY_RIGHT), kOnce, "Ctrl Right", "Go to the last frame", "Simulation"},
    {Action::redo, ctrl_shift(GLFW_KEY_Z), kRepeats, "Ctrl Shift Z", "Redo", "Simulation"},
    {Action::undo, ctrl(GLFW_KEY_Z), kRepeats, "Ctrl Z", "Undo the last edit: pins, settings, obstacles", "Simulation"},
    {Action::redo, ctrl(GLFW_KEY_Y), kRepeats, "Ctrl Y", "", "Simulation"},
    {Action::reset, plain(GLFW_KEY_BACKSPACE), kOnce, "Backspace", "Back to the start of the scene", "Simulation"},
    {Action::slower, plain(GLFW_KEY_MINUS), kRepeats, "-", "Slower", "Simulation"},
    {Action::slower, plain(GLFW_KEY_KP_SUBTRACT), kRepeats, "-", "", "Simulation"},
    {Action::faster, plain(GLFW_KEY_EQUAL), kRepeats, "=", "Faster", "Simulation"},
    {Action::faster, plain(GLFW_KEY_KP_ADD), kRepeats, "+", "", "Simulation"},
    {Action::normal_speed, plain(GLFW_KEY_0), kOnce, "0", "Real-time speed", "Simulation"},
    {Action::integrator_1, plain(GLFW_KEY_1), kOnce, "1 to 9", "Switch to that integrator of the list", "Simulation"},
    {Action::integrator_2, plain(GLFW_KEY_2), kOnce, "2", "", "Simulation"},
    {Action::integrator_3, plain(GLFW_KEY_3), kOnce, "3", "", "Simulation"},
    {Action::integrator_4, plain(GLFW_KEY_4), kOnce, "4", "", "Simulation"},
    {Action::integrator_5, plain(GLFW_KEY_5), kOnce, "5", "", "Simulation"},
    {Action::integrator_6, plain(GLFW_KEY_6), kOnce, "6", "", "Simulation"},
    {Action::integrator_7, plain(GLFW_KEY_7), kOnce, "7", "", "Simulation"},
    {Action::integrator_8, plain(GLFW_KEY_8), kOnce, "8", "", "Simulation"},
    {Action::integrator_9, plain(GLFW_KEY_9), kOnce, "9", "", "Simulation"},
    {Action::box_pin, plain(GLFW_KEY_B), kOnce, "B", "Pin with a box (with Ctrl: unpin)", "Simulation"},
    {Action::box_region, plain(GLFW_KEY_M), kOnce, "M", "Make what a box holds of another material", "Simulation"},
    {Action::unpin_all, plain(GLFW_KEY_U), kOnce, "U", "Unpin everything", "Simulation"},
    {Action::add_sphere, plain(GLFW_KEY_O), kOnce, "O", "Put a ball where the mouse points", "Simulation"},
    {Action::remove_obstacle, plain(GLFW_KEY_DELETE), kOnce, "Del", "Remove the obstacle under the mouse", "Simulation"},
    {Action::duplicate_obstacle, ctrl(GLFW_KEY_D), kOnce, "Ctrl D", "Duplicate the obstacle chosen or under the mouse", "Simulation"},
    {Action::add_pane, plain(GLFW_KEY_C), kOnce, "C", "Compare: a pane with the next integrator", "View"},
    {Action::next_pane, plain(GLFW_KEY_N), kOnce, "N", "Choose the next pane, for keys and panels", "View"},
    {Action::toggle_overlaid, plain(GLFW_KEY_G), kOnce, "G", "Panes side by side, or as ghosts", "View"},
    {Action::frame_bodies, plain(GLFW_KEY_F), kOnce, "F", "Bring the bodies into view", "View"},
    {Action::home_view, plain(GLFW_KEY_HOME), kOnce, "Home", "Default view", "View"},
    {Action::view_front, ctrl(GLFW_KEY_1), kOnce, "Ctrl 1", "From the front, along z", "View"},
    {Action::view_side, ctrl(GLFW_KEY_2), kOnce, "Ctrl 2", "From the side, along x", "View"},
    {Action::view_top, ctrl(GLFW_KEY_3), kOnce, "Ctrl 3", "From above, along y", "View"},
    {Action::toggle_follow, plain(GLFW_KEY_L), kOnce, "L", "Follow the motion with the view, or stay", "View"},
    {Action::toggle_wireframe, plain(GLFW_KEY_W), kOnce, "W", "Wireframe", "View"},
    {Action::toggle_contacts, plain(GLFW_KEY_K), kOnce, "K", "Contacts: points, normals and forces", "View"},
    {Action::next_colors, plain(GLFW_KEY_S), kOnce, "S", "Colours: stress, strain, energy, plain", "View"},
    {Action::toggle_theme, plain(GLFW_KEY_T), kOnce, "T", "Dark or light", "View"},
    {Action::toggle_panels, plain(GLFW_KEY_TAB), kOnce, "Tab", "Hide or show the panels", "View"},
    {Action::full_screen, plain(GLFW_KEY_F11), kOnce, "F11", "Full screen", "View"},
    {Action::larger_ui, ctrl(GLFW_KEY_EQUAL), kRepeats, "Ctrl +", "Larger controls", "View"},
    {Action::larger_ui, ctrl(GLFW_KEY_KP_ADD), kRepeats, "Ctrl +", "", "View"},
    {Action::smaller_ui, ctrl(GLFW_KEY_MINUS), kRepeats, "Ctrl -", "Smaller controls", "View"},
    {Action::smaller_ui, ctrl(GLFW_KEY_KP_SUBTRACT), kRepeats, "Ctrl -", "", "View"},
    {Action::standard_ui, ctrl(GLFW_KEY_0), kOnce, "Ctrl 0", "Controls at the display's own size", "View"},
    {Action::gallery, plain(GLFW_KEY_F2), kOnce, "F2", "All scenes, with pictures", "Files"},
    {Action::open_file, ctrl(GLFW_KEY_O), kOnce, "Ctrl O", "Open a scene, a mesh or a run (or drop it)", "Files"},
    {Action::open_obstacle, ctrl(GLFW_KEY_B), kOnce, "Ctrl B", "Add a closed surface as an obstacle", "Files"},
    {Action::reload, ctrl(GLFW_KEY_R), kOnce, "Ctrl R", "Read the file again", "Files"},
    {Action::save_run, ctrl_shift(GLFW_KEY_S), kOnce, "Ctrl Shift S", "Save the run: scene, events and checksums", "Files"},
    {Action::save_scene, ctrl(GLFW_KEY_S), kOnce, "Ctrl S", "Save the scene with these settings", "Files"},
    {Action::export_csv, ctrl(GLFW_KEY_E), kOnce, "Ctrl E", "Export the plotted data as CSV", "Files"},
    {Action::export_plots, ctrl(GLFW_KEY_G), kOnce, "Ctrl G", "Export the plots (SVG)", "Files"},
    {Action::screenshot, ctrl(GLFW_KEY_P), kOnce, "Ctrl P", "Screenshot (PNG)", "Files"},
    {Action::record, plain(GLFW_KEY_V), kOnce, "V", "Record a video; once more ends it", "Files"},
    {Action::film_last, ctrl(GLFW_KEY_V), kOnce, "Ctrl V", "Film the last 10 s", "Files"},
    {Action::help, plain(GLFW_KEY_F1), kOnce, "F1", "This list", "Files"},
    {Action::escape, plain(GLFW_KEY_ESCAPE), kOnce, "Esc", "Let go, close what is open; never quits", "Files"},
    {Action::quit, ctrl(GLFW_KEY_Q), kOnce, "Ctrl Q", "Quit", "Files"},
};

constexpr MouseHint kMouseHints[] = {
    {"Left drag on a body", "Pull it with a spring"},
    {"Left drag on an obstacle", "Move it: it pushes what is in its way"},
    {"Left drag on its arrow or ring", "Move it along an axis, or turn it about one"},
    {"Ctrl + left drag on an obstacle", "Turn it; a floor or wall: move it along its normal"},
    {"Left drag elsewhere", "Orbit"},
    {"Shift + left, right or middle drag", "Pan"},
    {"Wheel while pulling", "Hold more of the body, or less"},
    {"Wheel", "Zoom about the cursor"},
    {"Right click on a body", "Pin or unpin a vertex"},
    {"Double click", "Centre the view there"},
};
// clang-format on

}  // namespace

std::span<const Shortcut> shortcuts() { return kShortcuts; }
std::span<const MouseHint> mouse_hints() { return kMouseHints; }

std::optional<Action> find_action(const KeyPress& press, bool is_repeat) {
  for (const Shortcut& row : kShortcuts) {
    const bool same = row.press.key == press.key && row.press.ctrl == press.ctrl && (!row.press.shift || press.shift);
    if (same) return is_repeat && !row.repeats ? std::nullopt : std::optional(row.action);
  }
  return std::nullopt;
}

std::string_view keys_of(Action action) {
  for (const Shortcut& row : kShortcuts)
    if (row.action == action) return row.keys;
  return {};
}

std::string described(Action action) {
  for (const Shortcut& row : kShortcuts)
    if (row.action == action) return std::string(row.what) + " (" + std::string(row.keys) + ")";
  return {};
}

}  // namespace rebound::app
