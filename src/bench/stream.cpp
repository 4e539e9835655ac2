#include "bench/stream.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "bench/interleave.hpp"
#include "sim/base/aligned_buffer.hpp"
#include "sim/base/workers.hpp"

namespace rebound::bench {
namespace {

constexpr std::size_t kSizes[] = {256u << 10, 4u << 20, 128u << 20};
constexpr const char* kPlaces[] = {"a core's own cache", "4 MB", "memory"};
constexpr int kReadings = 5;
// One reading is long enough for the clock, and for threads to be there.
constexpr std::size_t kBytesAReading = 256u << 20;

// Inlined into one of its callers, the sums would be kept in memory.
__attribute__((noinline)) std::uint64_t sum(const std::uint64_t* from, std::size_t count) {
  std::array<std::uint64_t, 16> sums{};
  for (std::size_t i = 0; i + sums.size() <= count; i += sums.size())
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += from[i + k];
  std::uint64_t total = 0;
  for (const std::uint64_t one : sums) total += one;
  return total;
}

}  // namespace

std::vector<ReadRate> read_rates(const std::vector<int>& threads) {
  std::vector<ReadRate> rates;
  for (const int count : threads) {
    sim::Workers workers(count);
    for (const std::size_t bytes : kSizes) {
      std::vector<sim::AlignedBuffer<std::uint64_t>> data;
      for (int t = 0; t < count; ++t) data.emplace_back(bytes / sizeof(std::uint64_t));
      std::vector<std::uint64_t> found(static_cast<std::size_t>(count));
      const std::size_t passes = kBytesAReading / bytes;
      const auto read = [&](int t) {
        const auto& own = data[static_cast<std::size_t>(t)];
        std::uint64_t& total = found[static_cast<std::size_t>(t)];
        for (std::size_t pass = 0; pass < passes; ++pass) total += sum(own.data(), own.size()) + total;
      };
      // Pages that nobody has written are one and the same.
      workers.run(count, [&](int t) {
        auto& own = data[static_cast<std::size_t>(t)];
        std::memset(own.data(), t + 1, own.size() * sizeof(std::uint64_t));
      });
      Times times;
      for (int reading = 0; reading < kReadings; ++reading) {
        const Clock clock;
        workers.run(count, read);
        times.add(clock.milliseconds());
      }
      const double all = static_cast<double>(passes * bytes) * count;
      // What is found is used, or it would not be looked for.
      rates.push_back({bytes, count, found[0] == 1 ? 0 : all / times.median() / 1e6});
    }
  }
  return rates;
}

std::string to_text(const std::vector<ReadRate>& rates) {
  std::string text = "this machine reads, GB/s:";
  char part[96];
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const std::size_t place = i % std::size(kSizes);
    if (place == 0) {
      std::snprintf(part, sizeof part, "%s on %d thread%s", i == 0 ? "" : ";", rates[i].threads,
                    rates[i].threads == 1 ? "" : "s");
      text += part;
    }
    std::snprintf(part, sizeof part, "%s %.3g from %s", place == 0 ? "" : ",", rates[i].gb_per_s, kPlaces[place]);
    text += part;
  }
  return text;
}

}  // namespace rebound::bench
