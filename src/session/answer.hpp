// A promise that is always kept: who waits for it gets a reason if nobody has given one.
#pragma once

#include <future>
#include <new>
#include <string>
#include <utility>

namespace rebound::session {

class Answer {
 public:
  Answer() = default;
  Answer(Answer&& other) noexcept : promise_(std::move(other.promise_)), given_(std::exchange(other.given_, true)) {}
  Answer& operator=(Answer&& other) noexcept {
    std::swap(promise_, other.promise_);
    std::swap(given_, other.given_);
    return *this;
  }
  ~Answer() { give("given up: the scene was closed"); }

  std::future<std::string> future() { return promise_.get_future(); }
  /// The first one counts.
  void give(const char* text) noexcept {
    if (std::exchange(given_, true)) return;
    std::string answer;
    try {
      answer = text;
    } catch (const std::bad_alloc&) {
      answer = "out of memory";  // so short that it takes none
    }
    promise_.set_value(std::move(answer));
  }

 private:
  std::promise<std::string> promise_;
  bool given_ = false;
};

}  // namespace rebound::session
