// A program that is fed once, answers once, and may be killed at any time.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "mesh/progress.hpp"

namespace rebound::mesh {

struct ChildOutcome {
  enum class Kind { exited, killed_by_signal, out_of_work, out_of_patience, answered_too_much, not_started };
  Kind kind = Kind::not_started;
  int code = 0;           ///< exit status, signal or errno
  std::string output;     ///< all it wrote to standard output
  std::string complaint;  ///< the last it wrote to standard error
};

struct ChildLimits {
  /// Of processor time, the same whatever else the machine does: beyond it the child is out_of_work. Those that it
  /// starts have as many each.
  int work_seconds;
  double wall_seconds;  ///< beyond it, however little was done in them, the child is out_of_patience
  std::size_t most_output;
};

/// Runs `program` without arguments, feeds it `input`, and waits for its end. However this returns or throws
/// (Cancelled, within 0.1 s), the child and those it started are gone. SIGPIPE is not raised.
ChildOutcome run_child(const std::filesystem::path& program, std::string_view input, const ChildLimits& limits,
                       const Progress& progress, const std::string& stage);

}  // namespace rebound::mesh
