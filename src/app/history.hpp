// What the plots show of a pane: the records of its frames from a reset to the next one, and when the integrator was
// switched. Those before the last reset are kept: one can go back there.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "session/timeline.hpp"

namespace rebound::app {

struct Marker {
  double time = 0;  ///< s
  std::string label;
};

class History {
 public:
  /// How many frames are kept: an hour at 33 ms, 30 MB.
  static constexpr std::size_t kCapacity = 100'000;

  /// Takes new records, oldest first. They replace what there was of their frames of the run and after: another branch
  /// was taken there.
  void append(const std::vector<session::RunRecord>& records);
  /// What is shown begins with this record, and has no other yet.
  void begin(const session::FrameRecord& record);
  /// What is shown ends with this record, as it is by now: edits and the hand change it between two frames.
  void renew(const session::FrameRecord& record);
  /// At a time of what is shown.
  void mark(double time, std::string label);
  /// Forgets what comes after this frame of the run.
  void cut(std::int64_t run_frame);
  /// Shows the stretch that began at this frame of the run.
  void show(std::int64_t started);
  /// When the stretch began that this frame of the run is in.
  std::int64_t started_before(std::int64_t run_frame) const;

  /// Of the stretch that is shown. Where one has gone back, those that come after are of the branch that may still be
  /// left.
  const std::deque<session::FrameRecord>& records() const { return shown().records; }
  const std::vector<Marker>& markers() const { return shown().markers; }
  /// s; 0 if there is none.
  double last_time() const { return records().empty() ? 0 : records().back().time; }

  /// The records from that time on.
  std::size_t first_at_or_after(double time) const;
  /// The record nearest to that time; null if there is none.
  const session::FrameRecord* nearest(double time) const;

 private:
  struct Stretch {
    std::deque<session::FrameRecord> records;
    std::vector<Marker> markers;
  };
  const Stretch& shown() const { return stretches_.at(shown_); }
  static void cut(Stretch& stretch, std::int64_t frame);
  void forget_the_oldest();

  std::map<std::int64_t, Stretch> stretches_{{0, {}}};  ///< by the run's frame at which each began
  std::int64_t shown_ = 0;
};

}  // namespace rebound::app
