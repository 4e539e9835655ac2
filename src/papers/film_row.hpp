// The motion of a row's runs: a video, and a few pictures of it for the page.
#pragma once

#include <functional>

#include "papers/filmed_runs.hpp"
#include "papers/judge.hpp"

namespace rebound::papers {

/// Writes into the folder and notes in `kept` what is there, or why there is nothing: what a machine lacks is no
/// failure. Runs whose motion was not kept are simulated for it.
void film_row(const Row& row, const FilmedRuns& filmed, const Means& means, const std::filesystem::path& folder,
              const std::function<void()>& check, Kept& kept);

}  // namespace rebound::papers
