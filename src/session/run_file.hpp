// A run's file that grows as the run goes on: what a crash leaves of it, in PATH.partial-PID-N, can be replayed.
#pragma once

#include "session/journal.hpp"
#include "session/output_file.hpp"

namespace rebound::session {

class RunFile {
 public:
  /// Throws InputError naming the path and the reason, as all others here do.
  RunFile(const std::filesystem::path& path, const scene::Description& scene);

  /// The ensemble has come to another frame; the first one is its start.
  void frame(const Ensemble& ensemble);
  /// Something was done since.
  void entry(const Entry& entry);
  /// Gives the file its name.
  void commit();

 private:
  OutputFile file_;
  std::int64_t last_ = 0;                            ///< frame
  std::vector<std::pair<int, std::string>> failed_;  ///< panes that stand still, and why
};

}  // namespace rebound::session
