// The speeds that a person can choose: simulated seconds a second.
#pragma once

#include <array>
#include <string>

namespace rebound::app {

inline constexpr std::array kSpeeds = {1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1.0, 2.0, 4.0};

/// "1/4 ×".
std::string speed_text(double speed);
/// One place further in the list; the ends stay.
double next_speed(double speed, int direction);

}  // namespace rebound::app
