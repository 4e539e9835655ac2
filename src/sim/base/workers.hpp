// A few threads that stay awake through a step. A step has some fifty parallel passes of 20 to 500 microseconds, so
// starting one must cost about a microsecond: the workers spin a short while before they sleep.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace rebound::sim {

class Workers {
 public:
  /// threads: the calling one included; std::invalid_argument below 1. Where the system has fewer to give, those are
  /// done without: the results are the same.
  /// pause: called by each thread before each of its tasks, while it waits for others, and by pause(). It may keep the
  /// thread waiting.
  explicit Workers(int threads, std::function<void()> pause = {});
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }
  /// From now on so many, as when they were made. Nothing may be running.
  void use(int threads);

  /// For those who are long at one task.
  void pause() const {
    if (pause_) pause_();
  }

  /// Calls task(0) ... task(count - 1), each once, and returns when all are done. Which thread runs which is not
  /// promised, so results that are summed must be kept a task and summed in order: then the same input gives the same
  /// bytes whatever the number of threads. Threads take tasks as they come free, so one that the system has put aside
  /// (the window draws on the same cores) holds nobody up. One caller at a time.
  /// Throws what a task threw, when all are done; of several, one of them.
  template <class Task>
  void run(int count, const Task& task) {
    if (count <= 0) return;
    if (!beside_) return run_all(count, task);
    const auto beside = std::exchange(beside_, nullptr);
    run_all(count + 1, [&](int i) { i == 0 ? beside() : task(i - 1); });
  }

  /// Calls work(), and task() as one more of the tasks of the first run() in it. Serial work then leaves the other
  /// threads something to do.
  template <class Work>
  void run_beside(std::function<void()> task, const Work& work) {
    beside_ = std::move(task);
    try {
      work();
    } catch (...) {
      beside_ = nullptr;
      throw;
    }
    if (beside_) std::exchange(beside_, nullptr)();
  }

  /// Calls task(0) ... task(threads() - 1), each on a thread of its own and always the same one: what a pass of a few
  /// microseconds leaves in a thread's cache is there in the next. It waits for all of them, also for one that the
  /// system has put aside. Otherwise as run().
  template <class Task>
  void run_on_each(const Task& task) {
    if (helpers_.empty()) return task(0);
    run_erased(kOnEach, &task, [](const void* t, int i) { (*static_cast<const Task*>(t))(i); });
  }

 private:
  using Call = void (*)(const void*, int);
  static constexpr int kOnEach = -1;  ///< instead of a number of tasks
  template <class Task>
  void run_all(int count, const Task& task) {
    if (helpers_.empty() || count == 1) {
      for (int i = 0; i < count; ++i) {
        pause();
        task(i);
      }
      return;
    }
    run_erased(count, &task, [](const void* t, int i) { (*static_cast<const Task*>(t))(i); });
  }
  void run_erased(int count, const void* task, Call call);
  void start(int threads);
  void stop();
  void work(std::uint32_t seen, int thread);
  void run_task(Call call, const void* task, int index);
  /// Runs tasks of `round` until none is left to take.
  void take_tasks(std::uint32_t round);

  const std::function<void()> pause_;
  int asked_ = 0;  ///< threads, of which the system may have given fewer
  std::vector<std::thread> helpers_;
  // What the current round is about. A late helper may read them while the next round is being set up, but then its
  // claim on ticket_ fails.
  std::atomic<int> count_{0};
  std::atomic<const void*> task_{nullptr};
  std::atomic<Call> call_{nullptr};
  std::atomic<std::uint64_t> ticket_{0};  ///< round in the upper half, in the lower the next task, or kClosed, kForEach
  std::atomic<int> done_{0};
  std::atomic<bool> stop_{false};
  std::function<void()> beside_;  ///< of the next round
  std::mutex thrown_mutex_;
  std::exception_ptr thrown_;  ///< by a task of this round
};

}  // namespace rebound::sim
