// Signs drawn with lines, so that they are sharp at every scale and need no font.
#pragma once

#include <imgui.h>

#include "app/widgets.hpp"

namespace rebound::app {

/// Within the circle of that radius.
void draw_icon(ImDrawList& list, Icon icon, ImVec2 centre, float radius, ImU32 color, float thickness);

}  // namespace rebound::app
