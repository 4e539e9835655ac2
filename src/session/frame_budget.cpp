#include "session/frame_budget.hpp"

namespace rebound::session {
namespace {

constexpr double kNewest = 1.0 / 16;  // share of the newest frame in the mean

double milliseconds(FrameMeter::Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

}  // namespace

// All parts have the same weights, so sums of means are means of sums.
void FrameMeter::begin(Clock::time_point now) {
  if (began_) {
    present_.frame_ms = milliseconds(now - *began_);
    const double share = mean_.frame_ms == 0 ? 1 : kNewest;
    for (double FrameBudget::*part :
         {&FrameBudget::frame_ms, &FrameBudget::step_ms, &FrameBudget::commands_ms, &FrameBudget::hand_over_ms})
      mean_.*part += share * (present_.*part - mean_.*part);
  }
  began_ = now;
  present_ = {};
}

void FrameMeter::charge(double FrameBudget::*part, Clock::time_point since, Clock::time_point now) {
  present_.*part += milliseconds(now - since);
}

}  // namespace rebound::session
