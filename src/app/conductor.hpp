// Leads the simulation while the window is recorded, a picture at a time, and says what came of it.
#pragma once

#include <chrono>
#include <optional>

#include "app/canvas.hpp"
#include "app/messages.hpp"
#include "app/recorder.hpp"
#include "app/settings.hpp"
#include "app/stage.hpp"

namespace rebound::app {

class Conductor {
 public:
  /// `canvas`: the window's own, with the moment that the stage has now. Both outlive it.
  Conductor(Canvas& canvas, Messages& messages) : canvas_(canvas), messages_(messages) {}

  /// Begins a recording with these settings, or ends what is being recorded or filmed.
  void toggle(Stage& stage, const Settings& settings);
  /// Goes back by 10 s of simulated time, or as far as frames are kept, and films what was, up to now; then all is as
  /// before.
  void film_last(Stage& stage, const Settings& settings);
  /// Ends a recording, if there is one, before the stage goes.
  void leave(Stage& stage, const std::string& why = {});
  /// Records what is due, lets the simulation go on when it is time, and says what has happened since. True if
  /// something has.
  bool conduct(Stage* stage);

  /// Whether conduct() should be called again within milliseconds.
  bool is_recording() const { return recorder_.records() || past_; }
  /// Whether there is something to come.
  bool busy() const { return is_recording() || recorder_.state() == Recorder::State::finishing; }
  /// For the window to show.
  RecordingStatus status() const;
  const Recorder& recorder() const { return recorder_; }

 private:
  using Clock = std::chrono::steady_clock;
  /// Frames of the past that are being filmed.
  struct Past {
    std::int64_t next, last;  ///< to be filmed
    std::uint64_t branch;
    bool was_paused;
    bool began;  ///< it has gone back, and records
    Settings settings;
  };
  bool start(Stage& stage, const Settings& settings);
  void take_moment(Stage& stage);
  bool may_begin();
  void go_on_in_the_past(Stage& stage);
  void end_past(Stage& stage, const std::string& why = {});

  Canvas& canvas_;
  Messages& messages_;
  Recorder recorder_;
  Clock::time_point due_{};  ///< when the next picture's steps may begin
  std::size_t panes_ = 1;    ///< that are recorded
  std::optional<Past> past_;
};

}  // namespace rebound::app
