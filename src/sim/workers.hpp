// A few threads that stay awake through a step. A step has some fifty parallel passes of 20 to 500 microseconds, so
// starting one must cost about a microsecond: the workers spin a short while before they sleep.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace rebound::sim {

class Workers {
 public:
  /// threads >= 1, the calling thread included.
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int threads() const { return static_cast<int>(helpers_.size()) + 1; }

  /// Calls task(0) ... task(count - 1), each once, and returns when all are done. Which thread runs which is not
  /// promised, so results that are summed must be kept a task and summed in order: then the same input gives the same
  /// bytes whatever the number of threads. One caller at a time.
  template <class Task>
  void run(int count, const Task& task) {
    if (count <= 0) return;
    if (helpers_.empty() || count == 1) {
      for (int i = 0; i < count; ++i) task(i);
      return;
    }
    run_erased(count, &task, [](const void* t, int i) { (*static_cast<const Task*>(t))(i); });
  }

 private:
  using Call = void (*)(const void*, int);
  void run_erased(int count, const void* task, Call call);
  void work(int thread);
  void do_share(int thread);

  std::vector<std::thread> helpers_;
  int count_ = 0;
  const void* task_ = nullptr;
  Call call_ = nullptr;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<int> unfinished_{0};
  std::atomic<bool> stop_{false};
};

}  // namespace rebound::sim
