// A session on a thread of its own, at its own pace. The window posts commands and looks at the latest picture; neither
// ever waits for the other.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "session/snapshot.hpp"

namespace rebound::session {

class Runner {
 public:
  /// Starts at once, paused or not.
  Runner(std::unique_ptr<Session> session, bool paused);
  ~Runner();

  void post(Command command);
  void set_paused(bool paused);
  /// One frame, then paused again.
  void step_once();
  /// Simulated seconds a second of wall clock: 1 real time, less is slow motion.
  void set_speed(double speed);

  /// Copies the latest moment; false (and nothing copied) if it is the one with this number. Numbers grow.
  bool latest(std::uint64_t& serial, Snapshot& snapshot);
  /// The records of the frames since the last call, oldest first.
  std::vector<FrameRecord> take_records();
  /// What the session refused since the last call, one line each.
  std::vector<std::string> take_refusals();

  /// Geometry and notes; they do not change while the runner lives.
  const std::vector<scene::BodyGeometry>& bodies() const { return session_->world().bodies; }

 private:
  using Clock = std::chrono::steady_clock;
  void loop();
  bool apply_posted();
  void publish();
  void measure_pace();

  std::unique_ptr<Session> session_;  ///< touched by thread_ alone, its geometry aside

  std::mutex mutex_;  ///< guards everything down to thread_
  std::condition_variable wake_;
  std::deque<Command> posted_;
  bool paused_, stop_ = false;
  int single_steps_ = 0;
  double speed_ = 1;
  std::uint64_t serial_ = 0;
  Snapshot snapshot_;
  std::vector<FrameRecord> records_;
  std::vector<std::string> refusals_;

  Snapshot draft_;  ///< thread_'s own
  std::deque<std::pair<Clock::time_point, double>> pace_;
  std::thread thread_;
};

}  // namespace rebound::session
