// The colours by which panes are told apart, in the window and in films alike.
#pragma once

#include <array>
#include <cstddef>

#include "session/ensemble.hpp"

namespace rebound::film {

/// Of a theme's series: told apart side by side, and by people who do not see red and green apart, too.
inline constexpr std::array<std::size_t, session::Ensemble::kMostPanes> kPaneSeries = {0, 6, 2, 5, 4, 3};

}  // namespace rebound::film
