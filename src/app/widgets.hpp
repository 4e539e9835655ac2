// Controls that more than one panel uses.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/desk.hpp"

namespace rebound::app {

enum class Icon {
  play,
  pause,
  step,
  reset,
  undo,
  redo,
  plus,
  cross,
  layers,
  open,
  save,
  camera,
  record,
  help,
  chart,
  sun,
  moon,
  box,
  wire,
  panels,
  chevron_down,
  chevron_right
};

/// A square button with a drawn sign; asks for `action` when pressed, its tooltip is the shortcut's line. Grey where it
/// is not enabled.
void action_button(Desk& desk, Icon icon, Action action, bool active = false, bool enabled = true);

/// Remembers where the item before is, so that a test can press it.
void note_place(const Desk& desk, const std::string& name);

/// A small filled label.
void badge(const Desk& desk, const std::string& text, const render::Color& color);

/// Shown when the item before is hovered for a moment.
void tooltip(const Desk& desk, std::string_view text);

/// A button that shows what is chosen and opens a list; fill it if this returns true, then call ImGui::EndCombo(). A
/// prominent one stands in the accent colour. Negative widths leave that much room.
bool begin_choice(const Desk& desk, const char* id, const std::string& chosen, float width, bool prominent = false);

/// Buttons side by side over the width that is left, one of them pressed (or none: -1). Returns the one that was
/// clicked.
std::optional<int> segmented(const Desk& desk, const char* id, std::span<const char* const> names, int chosen);

/// A collapsible part of the side panel; draw its content if it returns true, then call end_section().
bool begin_section(const Desk& desk, const char* title, bool open_at_first = true);
void end_section(const Desk& desk);

/// One of the theme's lively colours where it can be read on this theme's panels.
render::Color legible(const Desk& desk, const render::Color& color);

/// Grey explaining text, wrapped. Takes at least `lines` lines, so that what stands below a text that changes keeps its
/// place under the mouse.
void muted_text(const Desk& desk, const std::string& text, int lines = 1);
/// A menu, or the list of a combo, that lies open.
bool menu_is_open();
void close_menus();

void colored_text(const render::Color& color, const std::string& text);

/// The left column of a row of controls; the next item fills what is left.
void row_label(const Desk& desk, const char* text, std::string_view tip = {});

/// A slider for a number that has a row in scene::ranges(): limits, unit, scale and tooltip come from there. Returns
/// the value that should be set now, if any. While it is being dragged, a new value is sent only when the one before
/// has arrived in `current`: however slow the simulation, no queue builds up.
std::optional<double> range_field(Desk& desk, const char* label, std::string_view key, double current);
/// The same, writing what should be set into `value`; was there anything?
bool range_field_into(Desk& desk, const char* label, std::string_view key, double& value);

/// "33 ms", "100 kPa", "1000 kg/m³": a value of that range as a person writes it.
std::string range_text(std::string_view key, double value);

}  // namespace rebound::app
