// Rows run, judged and put on a page: what `rebound reproduce` does.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "papers/keep.hpp"

namespace rebound::papers {

struct Request {
  std::filesystem::path folder;  ///< where each row has one of its own
  Means means;
  int jobs = 1;  ///< rows at a time; those that read the clock run alone
  std::string version;
};

/// How far it is; called on any thread, one call at a time.
struct Watch {
  /// seconds_left: of all rows that are still to run, about.
  std::function<void(const std::string& what, double share, double seconds_left)> show;
  /// reused: its results were there.
  std::function<void(const Row& row, const Judged& judged, double seconds, bool reused)> done;
  /// Throws to end it.
  std::function<void()> check;
  /// Ends the steps that are under way, too; may be null.
  const std::atomic<bool>* stop = nullptr;
};

/// Runs what has no results yet in the request's folder; what has keeps them. Returns why rows could not be run, a line
/// each. What is finished stays, however it ends.
std::vector<std::string> run_rows(const std::vector<const Row*>& rows, const Request& request, const Watch& watch);

/// What there is of each row in the folder, as far as it is of this program and of the row as it stands.
struct Shown {
  const Row* row;
  std::optional<Kept> kept;
  Judged judged;
};
std::vector<Shown> look_up(const std::vector<Row>& rows, const Request& request);

}  // namespace rebound::papers
