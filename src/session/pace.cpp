#include "session/pace.hpp"

#include <utility>

namespace rebound::session {

void Pace::frame(double time, double step, Clock::time_point at) {
  const Frame now{at, time, step, std::exchange(spent, {})};
  // A frame may take longer than a pause.
  const auto idle = [&] {
    const std::chrono::duration<double, std::milli> since = now.at - frames_.back().at;
    return since.count() - now.spent.frame_ms();
  };
  constexpr double kPauseMs = 1000;
  if (!frames_.empty() && (idle() > kPauseMs || now.time <= frames_.back().time)) frames_.clear();
  frames_.push_back(now);
  if (frames_.size() > 1) {
    Frame& last = frames_.back();
    last.spent.waiting_ms = 0;
    const auto since = std::chrono::duration<double, std::milli>(now.at - frames_[frames_.size() - 2].at);
    last.spent.waiting_ms = since.count() - last.spent.frame_ms();
  }
  while (frames_.size() > 2 && now.at - frames_[1].at > std::chrono::seconds(1)) frames_.pop_front();
}

FrameBudget Pace::budget() const {
  FrameBudget sum;
  for (std::size_t i = 1; i < frames_.size(); ++i) sum += frames_[i].spent;
  return frames_.size() > 1 ? sum / static_cast<double>(frames_.size() - 1) : sum;
}

double Pace::real_time() const {
  if (frames_.empty()) return 1;
  if (frames_.size() == 1) {
    const double taken = 1e-3 * frames_.front().spent.frame_ms();
    return taken > frames_.front().step ? frames_.front().step / taken : 1;
  }
  return (frames_.back().time - frames_.front().time) /
         std::chrono::duration<double>(frames_.back().at - frames_.front().at).count();
}

}  // namespace rebound::session
