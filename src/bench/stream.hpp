// How fast this machine reads, to hold what a step reads against it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rebound::bench {

struct ReadRate {
  std::size_t bytes = 0;  ///< a thread, read again and again
  int threads = 1;
  double gb_per_s = 0;  ///< 1e9 bytes a second, of all threads together; the median of several readings
};

/// Half a second: what fits a core's own cache, the last cache, and what fits neither, on each number of threads.
std::vector<ReadRate> read_rates(const std::vector<int>& threads);

/// From its memory, and from 4 MB a thread, on so many threads; 0: not among `rates`.
double memory_rate(const std::vector<ReadRate>& rates, int threads);
double cache_rate(const std::vector<ReadRate>& rates, int threads);

/// A line for people.
std::string to_text(const std::vector<ReadRate>& rates);

}  // namespace rebound::bench
