// Every panel: a free function that reads the desk and leaves requests on it.
#pragma once

#include "app/desk.hpp"
#include "app/layout.hpp"

namespace rebound::app {

// Parts of the side panel.
void scene_panel(Desk& desk);
void integrator_panel(Desk& desk);
void solver_panel(Desk& desk);
void material_panel(Desk& desk);
void forces_panel(Desk& desk);
void obstacles_panel(Desk& desk);
void view_panel(Desk& desk);
void ledger_panel(Desk& desk);
void budget_panel(Desk& desk);

// Strips of the window.
void top_bar(Desk& desk, const Rect& place);
void side_panel(Desk& desk, const Rect& place);
void plots_strip(Desk& desk, const Rect& place);

// Over the picture.
/// Says that the simulation stands or runs away, and offers what helps.
void trouble_banner(Desk& desk, const Rect& picture);
/// One line about what the mouse is doing.
void mode_hint(Desk& desk, const Rect& picture);
/// The list of keys; `open` goes false when it is closed.
void help_overlay(Desk& desk, const Rect& picture, bool& open);

}  // namespace rebound::app
