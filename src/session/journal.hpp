// A run: a scene, what was done to it before which frame, and a checksum of every pane after every frame. The same run
// gives the same checksums on the same build, so a run is what a user sends with a report, and what a test replays.
//
// As a file it is JSON Lines, docs/run_format.md: a header with the scene, then a line an event, a failure or a frame,
// in the order in which they happened, and a line for the end. Without that, or with half a line, the file was cut off:
// that is what a crash leaves.
#pragma once

#include <filesystem>

#include "session/ensemble.hpp"

namespace rebound::session {

/// What happened before the ensemble's step from `frame` to the next.
struct Entry {
  std::int64_t frame = 0;
  Event event;
  std::size_t line = 0;  ///< of the file that it was read from, from 1 on; 0: of none
};

/// That a pane failed in the step that ended at `frame`.
struct Failure {
  std::int64_t frame = 0;
  int pane = 0;
  std::string what;
};

/// 64 bits of x, v and H.
std::uint64_t checksum(const Session& session);
/// A checksum a pane, in their order.
std::vector<std::uint64_t> checksums(const Ensemble& ensemble);

class Journal {
 public:
  Journal() = default;
  /// Of a run that begins with this scene.
  explicit Journal(scene::Description scene) : scene_(std::move(scene)) {}

  /// Throws InputError FILE:LINE: what is wrong with it.
  static Journal read(const std::filesystem::path& file);
  /// Writes all or nothing. Throws InputError.
  void write(const std::filesystem::path& file) const;

  void add(std::int64_t frame, const Event& event);
  /// The next add() takes no memory but for the event.
  void make_room();
  /// What the ensemble is now; frames must come one after the other, from 0 on.
  void add_frame(const Ensemble& ensemble);
  /// Forgets what was done at this frame and all that came after.
  void truncate(std::int64_t frame);

  /// How far it was written, and back to there: what was added since, whole or in part, is forgotten.
  struct Mark {
    std::size_t entries = 0, failures = 0, frames = 0;
  };
  Mark mark() const { return {entries_.size(), failures_.size(), ends_.size()}; }
  void go_back_to(const Mark& mark);

  const scene::Description& scene() const { return scene_; }
  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<Failure>& failures() const { return failures_; }
  /// The last frame with checksums, -1 if there is none.
  std::int64_t last() const { return static_cast<std::int64_t>(ends_.size()) - 1; }
  std::span<const std::uint64_t> sums(std::int64_t frame) const;
  /// Read from a file that was cut off, so that more may have happened.
  bool is_cut_off() const { return is_cut_off_; }
  /// The instruction set that it was recorded with, if it is not this machine's: single precision may then differ.
  const std::string& other_instructions() const { return other_instructions_; }

 private:
  friend class JournalReader;
  void add_sums(std::span<const std::uint64_t> sums);

  scene::Description scene_;
  std::vector<Entry> entries_;
  std::vector<Failure> failures_;
  std::vector<std::uint64_t> sums_;  ///< a frame's one after the other
  std::vector<std::size_t> ends_;    ///< of each frame's in sums_
  std::string other_instructions_;
  bool is_cut_off_ = false;
};

/// Does a file begin as one of these does?
bool is_run(const std::filesystem::path& file);

/// The lines of the file, each with its line break. folder: the file's, for the paths of meshes.
std::string header_line(const scene::Description& scene, const std::filesystem::path& folder);
std::string entry_line(const Entry& entry);
std::string failure_line(const Failure& failure);
std::string frame_line(std::int64_t frame, std::span<const std::uint64_t> sums);
/// The last one; without it a file was cut off.
std::string end_line(std::int64_t frame);

/// Where the ensemble, stepped to a frame of the journal, is not what was recorded: "frame 12, pane 0: ..."; empty if
/// all is the same.
std::string divergence(const Journal& journal, const Ensemble& ensemble);

}  // namespace rebound::session
