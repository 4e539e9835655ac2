// Ctrl-C, and a request to end, as something that a command asks about between two frames, and that ends a step.
#pragma once

#include <atomic>
#include <string>

#include "mesh/progress.hpp"
#include "sim/base/stop_request.hpp"

namespace rebound::cli {

/// Whether a signal came while there was an Interruption.
bool was_interrupted();

class Interruption {
 public:
  /// From now on SIGINT and SIGTERM are noted, and steps on this thread then end by sim::StepAbandoned. One more, some
  /// seconds later, ends the program at once.
  Interruption();
  /// They end the program again.
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool happened() const { return was_interrupted(); }
  /// Throws mesh::Cancelled if it happened.
  void check() const;
  /// For what can be cancelled.
  const std::atomic<bool>* flag() const;

 private:
  sim::StopRequest steps_too_;
};

/// Works, and says whether that came to its end: it did not where a signal came between two frames or within one.
template <class Work>
bool finished(const Work& work) {
  try {
    work();
    return true;
  } catch (const mesh::Cancelled&) {
  } catch (const sim::StepAbandoned&) {
  }
  return false;
}

/// Says in one line that a signal came, and what there is now; returns the exit status, 128 + the signal.
int interrupted(const std::string& what_there_is);

}  // namespace rebound::cli
