#include "app/trouble.hpp"

#include <cmath>

#include "app/plot_data.hpp"

namespace rebound::app {

std::string trouble(const session::Snapshot& moment) {
  if (!moment.failure.empty()) return moment.failure;
  // Twice the scale above the target is beyond what any blend or unconverged solve explains.
  constexpr double kRunaway = 2;
  const auto& r = moment.record;
  const double over = r.measured.total() - r.target;
  if (!(over > kRunaway * r.scale) || r.scale <= 0) return {};
  // The scale is the target's height above the lowest energy there could be, so this is "times its target" wherever
  // height zero was put.
  constexpr double kMostSaid = 1e4;
  const double times = (over + r.scale) / r.scale;
  return "Energy is " + (times > kMostSaid ? "over 10,000" : short_number(times)) + " × its target: exploding";
}

}  // namespace rebound::app
