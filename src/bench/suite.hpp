// What `rebound bench` measures: bodies by parts, each with its quality and with the plain reference in the same run.
//
// Not on Google Benchmark: a row needs the median and the largest of frames that differ from one another, and three
// things measured in turn; that library repeats one thing after the other and reports means.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/iteration.hpp"
#include "bench/stream.hpp"

namespace rebound::bench {

struct Row {
  std::string name;  ///< PART/BODY
  std::string body;
  int vertices = 0, elements = 0;
  std::string integrator, solver;
  int threads = 1;
  int iterations = 1;  ///< of the first solve of a step; newton: those that it took
  double median_ms = 0, max_ms = 0;
  /// frame: (g - g*) / (g0 - g*) of the step's first solve, median of sampled frames; local: |dE - reference| /
  /// |reference|; global, newton: |x - reference| / |reference|; assembly: |H - reference| / |reference|. Empty: a method
  /// that minimises nothing.
  std::optional<double> gap;
  std::optional<double> reference_ms;  ///< empty: there is none for this solver
  int repetitions = 0, reference_repetitions = 0;
  std::optional<double> memory_mb;  ///< frame: what a session of this body made the process grow by
  /// What an iteration of local/global reads and writes, or the part of one, 1e6 bytes: by the layout of its numbers,
  /// wherever they come from. Of a frame, what a visit of a leaf touches counts once. In single precision alone.
  std::optional<double> moved_mb;
  /// That, times the iterations of the median frame, by its time, 1e9 bytes a second.
  std::optional<double> reached_gb_per_s;
  /// What this machine reads on so many threads, from its memory and from 4 MB a thread, 1e9 bytes a second.
  std::optional<double> memory_gb_per_s, cache_gb_per_s;
  /// frame: of an iteration (iteration.hpp).
  std::optional<IterationBytes> iteration_bytes;
  std::optional<IterationTimes> iteration_times;
};

struct Settings {
  std::vector<std::string> scene;        ///< POINTER=JSON, of every body's scene
  std::optional<std::uint64_t> seed;     ///< of a start that the settings make random
  std::vector<std::string> integrators;  ///< of the frames
  std::vector<int> threads;
  std::vector<ReadRate> rates;  ///< of this machine, on those threads
};

/// PART/BODY of every benchmark, in the order in which they run.
std::vector<std::string> benchmarks();

/// Those that are called one of `names`, or else begin with it; all if there are no names. Bodies that show growth are
/// among them if the name says something of their own, and what is Newton's if it says so. Throws InputError for a name that fits none.
std::vector<std::string> chosen(const std::vector<std::string>& names);

/// Told of what is being done, and of each row as it is done.
struct Listener {
  std::function<void(const std::string& what)> working;
  std::function<void(const Row& row)> measured;
};

/// Throws InputError for settings that a scene refuses, std::runtime_error where a simulation fails.
std::vector<Row> run(const std::vector<std::string>& names, const Settings& settings, const Listener& listener);

}  // namespace rebound::bench
