// Things whose end takes a while (a thread that finishes its step first) end in the background.
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <vector>

namespace rebound::app {

class Disposal {
 public:
  template <class T>
  void take(std::unique_ptr<T> thing) {
    if (!thing) return;
    std::erase_if(endings_,
                  [](const auto& e) { return e.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
    endings_.push_back(std::async(std::launch::async, [thing = std::move(thing)]() mutable { thing.reset(); }));
  }

 private:
  std::vector<std::future<void>> endings_;
};

}  // namespace rebound::app
