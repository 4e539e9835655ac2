// A session on a thread of its own, at its own pace. The window posts commands and looks at the latest picture; neither
// ever waits for the other, and frames do not wait for factors: what a command needs that takes long is made on another
// thread while the session goes on as it was, and takes effect between two frames when it is ready.
//
// Commands keep their order, so those behind such a one wait as well. Only the hand overtakes them. Of settings that
// follow one another while they wait, the last one counts.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "session/preparer.hpp"
#include "session/snapshot.hpp"

namespace rebound::session {

class Runner {
 public:
  /// Bodies of fewer vertices are factored in a few milliseconds, between two frames.
  static constexpr int kQuickVertices = 2500;

  /// Starts at once, paused or not. From `slow_vertices` on, factors are made on another thread.
  Runner(std::unique_ptr<Session> session, bool paused, int slow_vertices = kQuickVertices);
  ~Runner();

  void post(Command command);
  void set_paused(bool paused);
  /// One frame, then paused again.
  void step_once();
  /// Simulated seconds a second of wall clock: 1 real time, less is slow motion.
  void set_speed(double speed);

  /// Takes the latest moment in exchange for the memory of an older one; false, and nothing is taken, if it is the one
  /// with this number. Numbers grow. For one who looks.
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
  void queue(Command command);
  bool apply_waiting();
  bool apply_next();
  void take_effect(const Command& command, Preparation* made);
  void refuse(const char* why);
  void describe_what_waits();
  void publish();
  void measure_pace();
  FrameBudget budget() const;
  bool has_time_to_spare() const;
  void preparation_ended();

  std::unique_ptr<Session> session_;  ///< touched by thread_ alone, its geometry aside

  std::mutex mutex_;  ///< guards everything down to thread_
  std::condition_variable wake_;
  std::deque<Command> posted_;
  bool paused_, stop_ = false;
  bool prepared_ = false;  ///< a preparation has ended
  int single_steps_ = 0;
  double speed_ = 1;
  std::uint64_t serial_ = 0;
  Snapshot snapshot_;
  std::vector<FrameRecord> records_;
  std::vector<std::string> refusals_;

  const int slow_vertices_;
  Preparer patient_, eager_;      ///< these and what follows are thread_'s own
  Preparer* preparer_ = &eager_;  ///< one of the two
  std::deque<Command> waiting_;   ///< the first is being prepared while *preparer_ is busy
  Snapshot draft_;
  /// The frames of the last second.
  struct Pace {
    Clock::time_point at;  ///< when the step had ended
    double time = 0;       ///< s, simulated
    FrameBudget spent;     ///< since the one before
  };
  std::deque<Pace> pace_;
  FrameBudget spent_;  ///< since the last step
  std::thread thread_;
};

}  // namespace rebound::session
