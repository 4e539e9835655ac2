// An ensemble with its past: all that is done to it is recorded, and any frame of it can be gone back to, exactly.
// What is done then begins a branch; the one that is left stays as a ghost, its records alone.
#pragma once

#include <map>
#include <optional>

#include "session/journal.hpp"
#include "session/rewind.hpp"

namespace rebound::session {

/// A pane's record in the run, whose frames go on where a reset takes the records' frames back to 0.
struct RunRecord : FrameRecord {
  RunRecord() = default;
  RunRecord(const FrameRecord& record, std::int64_t in_run) : FrameRecord(record), run_frame(in_run) {}
  std::int64_t run_frame = 0;
  /// The run's frame at which its own are counted from.
  std::int64_t started() const { return run_frame - frame; }
};

/// What a pane did on a branch that was left.
struct Ghost {
  int pane = 0;
  std::string integrator;          ///< at its end
  std::vector<RunRecord> records;  ///< from the frame at which it was left, that one included
};

class Timeline {
 public:
  static constexpr std::size_t kMostGhosts = 12;
  /// Records of a branch that are kept for its ghost; about a quarter of an hour.
  static constexpr std::size_t kMostRecords = 30'000;

  /// The first session must be at its start: a run is told from there.
  explicit Timeline(std::unique_ptr<Session> first, Rewind::Limits limits = {});

  const Ensemble& ensemble() const { return ensemble_; }
  /// The run so far, on the present branch.
  const Journal& journal() const { return journal_; }

  // Where memory runs out, whatever changes it throws std::bad_alloc, as sim::OutOfMemory where it is known what for.
  // All is then as it was before: it has gone back to its last checkpoint and lived through what came after that. (But
  // where a step in the past was made and could not be remembered, what came after that frame has become a ghost.) If
  // there is no memory even for coming back, it is lost, nothing of the ensemble must be looked at, and whatever is
  // called next tries to come back first.

  /// Does it and records it. Throws InputError if it is refused; nothing is then changed.
  void apply(const Event& event);
  /// The same where the parts of the event are prepared.
  void apply(const Event& event, PreparedEvent& prepared);
  /// As Ensemble::step().
  bool step();
  bool is_lost() const { return lost_.has_value(); }
  /// If it is lost.
  void come_back();
  /// "out of memory (WHAT): ...", for the user, with what there is that may be too large.
  std::string out_of_memory(std::string_view what) const;

  /// From now on a step first does what was done before it in a recorded run of this scene: until its end, until
  /// something else is done, or until it comes out otherwise. To be called at the start.
  void follow(Journal recorded) { recorded_ = std::move(recorded); }
  bool follows() const { return recorded_.has_value(); }
  /// Something else is about to be done, and what it needs is made from the ensemble as it is: nothing of what was
  /// recorded may change that meanwhile.
  void stop_following() { recorded_.reset(); }
  /// Where what was followed came out otherwise than it was recorded, in one line; empty if it did not.
  const std::string& divergence() const { return divergence_; }

  /// Where it is, and the frames that it can go to: the last one is the end of the branch.
  std::int64_t frame() const { return ensemble_.frame(); }
  std::int64_t first() const { return rewind_.first(); }
  std::int64_t last() const { return journal_.last(); }
  /// The first frame, up to the present one, since which there are these panes and no reset; it may be the next one.
  std::int64_t settled_since() const;
  /// The frame as it was when it had been stepped; at the end of the branch, with what was done since. The nearest one
  /// there is if it is out of range. Stays there until something is done, or a step is made.
  void go_to(std::int64_t frame);

  /// Grows with every branch.
  std::uint64_t branch() const { return branch_; }
  /// The oldest first.
  const std::vector<std::shared_ptr<const Ghost>>& ghosts() const { return ghosts_; }
  const Rewind& rewind() const { return rewind_; }

 private:
  /// The records of a frame, one per pane.
  struct Row {
    std::int64_t frame;
    std::vector<std::pair<int, FrameRecord>> records;
  };
  template <class Work>
  auto all_or_nothing(std::string_view what, const Work& work);
  PreparedEvent prepare(const Event& event) const;
  void do_event(const Event& event, PreparedEvent& prepared);
  void live_until(std::int64_t frame);
  bool step_panes();
  void repeat();
  void compare();
  void begin_a_branch(std::int64_t at);
  void leave_a_ghost(std::int64_t at);
  void remember();
  void remember_records();

  Ensemble ensemble_;
  Journal journal_;
  Rewind rewind_;
  std::deque<Row> rows_;
  std::map<int, std::string> methods_;  ///< of each pane at the end of the branch
  std::vector<std::shared_ptr<const Ghost>> ghosts_;
  std::uint64_t branch_ = 0;
  std::optional<Journal> recorded_;  ///< while it is followed
  std::string divergence_;
  Journal::Mark done_;                ///< where the journal was before what is under way, or as it began its branch
  std::optional<std::int64_t> lost_;  ///< the frame that it is to come back to
};

}  // namespace rebound::session
