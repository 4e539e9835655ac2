// A video of what the window shows, in simulated time: one picture per 1/30 s of simulated time, however long
// that takes, so that a slow machine makes the same smooth video.
//
// No picture is ever dropped. Where drawing or encoding is slower than the simulation, the simulation is made to wait:
// whoever records leads it step by step (steps_to_next, has_room). A dropped picture would be a jerk in a video that
// people look at many times; a simulation that runs slower while it is recorded is seen once.
#pragma once

#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "film/picture.hpp"
#include "film/sheet.hpp"
#include "render/offscreen.hpp"
#include "render/renderer.hpp"
#include "render/video.hpp"

namespace rebound::app {

/// One of the simulations that are shown side by side; all of them at the same time.
struct RecordedPane {
  film::Picture& picture;  ///< its camera is put back as it was
  const session::Snapshot& moment;
  const std::deque<session::FrameRecord>& records;
};

struct RecordingOptions {
  int width = 1280, height = 720;  ///< pixels, whatever becomes of the window
  double pictures_a_second = 30;   ///< of simulated time
  double plot_seconds = 20;        ///< simulated time that the plots show
  film::PictureOptions picture;
};

class Recorder {
 public:
  enum class State { idle, recording, finishing, failed };

  /// Ends a recording as stop() does, and waits for it.
  ~Recorder();

  /// Begins with the next moment. `file`: as VideoWriter takes it. Needs the GL context that is current here from now
  /// on. Throws OutputError, or GlError, at once if it cannot be.
  void start(const std::filesystem::path& file, const RecordingOptions& options, std::size_t panes);
  /// Takes the pictures that are due at this moment, if any; quick if none is. Leaves the framebuffer as it was. Does
  /// nothing unless it records.
  void take(std::span<const RecordedPane> panes);
  /// Whether take() would have its picture taken off it at once; while not, the simulation has to wait.
  bool has_room();
  /// How many steps there are to the moment of the next picture; at least 1.
  int steps_to_next(const session::Snapshot& moment) const;
  /// Ends the video, in the background. why: where that is not what the user has asked for, as the end of a sentence.
  void stop(const std::string& why = {});

  struct Report {
    std::string text;
    bool failed = false;
  };
  /// Once when a video has got its name, and once, at once, when one has failed: the file or the reason, one line.
  std::optional<Report> poll();

  State state() const { return state_; }
  bool records() const { return state_ == State::recording; }
  /// Why the last recording failed; empty otherwise.
  const std::string& failure() const { return failure_; }
  const std::filesystem::path& file() const { return file_; }
  /// Of the video so far, s.
  double seconds() const { return static_cast<double>(pictures_) / options_.pictures_a_second; }
  int pictures() const { return pictures_; }
  /// Of the encoder; -1 if there is none.
  pid_t process_id() const { return video_ ? video_->process_id() : -1; }

 private:
  /// Tells the simulated time that has gone by since the recording began. A reset, which is a jump back, is a cut.
  double follow_time(double time);
  int count_due(double elapsed, double step) const;
  render::Image draw(std::span<const RecordedPane> panes);
  /// What the plots of all panes show, s.
  render::Range plotted(std::span<const RecordedPane> panes) const;
  void draw_pane(render::Image& page, std::size_t place, const RecordedPane& pane, const render::Range& plotted);
  void hand_over();
  void fail(std::string reason);

  State state_ = State::idle;
  std::filesystem::path file_;
  RecordingOptions options_;
  std::unique_ptr<render::VideoWriter> video_;
  std::optional<film::Sheet> sheet_;
  std::optional<render::Renderer> renderer_;
  std::vector<std::unique_ptr<render::RenderTarget>> targets_;
  render::Image waiting_;  ///< the last picture, while copies of it have no room in the queue
  int copies_ = 0;
  int pictures_ = 0;
  std::optional<double> last_time_;  ///< s, of the simulation
  double elapsed_ = 0;               ///< s
  std::string failure_;
  std::optional<Report> report_;
  std::future<Report> finishing_;
};

}  // namespace rebound::app
