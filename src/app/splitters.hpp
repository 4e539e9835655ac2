// The edges of the panels, which can be dragged.
#pragma once

#include "app/desk.hpp"
#include "app/layout.hpp"

namespace rebound::app {

void move_splitters(Desk& desk, const Layout& layout);

}  // namespace rebound::app
