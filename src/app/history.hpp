// What the plots show of a pane: the records of its frames since the last reset, and when the integrator was switched.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "session/session.hpp"

namespace rebound::app {

struct Marker {
  double time = 0;  ///< s
  std::string label;
};

class History {
 public:
  /// How many frames are kept: an hour at 33 ms, 30 MB.
  static constexpr std::size_t kCapacity = 100'000;

  /// Takes new records, oldest first. They replace what there was of their frames and after: another branch was taken
  /// there, or everything began anew.
  void append(const std::vector<session::FrameRecord>& records);
  void mark(double time, std::string label);
  /// Forgets what comes after this frame.
  void cut(std::int64_t frame);
  void clear();

  /// Where one has gone back, those that come after are of the branch that may still be left.
  const std::deque<session::FrameRecord>& records() const { return records_; }
  const std::vector<Marker>& markers() const { return markers_; }
  /// s; 0 if there is none.
  double last_time() const { return records_.empty() ? 0 : records_.back().time; }

  /// The records from that time on.
  std::size_t first_at_or_after(double time) const;
  /// The record nearest to that time; null if there is none.
  const session::FrameRecord* nearest(double time) const;

 private:
  std::deque<session::FrameRecord> records_;
  std::vector<Marker> markers_;
};

}  // namespace rebound::app
