// Broken lines, which ImGui does not draw.
#pragma once

#include <imgui.h>

#include <span>

namespace rebound::app {

/// Along the line, `on` units of ink and `off` units of none; the rhythm runs on over the corners.
void draw_dashes(ImDrawList& list, std::span<const ImVec2> line, ImU32 color, float width, float on, float off);

}  // namespace rebound::app
