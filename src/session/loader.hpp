// Opening a scene on a thread of its own: progress to look at, a cancel that works, the scene before untouched.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "mesh/error.hpp"
#include "session/session.hpp"

namespace rebound::session {

class Loader {
 public:
  /// Starts at once: `open` makes the description (and may throw InputError), then meshes and factors are made, the
  /// latter with the help of the cache, which may be null.
  Loader(std::function<scene::Description()> open, int threads, std::shared_ptr<sim::FactorCache> cache = nullptr);
  /// Cancels and waits.
  ~Loader();

  struct Status {
    std::string stage;
    double fraction = 0;
    bool finished = false;  ///< take() has the result, or error() the reason
  };
  Status status();
  void cancel() { cancel_ = true; }

  /// The session, once finished; null if it failed or was cancelled.
  std::unique_ptr<Session> take();
  /// One line; empty if there was none or it was cancelled.
  std::string error();

 private:
  void load(const std::function<scene::Description()>& open, int threads, sim::FactorCache* cache);

  std::atomic<bool> cancel_{false};
  std::mutex mutex_;  ///< guards everything down to thread_
  Status status_;
  std::unique_ptr<Session> session_;
  std::string error_;
  std::thread thread_;
};

}  // namespace rebound::session
