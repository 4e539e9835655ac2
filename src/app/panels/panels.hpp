// Every panel: a free function that reads the desk and leaves requests on it.
#pragma once

#include <span>

#include "app/desk.hpp"
#include "app/free_place.hpp"
#include "app/gizmo.hpp"
#include "app/heat_scale.hpp"
#include "app/layout.hpp"
#include "render/camera.hpp"

namespace rebound::sim {
struct SolverInfo;
}

namespace rebound::app {

/// What is said of a scene until the first drag.
struct SceneHint {
  bool shown = false;
  bool first = false;  ///< nothing was opened before: it says what the mouse does as well
  std::string to_try;  ///< one sentence; may be empty
  Rect at;             ///< as drawn last
  FreePlace place;
};

/// Asks for Newton's method unless the solver at hand can do this.
void choose_newton_unless(Desk& desk, bool sim::SolverInfo::*can);

// Parts of the side panel.
void scene_panel(Desk& desk);
void integrator_panel(Desk& desk);
void solver_panel(Desk& desk);
void solve_trace_panel(Desk& desk);
void material_panel(Desk& desk);
void forces_panel(Desk& desk);
void contacts_panel(Desk& desk);
void obstacles_panel(Desk& desk);
void view_panel(Desk& desk);
void ledger_panel(Desk& desk);
void modes_panel(Desk& desk);
void budget_panel(Desk& desk);

// Strips of the window.
void top_bar(Desk& desk, const Rect& place);
void side_panel(Desk& desk, const Rect& place);
void plots_strip(Desk& desk, const Rect& place);
/// Where in the run one is, and how to go elsewhere; the panes' button.
void timeline_strip(Desk& desk, const Rect& place);

// Over the picture.
/// Each pane's name and energy, and what changes it; nothing where there is but one. `places`: as pane_places(), or one
/// for all.
void pane_headers(Desk& desk, std::span<const Rect> places);
/// How much of a pane its head takes, with the margin above.
float pane_head_height(const Desk& desk, const Rect& place);
/// How far down the heads lie over the whole width of each picture; 0 where they leave room beside them.
float pane_heads_reach(const Desk& desk, std::span<const Rect> places);
/// Says of each pane that it stands or runs away, and offers what helps. Returns where.
std::vector<Rect> trouble_banners(Desk& desk, std::span<const Rect> places);
/// A ring round where each pane broke, which is often deep inside the body; at the edge, an arrow that points there.
/// density: framebuffer pixels a window coordinate.
void failure_rings(const Desk& desk, std::span<const Rect> places, const render::Camera& camera, float density);
/// The vertices that a press would take hold of, the one under the mouse first; what is held, and how strongly it is
/// pulled, in newtons. As failure_rings().
void hand_marks(const Desk& desk, std::span<const Rect> places, const render::Camera& camera, float density,
                std::span<const render::Vec3> hovered);
/// Arrows and rings of the chosen obstacle. `lit`: what is under the mouse or held.
void obstacle_handles(const Desk& desk, std::span<const Rect> places, const render::Camera& camera, float density,
                      const std::optional<GizmoPart>& lit);
/// What the bodies' colours mean, in the first pane: all share it. Returns what it covers.
Rect heat_legend(const Desk& desk, std::span<const Rect> places, const HeatScale& heat);
/// What the scene is and what to try in it; gone with a click. `taken`: what it must not cover; where that leaves it no
/// room in the picture, it covers the plots.
void scene_hint(Desk& desk, const Rect& picture, const Rect& plots, SceneHint& hint, std::span<const Rect> taken);
/// One line about what the mouse is doing.
void mode_hint(Desk& desk, const Rect& picture);
/// The list of keys; `open` goes false when it is closed.
void help_overlay(Desk& desk, const Rect& picture, bool& open);

}  // namespace rebound::app
