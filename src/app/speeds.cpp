#include "app/speeds.hpp"

#include <algorithm>
#include <cmath>

namespace rebound::app {

std::string speed_text(double speed) {
  if (speed < 1) return "1/" + std::to_string(std::lround(1 / speed)) + " ×";
  return std::to_string(std::lround(speed)) + " ×";
}

double next_speed(double speed, int direction) {
  const auto here = std::min_element(kSpeeds.begin(), kSpeeds.end(), [speed](double a, double b) {
    return std::abs(std::log(a / speed)) < std::abs(std::log(b / speed));
  });
  const auto place = std::clamp<std::ptrdiff_t>(here - kSpeeds.begin() + direction, 0, std::ssize(kSpeeds) - 1);
  return kSpeeds[static_cast<std::size_t>(place)];
}

}  // namespace rebound::app
