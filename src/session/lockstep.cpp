#include "session/lockstep.hpp"

#include <algorithm>

#include "sim/base/stop_request.hpp"

namespace rebound::session {

bool Lockstep::step(std::span<Session* const> sessions) {
  living_.clear();
  for (Session* session : sessions)
    if (session->failure().empty()) living_.push_back(session);
  if (living_.empty()) return false;
  const int count = static_cast<int>(living_.size()), at_once = std::min(threads_, count);
  for (Session* session : living_) session->use_threads(threads_ / at_once);
  if (!each_) each_ = std::make_unique<sim::Workers>(at_once);
  each_->use(at_once);
  stepped_.assign(living_.size(), 0);
  const std::atomic<bool>* stop = sim::StopRequest::flag();
  each_->run(count, [&](int i) {
    const sim::StopRequest also_here(stop);
    const auto of = static_cast<std::size_t>(i);
    stepped_[of] = living_[of]->step();
  });
  return std::find(stepped_.begin(), stepped_.end(), 1) != stepped_.end();
}

}  // namespace rebound::session
