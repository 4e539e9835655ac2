// Several things timed in turn, so that whatever else the machine does meets them alike.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

namespace rebound::bench {

/// Begins when it is made.
class Clock {
 public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  }

 private:
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

/// Does a thing once and returns what that took, ms.
using Timed = std::function<double()>;

class Times {
 public:
  void add(double ms) {
    ms_.push_back(ms);
    total_ += ms;
  }
  int count() const { return static_cast<int>(ms_.size()); }
  double total() const { return total_; }
  /// Of at least one.
  double median() const;
  double max() const;

 private:
  std::vector<double> ms_;
  double total_ = 0;
};

/// How many times in a row each of `ours` is done before the next has its turn.
inline constexpr int kInARow = 10;

struct Interleaved {
  std::vector<Times> ours;
  Times reference;
};

/// Rounds of ten times each of `ours` and once the reference (which may be empty), until each of ours has been done 30
/// times and for 0.3 s; a slow reference is done three times or for a second, whichever takes longer.
Interleaved interleave(const std::vector<Timed>& ours, const Timed& reference);

/// The same of what takes long: rounds of once each, three of them or as many as a second takes. The reference may be
/// empty.
Interleaved in_turn(const std::vector<Timed>& ours, const Timed& reference);

}  // namespace rebound::bench
