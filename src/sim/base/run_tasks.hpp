// Tasks for workers, where there may be none but the caller.
#pragma once

#include "sim/base/workers.hpp"

namespace rebound::sim {

/// Calls task(0) ... task(count - 1) as Workers::run does; workers: null: by this thread alone.
template <class Task>
void run_tasks(Workers* workers, int count, const Task& task) {
  if (workers != nullptr) return workers->run(count, task);
  for (int i = 0; i < count; ++i) task(i);
}

}  // namespace rebound::sim
