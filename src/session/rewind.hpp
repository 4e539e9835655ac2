// The past of an ensemble, a checkpoint every few frames, in a budget of memory: every frame while they fit, then every
// second, fourth, ...; what lies between is lived through again.
#pragma once

#include <deque>

#include "session/ensemble.hpp"

namespace rebound::session {

class Rewind {
 public:
  struct Limits {
    std::size_t bytes = std::size_t{512} << 20;
    /// Rather than to remember fewer frames than these, checkpoints become sparser; beyond, the oldest are forgotten.
    std::int64_t frames = 600;
    /// No sparser than this while enough frames are remembered: going back takes up to as many steps.
    std::int64_t widest = 16;
  };
  Rewind() : Rewind(Limits{}) {}
  explicit Rewind(Limits limits) : limits_(limits) {}

  /// Takes in the ensemble as it is after its last step, before anything is done to it. Frames must come in order.
  void add(const Ensemble& ensemble);
  /// Memory is short: remembers about half as many frames, if that is possible, and still one at or before `keep`.
  void give_way(std::int64_t keep);
  /// Forgets all that came after this frame.
  void truncate(std::int64_t frame);

  /// The last checkpoint at or before the frame; null if it is forgotten.
  const SavedEnsemble* at_or_before(std::int64_t frame) const;
  /// The first frame that can be gone back to.
  std::int64_t first() const { return checkpoints_.front().saved.frame; }
  std::size_t bytes() const { return bytes_; }
  std::int64_t spacing() const { return spacing_; }

 private:
  struct Checkpoint {
    SavedEnsemble saved;
    std::size_t bytes;  ///< that it does not share with the one before
  };
  void push(SavedEnsemble saved);
  void make_room();
  bool has_frames_to_spare() const;

  Limits limits_;
  std::deque<Checkpoint> checkpoints_;
  std::int64_t spacing_ = 1;  ///< frames from one to the next, but for the first
  std::int64_t last_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace rebound::session
