// Steps sessions at once. Small worlds have little to share out, so each is given a thread of its own before any is
// given two. The results do not depend on it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "session/session.hpp"

namespace rebound::session {

class Lockstep {
 public:
  /// threads >= 1: of all sessions together.
  explicit Lockstep(int threads) : threads_(threads) {}

  /// Steps each of them that has not failed. False if there was none, or none of them did.
  bool step(std::span<Session* const> sessions);

 private:
  int threads_;
  std::unique_ptr<sim::Workers> each_;  ///< one session a task
  std::vector<Session*> living_;
  std::vector<std::uint8_t> stepped_;
};

}  // namespace rebound::session
