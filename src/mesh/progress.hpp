// How long work tells how far it is, and is told to stop.
#pragma once

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>

namespace rebound::mesh {

/// Thrown by Progress::step once the user has cancelled; nothing was changed.
class Cancelled : public std::runtime_error {
 public:
  Cancelled() : std::runtime_error("cancelled") {}
};

/// Both members are optional. `report` is called on the working thread with a short name of the stage and how much of
/// it is done, in [0, 1]; `cancel` may be set from any thread.
struct Progress {
  std::function<void(const std::string& stage, double fraction)> report;
  const std::atomic<bool>* cancel = nullptr;

  bool cancelled() const { return cancel && cancel->load(std::memory_order_relaxed); }

  /// Cheap enough for every few thousand elements. Throws Cancelled.
  void check() const {
    if (cancelled()) throw Cancelled();
  }

  /// Reports, and throws Cancelled when the user has cancelled (at the latest while this was reported).
  void step(const std::string& stage, double fraction) const {
    check();
    if (report) report(stage, fraction);
    check();
  }
};

}  // namespace rebound::mesh
