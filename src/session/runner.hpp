// Sessions side by side on a thread of their own, at their own pace, with their past. The window posts commands and
// looks at the latest picture; neither ever waits for the other, and frames do not wait for factors: what a command
// needs that takes long is made on another thread while the sessions go on as they were, and takes effect between two
// frames when it is ready.
//
// Commands keep their order, so those behind such a one wait as well. Only the hand overtakes them. Of settings that
// follow one another while they wait, the last one counts.
//
// Where memory runs out, what was under way has not happened: it pauses, and a refusal says what was too large.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "session/answer.hpp"
#include "session/mode_show.hpp"
#include "session/pace.hpp"
#include "session/preparer.hpp"
#include "session/snapshot.hpp"

namespace rebound::session {

class Runner {
 public:
  /// Bodies of fewer vertices are factored in a few milliseconds, between two frames.
  static constexpr int kQuickVertices = 2500;

  /// Starts at once, paused or not. From `slow_vertices` on, factors are made on another thread. The session is the
  /// first pane, with the id 0, and must be at its start. A recorded run of its scene is followed, and it pauses at
  /// that one's end.
  Runner(std::unique_ptr<Session> session, bool paused, int slow_vertices = kQuickVertices,
         std::optional<Journal> recorded = std::nullopt);
  ~Runner();

  /// For every pane. goes_on: as Addressed::goes_on.
  void post(Command command, bool goes_on = false);
  /// For one pane alone, but for what is_for_all().
  void post_to(int pane, Command command, bool goes_on = false);
  /// A copy of a pane as it is then, with another integrator. Ids are given in order: the next one is that of no pane
  /// before.
  void add_pane(int from, std::string integrator);
  void remove_pane(int pane);
  void undo();
  void redo();
  /// Pauses there. Of several that are posted while it is under way, the last one counts.
  void go_to(std::int64_t frame);
  /// Writes the run so far. The future has the reason if it could not be written, in one line, or nothing.
  std::future<std::string> save_run(std::filesystem::path file);
  void set_paused(bool paused);
  /// One frame, then paused again.
  void step_once();
  /// Simulated seconds a second of wall clock: 1 real time, less is slow motion.
  void set_speed(double speed);

  /// The modes of all panes are in the moments from now on, or no longer. While one is played, it swings in the moments
  /// of a runner that is paused.
  void show_modes(const ShownModes& shown);

  /// The same of a field of the elements.
  void show_field(FieldKind kind);

  /// And of where the vertices are, those inside as well.
  void show_vertices(bool shown);

  /// Takes the latest moment in exchange for the memory of an older one; false, and nothing is taken, if it is the one
  /// with this number. Numbers grow. For one who looks, who keeps the number with the moment: asked with an older one,
  /// it hands back what was given in exchange.
  bool latest(std::uint64_t& serial, Moment& moment);
  /// The same of the first pane alone.
  bool latest(std::uint64_t& serial, Snapshot& snapshot);
  /// The records of a pane's frames since the last call, oldest first. The runner's first frame is one of them, as it
  /// may have gone on before anyone looked. Going back makes none.
  std::vector<RunRecord> take_records(int pane = 0);
  /// What the sessions refused since the last call, one line each.
  std::vector<std::string> take_refusals();
  /// Has it paused of itself since the last call, as memory ran out? Steps that were asked for are then not made.
  bool take_stop();

  /// Geometry and notes; they do not change while the runner lives.
  const scene::BodyList& bodies() const { return bodies_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct GoTo {
    std::int64_t frame;
  };
  struct SaveRun {
    std::filesystem::path file;
    Answer answer;
  };
  using Request = std::variant<Event, GoTo, SaveRun>;
  static bool replaces(const Request& newer, const Request& older);
  static void put_in_place_of(Request& older, Request newer);
  static bool same_kind(const Request& a, const Request& b);
  static bool moves_the_hand(const Request& request);
  static Subject subject(const Request& request);

  void post(Request request);
  void loop();
  bool wait_for_turn(Clock::time_point& due, bool& step);
  void take_turn(bool step);
  bool apply_posted();
  void take(Request& request);
  void queue(Request& request);
  bool apply_waiting();
  bool apply_next();
  bool prepare(const Event& event);
  void discard_prepared();
  void save(SaveRun& request);
  void step();
  void refuse(const char* why) noexcept;
  void stop(const std::bad_alloc& why, std::string_view what) noexcept;
  void describe_what_waits();
  void publish();
  void preparation_ended();

  Timeline timeline_;  ///< touched by thread_ alone
  scene::BodyList bodies_;

  std::mutex mutex_;  ///< guards everything down to thread_
  std::condition_variable wake_;
  std::deque<Request> posted_;
  bool paused_;
  std::atomic<bool> stop_{false};  ///< set under the mutex; a step that is under way reads it, too
  bool prepared_ = false;          ///< a preparation has ended
  int single_steps_ = 0;
  double speed_ = 1;
  ShownModes shown_modes_;
  FieldKind shown_field_ = FieldKind::none;
  bool shown_vertices_ = false;
  bool shows_others_ = false;  ///< these are not what the last moment has
  std::uint64_t serial_ = 0;
  Moment moment_;
  std::map<int, std::vector<RunRecord>> records_;  ///< by pane
  std::vector<std::string> refusals_;
  bool refusal_lost_ = false;  ///< there was no memory for one more
  bool stopped_ = false;       ///< see take_stop()

  const int slow_vertices_;
  FrameGate gate_;
  Preparer preparer_;             ///< this and what follows are thread_'s own
  std::deque<Request> inbox_;     ///< taken from posted_, in their order
  std::deque<Request> waiting_;   ///< the first is being prepared while preparer_ is busy
  PreparedEvent prepared_event_;  ///< the first that waits
  Moment draft_;
  ModeShow mode_show_;
  FieldShow field_show_;
  Pace pace_;
  std::thread thread_;
};

}  // namespace rebound::session
