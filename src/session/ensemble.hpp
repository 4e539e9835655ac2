// Up to six sessions of one scene, side by side in lockstep: each with its own method, all with one hand and one clock.
// Whatever is done to them is an event; the same events before the same frames make the same bytes.
#pragma once

#include <span>

#include "session/event.hpp"
#include "session/lockstep.hpp"
#include "session/saved_state.hpp"

namespace rebound::session {

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

/// What an event needs that takes long, made while the panes go on: one part after the other.
struct PreparedEvent {
  std::vector<Addressed> parts;                    ///< what the event does to the panes, one command for one pane each
  std::vector<std::unique_ptr<Preparation>> made;  ///< of the first parts; null where nothing takes long
  std::unique_ptr<Session> newcomer;               ///< the session of a pane to be added; null for all other events
  std::uint64_t edits = 0;                         ///< what had been done to the ensemble when this began
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

  // Where memory runs out in a function that changes it, an ensemble is of no use until a later restore() succeeds.

  /// Throws InputError if any pane refuses it; nothing is then changed.
  void apply(const Event& event);

  /// The slow half of an event: begin() says which parts it has, preparation() what the next one of them needs, null if
  /// nothing. What that returns is run on any thread, while the ensemble may be stepped and its hand moved, and then
  /// added to `made`. Both throw InputError as apply() would.
  PreparedEvent begin(const Event& event) const;
  std::unique_ptr<Preparation> preparation(const PreparedEvent& prepared) const;
  /// All of it, on a pane's own threads.
  PreparedEvent prepare(const Event& event) const;
  /// The quick half, once all parts are made: the same to the last byte as apply(event). If anything but the hand came
  /// between, what was prepared is of no use, and all of it is made again, here and now. What is not needed any more is
  /// left in prepared.made.
  void apply(const Event& event, PreparedEvent& prepared);

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
  /// Edits that follow each other within this many frames and set the same thing are one turn of a slider, as those
  /// are that say so.
  static constexpr std::int64_t kOneGesture = 15;
  static constexpr std::size_t kMostEdits = 200;

  Session* session(int id);
  std::vector<Addressed> parts(const Event& event) const;
  std::unique_ptr<Session> newcomer(const AddPane& add) const;
  void do_event(const Event& event, PreparedEvent& prepared);
  void do_parts(const Event& event, PreparedEvent& prepared);
  void add(const AddPane& add, PreparedEvent& prepared);
  void remove(const RemovePane& remove);
  void remember(const Event& event, Edit edit);

  std::vector<Pane> panes_;
  Lockstep lockstep_;
  std::vector<std::unique_ptr<Session>> spare_;  ///< of panes that were left in the past, for when they come back
  int next_id_ = 1;
  std::int64_t frame_ = 0;
  std::uint64_t edits_ = 0;  ///< grows with all that changes more than a step or the hand does
  std::vector<std::shared_ptr<const Edit>> undo_, redo_;
};

}  // namespace rebound::session
