#include "bench/interleave.hpp"

#include <algorithm>

namespace rebound::bench {
namespace {

constexpr int kFewestRounds = 3;
constexpr double kEnough = 300;            // ms, of each of ours
constexpr double kEnoughReference = 1000;  // ms

}  // namespace

double Times::median() const {
  std::vector<double> sorted = ms_;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

double Times::max() const { return *std::max_element(ms_.begin(), ms_.end()); }

Interleaved in_turn(const std::vector<Timed>& ours, const Timed& reference) {
  Interleaved times;
  times.ours.resize(ours.size());
  double total = 0;
  for (int round = 0; round < kFewestRounds || total < kEnoughReference; ++round) {
    if (reference) times.reference.add(reference());
    total = times.reference.total();
    for (std::size_t i = 0; i < ours.size(); ++i) {
      times.ours[i].add(ours[i]());
      total += times.ours[i].total();
    }
  }
  return times;
}

Interleaved interleave(const std::vector<Timed>& ours, const Timed& reference) {
  Interleaved times;
  times.ours.resize(ours.size());
  const auto enough = [](const Times& t) { return t.total() >= kEnough; };
  for (int round = 0; round < kFewestRounds || !std::all_of(times.ours.begin(), times.ours.end(), enough); ++round) {
    for (std::size_t i = 0; i < ours.size(); ++i)
      for (int k = 0; k < kInARow; ++k) times.ours[i].add(ours[i]());
    if (reference && (round < kFewestRounds || times.reference.total() < kEnoughReference))
      times.reference.add(reference());
  }
  return times;
}

}  // namespace rebound::bench
