// The world that is open: the runner with its simulation, its latest moment, and what the plots remember of it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/history.hpp"
#include "session/runner.hpp"

namespace rebound::app {

/// How to make a description: again for a reload.
struct Source {
  std::function<scene::Description()> open;
  std::string name;  ///< for messages
};

class Stage {
 public:
  Stage(std::unique_ptr<session::Session> session, Source source, bool paused);

  /// Takes what the runner has done since; true if there is something new to draw.
  bool update();

  void post(session::Command command) { runner_->post(std::move(command)); }
  void set_paused(bool paused);
  void step_once();
  /// While it is led, the simulation takes the steps that advance() asks for and no others; pausing is its leader's
  /// affair.
  void lead(bool led);
  void advance(int steps);
  /// How many of those are still to come.
  int steps_under_way() const { return steps_under_way_; }
  void set_speed(double speed);

  bool paused() const { return paused_; }
  double speed() const { return speed_; }
  const session::Snapshot& now() const { return now_; }
  const History& history() const { return history_; }
  const std::vector<scene::BodyGeometry>& bodies() const { return runner_->bodies(); }
  const Source& source() const { return source_; }
  /// What to open for this scene another day; empty for one that no file holds.
  std::filesystem::path file() const;
  std::vector<std::string> take_refusals() { return runner_->take_refusals(); }
  /// Ends the simulation, which may take a step's time, where it blocks nobody.
  std::unique_ptr<session::Runner> give_up() { return std::move(runner_); }

 private:
  std::unique_ptr<session::Runner> runner_;
  Source source_;
  std::uint64_t serial_ = 0;
  session::Snapshot now_;
  History history_;
  bool paused_;
  bool led_ = false;
  int steps_under_way_ = 0;
  double speed_ = 1;
};

/// The title of an integrator; the id itself if the registry does not know it.
std::string integrator_title(const std::string& id);

}  // namespace rebound::app
