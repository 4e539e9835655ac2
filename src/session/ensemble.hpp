// Up to six sessions of one scene, side by side in lockstep: each with its own method, all with one hand and one clock.
// Whatever is done to them is an event; the same events before the same frames make the same bytes.
#pragma once

#include <span>

#include "session/saved_state.hpp"

namespace rebound::session {

inline constexpr int kAllPanes = -1;

/// A command and whom it is for. What is_for_all() goes to every pane, whatever stands here.
struct Addressed {
  int pane = kAllPanes;
  Command command;
};
/// Another pane, with the bodies where those of `from` are now.
struct AddPane {
  int from = 0;
  std::string integrator;
};
struct RemovePane {
  int pane = 0;
};
/// Takes the last edit back: pins and parameters, not the motion.
struct Undo {};
/// Does what was taken back last again.
struct Redo {};

using Event = std::variant<Addressed, AddPane, RemovePane, Undo, Redo>;

struct Pane {
  int id = 0;  ///< is never given again
  std::unique_ptr<Session> session;
};

/// An edit as the commands that take it back, one a pane.
struct Edit {
  std::vector<Addressed> inverse;
  std::vector<Addressed> done;
  std::int64_t frame = 0;
};

/// What an ensemble's next frame depends on, and what can be undone.
struct SavedEnsemble {
  struct SavedPane {
    int id;
    std::shared_ptr<const SavedState> state;
  };
  std::int64_t frame = 0;
  int next_id = 0;
  std::vector<SavedPane> panes;
  std::vector<std::shared_ptr<const Edit>> undo, redo;
};

class Ensemble {
 public:
  static constexpr std::size_t kMostPanes = 6;

  /// The first pane has the id 0.
  explicit Ensemble(std::unique_ptr<Session> first);

  /// Throws InputError if any pane refuses it; nothing is then changed.
  void apply(const Event& event);

  /// What an event does to the panes, in this order: one command for one pane each; empty for panes that come or go.
  /// Throws InputError if there is no such pane, or nothing to undo.
  std::vector<Addressed> parts(const Event& event) const;
  /// Applies an event of which the parts are prepared: one of made[] a part, null where Session::preparation() was.
  /// newcomer: the session of another pane, prepared for its integrator as made[0] says; null for all other events.
  void apply(const Event& event, std::span<const std::unique_ptr<Preparation>> made,
             std::unique_ptr<Session> newcomer = nullptr);
  /// The session that a pane to be added will have; what it takes may be prepared while the others go on. Throws
  /// InputError.
  std::unique_ptr<Session> newcomer(const AddPane& add) const;

  /// Steps every pane that has not failed. False if there was none, or none of them did.
  bool step();
  /// Has every pane failed?
  bool stands_still() const;
  /// How often they were stepped: it goes on where a reset takes the sessions' own frames back to 0.
  std::int64_t frame() const { return frame_; }

  /// At least one, in the order in which they came.
  std::span<const Pane> panes() const { return panes_; }
  /// Null if there is none of that id.
  const Session* find(int id) const;
  const Session& first() const { return *panes_.front().session; }
  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }

  SavedEnsemble save() const;
  void restore(const SavedEnsemble& saved);

 private:
  /// Edits that follow each other within this many frames and set the same thing are one turn of a slider.
  static constexpr std::int64_t kOneGesture = 15;
  static constexpr std::size_t kMostEdits = 200;

  Session* session(int id);
  void add(const AddPane& add, std::unique_ptr<Session> newcomer, Preparation* made);
  void remove(const RemovePane& remove);
  void remember(const Event& event, Edit edit);

  std::vector<Pane> panes_;
  std::vector<std::unique_ptr<Session>> spare_;  ///< of panes that were left in the past, for when they come back
  int next_id_ = 1;
  std::int64_t frame_ = 0;
  std::vector<std::shared_ptr<const Edit>> undo_, redo_;
};

}  // namespace rebound::session
