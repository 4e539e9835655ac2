// The world that is open: the runner with its panes, their latest moment, and what the plots remember of them.
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/history.hpp"
#include "session/runner.hpp"

namespace rebound::app {

/// How to make a description: again for a reload.
struct Source {
  std::function<scene::Description()> open;
  std::string name;  ///< for messages
  std::shared_ptr<session::Journal> run =
      nullptr;  ///< what open() fills if it is a run, to be done again; null for a scene
};

/// What the window knows of a pane beside its moment.
struct PaneNotes {
  int id = 0;
  std::size_t color = 0;  ///< which of its colours, see pane_color(); its own as long as it is there
  History history;
  std::string name;          ///< its integrator's, short; with a number where several have the same
  std::string integrator;    ///< of its last moment
  double seen_at = 0;        ///< s, when that was
  std::int64_t started = 0;  ///< the run's frame at which its records' frames count from
};

class Stage {
 public:
  Stage(std::unique_ptr<session::Session> session, Source source, bool paused);

  /// Takes what the runner has done since; true if there is something new to draw.
  bool update();

  /// For all panes if it is about the hand, the pins or the clock, else for the chosen one.
  /// goes_on: as session::Addressed::goes_on.
  void post(session::Command command, bool goes_on = false);
  void post_to(int pane, session::Command command);
  /// Beside the chosen one, with the same motion so far. The integrator is the next one that no pane has yet and the
  /// scene can be solved by.
  void add_pane();
  /// The integrators of its panes, in their order.
  std::vector<std::string> integrators() const;
  /// Before its first frame: as many panes, with these integrators.
  void open_panes(const std::vector<std::string>& integrators);
  void remove_pane(int id);
  void undo();
  void redo();
  /// Pauses there.
  void go_to(std::int64_t frame);
  /// The frame that it is on the way to.
  std::optional<std::int64_t> heading_for() const { return heading_for_; }
  /// So many frames on or back, from where it is on the way to.
  void go_by(std::int64_t frames) { go_to(heading_for_.value_or(moment_.frame) + frames); }
  std::future<std::string> save_run(std::filesystem::path file) { return runner_->save_run(std::move(file)); }

  void set_paused(bool paused);
  /// One frame; in the past, the one that was.
  void step_once();
  /// While it is led, the simulation takes the steps that advance() asks for and no others; pausing is its leader's
  /// affair.
  void lead(bool led);
  void advance(int steps);
  /// While the past is filmed nothing can be done to it: that would begin a branch, and what came after be left.
  void protect(bool protected_now) { protected_ = protected_now; }
  /// How many of those are still to come.
  int steps_under_way() const { return steps_under_way_; }
  void set_speed(double speed);
  void show_modes(const session::ShownModes& shown) { runner_->show_modes(shown); }

  void show_field(session::FieldKind kind) { runner_->show_field(kind); }
  void show_vertices(bool shown) { runner_->show_vertices(shown); }

  bool paused() const { return paused_; }
  double speed() const { return speed_; }
  /// At least one, in the order in which they came.
  const session::Moment& moment() const { return moment_; }
  const std::vector<PaneNotes>& notes() const { return notes_; }
  std::size_t pane_count() const { return moment_.panes.size(); }
  /// The pane whose settings the panels show and change: its place.
  std::size_t chosen() const { return chosen_; }
  void choose(std::size_t place) { chosen_ = std::min(place, pane_count() - 1); }
  /// The pane under the mouse.
  std::size_t pointed() const { return std::min(pointed_, pane_count() - 1); }
  void point_at(std::size_t place) { pointed_ = place; }
  const session::Snapshot& pointed_moment() const { return moment_.panes[pointed()]; }
  /// Of the chosen pane.
  const session::Snapshot& now() const { return moment_.panes[chosen_]; }
  const History& history() const { return notes_[chosen_].history; }
  /// Have all panes failed?
  bool stands_still() const;
  /// Is it of the time since the reset before the present moment, until the next one?
  bool is_of_this_start(const session::RunRecord& record) const { return record.started() == notes_[chosen_].started; }
  /// Does it stand at a frame of the past, so that going on leaves what came after?
  bool in_the_past() const { return moment_.frame < moment_.last; }

  const scene::BodyList& bodies() const { return runner_->bodies(); }
  const Source& source() const { return source_; }
  /// What to open for this scene another day; empty for one that no file holds.
  std::filesystem::path file() const;
  /// How a replay ended, once when it has; empty otherwise.
  std::string take_replay_report() { return std::exchange(replay_report_, {}); }
  std::vector<std::string> take_refusals();
  /// Ends the simulation, which may take a step's time, where it blocks nobody.
  std::unique_ptr<session::Runner> give_up() { return std::move(runner_); }

 private:
  bool turns_away();
  /// Can the scene be solved by it?
  bool takes(std::string_view integrator) const;
  void end_replay();
  void match_notes();
  PaneNotes notes_of(int id);
  void follow(PaneNotes& notes, const session::Snapshot& moment, bool branched, bool may_switch);
  void name_panes();

  std::unique_ptr<session::Runner> runner_;
  Source source_;
  std::uint64_t serial_ = 0;
  session::Moment moment_;
  std::vector<PaneNotes> notes_;     ///< a pane of the moment each
  std::vector<PaneNotes> left_;      ///< of panes that are gone: going back may bring them back
  std::vector<std::string> coming_;  ///< integrators of panes that are asked for and not there yet
  std::size_t chosen_ = 0, pointed_ = 0;
  bool paused_;
  bool led_ = false, protected_ = false;
  bool turned_away_ = false;  ///< something was asked for while it was protected
  int steps_under_way_ = 0;
  double speed_ = 1;
  std::optional<std::int64_t> heading_for_;  ///< the frame that was asked for, until it is there
  std::string replay_report_;
};

/// The title of an integrator; the id itself if the registry does not know it.
std::string integrator_title(const std::string& id);
/// "Newmark" of "Newmark (trapezoid)": where there is little room.
std::string short_title(const std::string& id);
/// Which of the theme's series a pane's colour is.
std::size_t pane_series(std::size_t color);

}  // namespace rebound::app
